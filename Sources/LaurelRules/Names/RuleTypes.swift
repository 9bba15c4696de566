// SPDX-License-Identifier: Apache-2.0

/// The event types for which a rule acts: those that `on` names, or every type.
package struct RuleTypes: Sendable {
    /// The types in the order written; nil for every type.
    package let names: [String]?

    /// Every type, also those that neither the catalogue nor the rules know.
    static let every = RuleTypes(nil)
    /// The way in which a rules file writes ``every``.
    static let everyName = "*"

    init(_ names: [String]?) { self.names = names }

    package func contains(_ type: String) -> Bool { names?.contains(type) ?? true }

    /// The types as written.
    var written: [String] { names ?? [Self.everyName] }

    /// True if both act for the same types. The order does not matter.
    func areSame(as other: RuleTypes) -> Bool { names.map(Set.init) == other.names.map(Set.init) }
}
