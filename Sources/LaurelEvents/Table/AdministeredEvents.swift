// SPDX-License-Identifier: Apache-2.0

/// Finds the events of a table that only an administrator may send. They are events of the types that change numbers
/// directly, and profiles with a field that only an administrator may set.
package struct AdministeredEvents {
    /// The reason why only an administrator may send an event.
    package enum Reason: Sendable, Equatable {
        case type
        /// A field of ``profileType`` that is present and not null.
        case field(String)
    }

    /// The type that only an administrator may send if the event has certain fields.
    package static let profileType = "learner.updated"
    /// The fields of ``profileType`` that only an administrator may set, under any rules.
    package static let profileFields = Set(
        Catalogue.type(named: profileType)!.fields.filter(\.isAdministered).map(\.name)
    )

    private static let typeNames = Catalogue.types.filter(\.isAdministered).map(\.name)

    private enum Kind { case ordinary, administered, profile }

    /// The kind of each type, by index.
    private let kinds: [Kind]
    /// The administered fields of ``profileType``.
    package let fields: Set<String>
    /// True if the table has any type whose events may be an administrator's.
    package let mayHaveAny: Bool

    /// - Parameters:
    ///   - table: the table to examine.
    ///   - fields: the administered fields of ``profileType``.
    /// - Complexity: O(types).
    package init(_ table: EventTable, fields: Set<String>) {
        self.fields = fields
        var kinds = Array(repeating: Kind.ordinary, count: table.types.count)
        for type in table.types(named: Self.typeNames) { kinds[Int(type)] = .administered }
        for type in table.types(named: [Self.profileType]) { kinds[Int(type)] = .profile }
        self.kinds = kinds
        mayHaveAny = kinds.contains { $0 != .ordinary }
    }

    /// The reason why only an administrator may send a row of the table; nil if other senders may send it, too.
    package func reason(_ table: EventTable, _ row: Int) -> Reason? {
        switch kinds[Int(table.type[row])] {
        case .ordinary: return nil
        case .administered: return .type
        case .profile:
            for value in table.values(of: row) where value.kind != .null {
                let name = table.fields.string(value.field)
                if fields.contains(name) { return .field(name) }
            }
            return nil
        }
    }
}

extension EventTable {
    /// The table's types that have one of these names.
    package func types(named names: [String]) -> [UInt32] {
        (1..<UInt32(max(types.count, 1))).filter { index in names.contains { types.equals(index, $0) } }
    }
}
