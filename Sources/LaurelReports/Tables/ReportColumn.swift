// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelResults
import LaurelStore
import LaurelWire

/// One or more columns of a report's table, and their values in a row. Columns whose values are computed together form
/// one `ReportColumn`.
struct ReportColumn<Row>: Sendable {
    let names: [String]
    /// The SQLite types of the columns.
    let types: [String]
    /// The facts that these columns need, in addition to the facts that every row of the table needs.
    let facts: FactSelection
    fileprivate let append: @Sendable (Row, inout [Value]) -> Void

    init<Content: ReportValue>(
        _ name: String,
        needs facts: FactSelection = [],
        _ value: @escaping @Sendable (Row) -> Content
    ) {
        (names, types, self.facts) = ([name], [Content.type], facts)
        append = { row, values in values.append(value(row).stored) }
    }

    /// Columns of a table in the store. They have the form in which the store's view shows them.
    init(of relation: Relation, _ values: @escaping @Sendable (Row) -> [Value]) {
        names = relation.shownFields.map(\.shownAs)
        types = relation.shownFields.map(\.shownType)
        facts = []
        append = { row, all in all += values(row) }
    }
}

extension Array {
    func values<Row>(of row: Row) -> [Value] where Element == ReportColumn<Row> {
        var values: [Value] = []
        values.reserveCapacity(count)
        for column in self { column.append(row, &values) }
        return values
    }
}

/// A type of value that a report's table can contain.
protocol ReportValue: SendableMetatype {
    /// The SQLite type of the value.
    static var type: String { get }
    var stored: Value { get }
}

extension Int: ReportValue {
    static var type: String { "INTEGER" }
    var stored: Value { .count(self) }
}

extension Int64: ReportValue {
    static var type: String { "INTEGER" }
    var stored: Value { .integer(self) }
}

extension Bool: ReportValue {
    static var type: String { "INTEGER" }
    var stored: Value { .count(self ? 1 : 0) }
}

extension Double: ReportValue {
    static var type: String { "REAL" }
    var stored: Value { .real(self) }
}

extension String: ReportValue {
    static var type: String { "TEXT" }
    var stored: Value { .string(self) }
}

extension LocalDay: ReportValue {
    static var type: String { "TEXT" }
    var stored: Value { .string(description) }
}

/// An instant, stored in UTC.
extension Date: ReportValue {
    static var type: String { "TEXT" }
    var stored: Value { .string(Timestamp.utc(milliseconds)) }
}

extension Optional: ReportValue where Wrapped: ReportValue {
    static var type: String { Wrapped.type }
    var stored: Value { self?.stored ?? .null }
}

extension Column {
    /// The SQLite type of the field's values in ``StoredRow/shownValues``.
    fileprivate var shownType: String {
        switch type {
        case .integer, .flag: "INTEGER"
        case .real: "REAL"
        case .text, .numbers, .instant, .day: "TEXT"
        case .bytes: "BLOB"
        }
    }
}
