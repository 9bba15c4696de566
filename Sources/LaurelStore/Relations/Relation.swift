// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// The definition of a table. The SQL of both databases, the readers, views, tables of reports and `docs/store.md`
/// are derived from its columns.
package struct Relation: Sendable {
    /// The columns before a table's own key.
    enum Scope {
        /// In PostgreSQL, the key begins with a partition.
        case partition
        /// In PostgreSQL, the key begins with an edition and a partition.
        case edition
    }

    /// The table's name.
    package let name: String
    /// The name of the view that shows the table; empty if there is no such view.
    package let view: String
    let scope: Scope
    /// The columns whose values the caller passes; the key comes first.
    let given: [Column]
    let keyCount: Int
    /// The columns that the view shows after the learner's id and before the fields: the language, and the day or the
    /// achievement.
    package let shownKey: [String]
    /// Columns that store a row's properties.
    let list: FieldList

    /// A table whose rows are structs.
    /// - Parameters:
    ///   - codes: columns after the key that are not properties of a row.
    ///   - areOptional: true if all fields may be null.
    init<Row>(
        _ name: String,
        view: String,
        key: [Column],
        codes: [Column] = [],
        shownKey: [String],
        areOptional: Bool = false,
        _ fields: [Field<Row>]
    ) {
        (self.name, self.view, self.shownKey, scope) = (name, view, shownKey, .edition)
        (given, keyCount) = (key + codes, key.count)
        let columns = fields.map { field in
            var column = field.column
            column.isOptional = column.isOptional || areOptional
            return column
        }
        list = FieldList(columns: columns, stored: fields.map(\.stored))
    }

    /// A table whose rows are not structs.
    init(_ name: String, scope: Scope = .partition, key: [Column], _ others: [Column]) {
        (self.name, view, shownKey, self.scope) = (name, "", [], scope)
        (given, keyCount, list) = (key + others, key.count, FieldList(columns: [], stored: []))
    }

    package var fields: [Column] { list.columns }
    /// The fields that views show.
    package var shownFields: [Column] { fields.filter { !$0.isHidden } }

    /// All columns, in the order in which rows have them.
    var columns: [Column] { given + fields }
    /// The number of all columns.
    var width: Int { given.count + list.columns.count }
    var key: [Column] { Array(given.prefix(keyCount)) }

    /// The names of all columns.
    /// - Parameter prefix: the prefix of each name, such as `p.`.
    func names(_ prefix: String = "") -> String { columns.names(prefix) }

    /// The fields that were added to the table after the given addition.
    func fields(after addition: Int) -> [Column] { fields.filter { $0.addition > addition } }

    /// The fields with the given names, in the order of the names. Each name must exist.
    func fields(_ names: [String]) -> FieldList {
        let indexes = names.map { name in fields.firstIndex { $0.name == name }! }
        return FieldList(columns: indexes.map { list.columns[$0] }, stored: indexes.map { list.stored[$0] })
    }
}

/// Columns, and the properties that they store.
struct FieldList: Sendable {
    let columns: [Column]
    let stored: [StoredField]
}

extension [Column] {
    /// The names of all columns, with commas between.
    /// - Parameter prefix: the prefix of each name, such as `p.`.
    func names(_ prefix: String = "") -> String { list { "\(prefix)\($0.name)" } }

    /// The text of each column, with commas between.
    func list(_ text: (Column) -> String) -> String { map(text).joined(separator: ", ") }
}

/// A struct whose properties are the fields of a relation.
package protocol StoredRow {
    static var relation: Relation { get }
}

extension StoredRow {
    /// Reads the fields of a row of cells.
    mutating func read(_ cells: TableRows, _ row: Int) throws(Corruption) {
        try read(Self.relation.list, cells, row, from: Self.relation.given.count)
    }

    /// Reads the given fields.
    /// - Parameter first: the column of the first field.
    mutating func read(_ fields: FieldList, _ cells: TableRows, _ row: Int, from first: Int = 0) throws(Corruption) {
        try withUnsafeMutablePointer(to: &self) { pointer throws(Corruption) in
            for (index, field) in fields.stored.enumerated() {
                let property = UnsafeMutableRawPointer(pointer) + field.offset
                try cells.read(row, first + index, fields.columns[index], field.content, into: property)
            }
        }
    }

    /// A copy of the row with only the given fields. The other fields have the values of `empty`.
    func only(_ fields: FieldList, _ empty: Self) throws(Corruption) -> Self {
        var (cells, row) = (TableRows(width: fields.columns.count), empty)
        withUnsafePointer(to: self) { cells.append(fields.stored, of: $0) }
        try row.read(fields, cells, 0)
        return row
    }

