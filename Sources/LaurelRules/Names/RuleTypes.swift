// SPDX-License-Identifier: Apache-2.0

/// The event types for which a rule acts: the types in `on`, or every type.
package struct RuleTypes: Sendable {
    /// The types in the order written; nil for every type.
    package let names: [String]?

    /// Every type, including types that are neither in the catalogue nor in the rules.
    static let every = RuleTypes(nil)
    /// The text that stands for ``every`` in a rules file.
    static let everyName = "*"

    init(_ names: [String]?) { self.names = names }

    package func contains(_ type: String) -> Bool { names?.contains(type) ?? true }

    /// The types as written.
    var written: [String] { names ?? [Self.everyName] }

    /// True if both act for the same types. The order does not matter.
    func areSame(as other: RuleTypes) -> Bool { names.map(Set.init) == other.names.map(Set.init) }
}
