// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The events that one copy of an app's store contains. An event that is missing in a newer copy of the same store is
/// no longer valid.
package struct StoreCopy: Sendable, Equatable {
    /// An event that a copy contains.
    package struct Claim: Sendable, Equatable {
        package var subject: String
        package var source: String
        package var id: String
        /// The id of the row in the app's store. Two copies that contain the same row are copies of one store.
        package var row: String

        package init(subject: String, source: String, id: String, row: String) {
            (self.subject, self.source, self.id, self.row) = (subject, source, id, row)
        }

        /// Creates the claim for an event; nil if a required attribute is missing.
        /// - Parameters:
        ///   - json: the event. An event without a required attribute is refused later, so it needs no claim.
        ///   - row: the id of the row; nil to use the event's id.
        init?(_ json: [UInt8], row: [UInt8]?) {
            guard case .object(let members)? = JSONValue(validated: json),
                case .string(let subject)? = members["subject"], case .string(let source)? = members["source"],
                case .string(let id)? = members["id"]
            else { return nil }
            self.init(
                subject: subject,
                source: source,
                id: id,
                row: row.map { String(decoding: $0, as: UTF8.self) } ?? id
            )
        }
    }

    package var subject: String
    /// The `source` of the copy's events.
    package var source: String
    /// The name of the store; empty if unknown. Only copies of the same store can be older or newer.
    package var store: String
    /// The numbers that decide which copy is newer. The first number that differs decides.
    package var order: [Double]
    /// One list per row of the app's store: the row's id, followed by the ids of its events. The lists are sorted by
    /// bytes.
    package var rows: [[String]]

    package init(subject: String, source: String, store: String, order: [Double], rows: [[String]]) {
        (self.subject, self.source, self.store, self.order, self.rows) = (subject, source, store, order, rows)
    }

    /// True if this copy is of the same store and newer.
    package func follows(_ older: StoreCopy) -> Bool {
        guard isSameStore(as: older), order.count == older.order.count,
            let (mine, its) = zip(order, older.order).first(where: { $0 != $1 })
        else { return false }
        return mine > its
    }

    /// True if both are copies of the same store. If the stores of both copies have names, the names must be equal.
    /// Otherwise, both copies must have a row in common.
    private func isSameStore(as other: StoreCopy) -> Bool {
        if !store.isEmpty, !other.store.isEmpty { return store == other.store }
        let known = Set(rows.map { $0[0] })
        return other.rows.contains { known.contains($0[0]) }
    }

    /// The events that an older copy contains, but this newer copy does not.
    package func removed(from older: StoreCopy) -> [Claim] {
        let known = Dictionary(rows.map { ($0[0], Set($0.dropFirst())) }, uniquingKeysWith: { $0.union($1) })
        return older.claims.filter { known[$0.row]?.contains($0.id) != true }
    }

    package var claims: [Claim] {
        rows.flatMap { row in
            row.dropFirst().map { Claim(subject: subject, source: source, id: $0, row: row[0]) }
        }
    }

    /// The copy as JSON, the form in which the store saves it.
    package var encoded: [UInt8] {
        let members: [String: JSONValue] = [
            "source": .string(source), "store": .string(store), "order": .array(order.map { .double($0) }),
            "rows": .array(rows.map { .array($0.map { .string($0) }) }),
        ]
        return Array(JSONValue.object(members).json.utf8)
    }

    /// Reads the JSON of a copy. Returns nil if the JSON is invalid.
    package init?(encoded: [UInt8], subject: String) {
        guard case .object(let members)? = JSONValue(validated: encoded), case .string(let source)? = members["source"],
            case .string(let store)? = members["store"], case .array(let order)? = members["order"],
            case .array(let rows)? = members["rows"]
        else { return nil }
        self.init(
            subject: subject,
            source: source,
            store: store,
            order: order.map(\.number),
            rows: rows.map(\.texts).filter { !$0.isEmpty }
        )
    }

    /// The copies in a file, one per learner. A file without events gives one copy without events, for the learner that
    /// the parameters name.
    static func all(
        of claims: [Claim],
        _ terms: Mapping.Copies,
        in database: SourceDatabase,
        _ parameters: [String: String]
    ) throws(SQLError) -> [StoreCopy] {
        let store = try terms.store.map { query throws(SQLError) in try database.value(query, parameters) }
        let statement = try database.prepare(terms.order)
        statement.bind(parameters)
        let hasRow = try statement.step()
        let order = hasRow ? statement.columns.indices.map { statement.value($0).number ?? 0 } : []
        let name = store?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if claims.isEmpty, let subject = parameters["subject"], let source = parameters["source"] {
            return [StoreCopy(subject: subject, source: source, store: name, order: order, rows: [])]
        }
        return Dictionary(grouping: claims) { [$0.subject, $0.source] }.sorted {
            $0.key.lexicographicallyPrecedes($1.key)
        }
        .map { learner, claims in
            let rows = Dictionary(grouping: claims, by: \.row).map { row, claims in
                [row] + Set(claims.map(\.id)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            return StoreCopy(
                subject: learner[0],
                source: learner[1],
                store: name,
                order: order,
                rows: rows.sorted { $0[0].utf8.lexicographicallyPrecedes($1[0].utf8) }
            )
        }
    }
}

extension JSONValue {
    fileprivate var number: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: 0
        }
    }

    fileprivate var texts: [String] {
        guard case .array(let items) = self else { return [] }
        return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