    /// Adds the fields of another row. Numbers are added, and a flag is set if one of the two is set.
    mutating func add(_ other: Self) {
        let fields = Self.relation.list.stored
        withUnsafeMutablePointer(to: &self) { sum in
            withUnsafePointer(to: other) { other in
                for field in fields {
                    let sum = UnsafeMutableRawPointer(sum) + field.offset
                    let other = UnsafeRawPointer(other) + field.offset
                    switch field.content {
                    case .integer:
                        sum.storeBytes(of: sum.load(as: Int64.self) &+ other.load(as: Int64.self), as: Int64.self)
                    case .real:
                        sum.storeBytes(of: sum.load(as: Double.self) + other.load(as: Double.self), as: Double.self)
                    case .flag:
                        sum.storeBytes(of: sum.load(as: Bool.self) || other.load(as: Bool.self), as: Bool.self)
                    default: preconditionFailure("\(field) has no sum")
                    }
                }
            }
        }
    }

    /// The shown fields as in the view, with the types of SQLite's view.
    package var shownValues: [Value] {
        let relation = Self.relation
        var cells = TableRows(width: relation.fields.count)
        withUnsafePointer(to: self) { cells.append(relation.list.stored, of: $0) }
        return relation.fields.indices.filter { !relation.fields[$0].isHidden }.map { index in
            cells.shownValue(0, index, relation.fields[index].type)
        }
    }
}

/// Conversion between the properties of a row and cells.
extension TableRows {
    /// Appends the fields of a row.
    @inline(__always)
    mutating func append<Row: StoredRow>(_ row: UnsafePointer<Row>) { append(Row.relation.list.stored, of: row) }

    mutating func append(_ fields: [StoredField], of row: UnsafeRawPointer) {
        for field in fields {
            let pointer = row + field.offset
            switch field.content {
            case .integer: append(pointer.load(as: Int64.self))
            case .optionalInteger: append(pointer.load(as: Int64?.self))
            case .real: append(pointer.load(as: Double.self))
            case .optionalReal: append(pointer.load(as: Double?.self))
            case .optionalText: append(pointer.assumingMemoryBound(to: String?.self).pointee)
            case .optionalDay: append(pointer.load(as: LocalDay?.self).map { Int64($0.number) })
            case .flag: append(pointer.load(as: Bool.self) ? 1 : 0)
            case .numberList: append(pointer.assumingMemoryBound(to: [NamedNumber].self).pointee)
            case .numbers: append(pointer.assumingMemoryBound(to: NamedNumbers.self).pointee)
            }
        }
    }

    /// Reads a cell into a property.
    fileprivate func read(
        _ row: Int,
        _ cell: Int,
        _ column: Column,
        _ content: StoredContent,
        into property: UnsafeMutableRawPointer
    ) throws(Corruption) {
        func set<Content>(_ value: Content) { property.assumingMemoryBound(to: Content.self).pointee = value }
        let isNull = isNull(row, cell)
        if column.type == .instant, !isNull, !Timestamp.range.contains(integer(row, cell)) {
            throw Corruption("\(integer(row, cell)) is no time")
        }
        switch content {
        case .integer: property.storeBytes(of: integer(row, cell), as: Int64.self)
        case .optionalInteger: set(isNull ? nil : integer(row, cell))
        case .real: set(real(row, cell))
        case .optionalReal: set(isNull ? nil : real(row, cell))
        case .optionalText: set(string(row, cell))
        case .optionalDay: set(isNull ? nil : try day(row, cell))
        case .flag: set(integer(row, cell) != 0)
        case .numberList: set(try numbers(row, cell, column))
        case .numbers: set(NamedNumbers(try numbers(row, cell, column)))
        }
    }

    /// A number of days since 1970-01-01.
    func day(_ row: Int, _ column: Int) throws(Corruption) -> LocalDay {
        guard let day = Int32(exactly: integer(row, column)) else {
            throw Corruption("\(integer(row, column)) is no day")
        }
        return LocalDay(number: day)
    }

    private func numbers(_ row: Int, _ cell: Int, _ column: Column) throws(Corruption) -> [NamedNumber] {
        guard let numbers = NumbersJSON.decode(Array(text(row, cell))) else {
            throw Corruption("\(column.name) holds no numbers")
        }
        return numbers
    }

    fileprivate func shownValue(_ row: Int, _ column: Int, _ type: ColumnType) -> Value {
        if isNull(row, column) { return .null }
        return switch type {
        case .integer, .flag: .integer(integer(row, column))
        case .real: .real(real(row, column))
        case .text, .numbers, .bytes: .text(Array(text(row, column)))
        case .instant: .string(Timestamp.utc(integer(row, column)))
        case .day: .string(LocalDay(number: Int32(clamping: integer(row, column))).description)
        }
    }
}
