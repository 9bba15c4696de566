// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A table, written down once: both databases' DDL and statements, readers, views, the tables of reports and
/// `docs/store.md` follow from its columns.
package struct Relation: Sendable {
    /// The table's name.
    package let name: String
    /// The name of the view that shows it.
    package let view: String
    /// Columns that the caller gives values for, those of the key first.
    let given: [Column]
    let keyCount: Int
    /// What stands before the fields in the view, behind the learner's number and id.
    package let shownKey: [String]
    /// Columns that store a row's properties.
    package let fields: [Column]
    /// The properties, in the order of ``fields``.
    let stored: [StoredField]

    /// - Parameters:
    ///   - codes: columns behind the key that are no properties of a row.
    ///   - areOptional: whether all fields may be null.
    init<Row>(
        _ name: String,
        view: String,
        key: [Column],
        codes: [Column] = [],
        shownKey: [String],
        areOptional: Bool = false,
        _ fields: [Field<Row>]
    ) {
        (self.name, self.view, self.shownKey) = (name, view, shownKey)
        (given, keyCount) = (key + codes, key.count)
        self.fields = fields.map { field in
            var column = field.column
            column.isOptional = column.isOptional || areOptional
            return column
        }
        stored = fields.map(\.stored)
    }

    /// All columns, in the order in which rows have them.
    var columns: [Column] { given + fields }
    var key: [Column] { Array(given.prefix(keyCount)) }

    /// The names of all columns.
    /// - Parameter prefix: stands before each, such as `p.`.
    func names(_ prefix: String = "") -> String { columns.names(prefix) }
}

extension [Column] {
    /// - Parameter prefix: stands before each, such as `p.`.
    func names(_ prefix: String = "") -> String { list { "\(prefix)\($0.name)" } }

    /// What each is written as, with commas between.
    func list(_ text: (Column) -> String) -> String { map(text).joined(separator: ", ") }
}

/// A struct whose properties are the fields of a relation.
package protocol StoredRow {
    static var relation: Relation { get }
}

extension StoredRow {
    /// Takes the fields of a row of cells.
    mutating func read(_ cells: TableRows, _ row: Int) throws(Corruption) {
        let relation = Self.relation
        try withUnsafeMutablePointer(to: &self) { place throws(Corruption) in
            for (index, field) in relation.stored.enumerated() {
                let column = (place: relation.given.count + index, name: relation.fields[index].name)
                let place = UnsafeMutableRawPointer(place) + field.offset
                try cells.read(row, column, field.content, into: place)
            }
        }
    }

    /// Adds the fields of another row: numbers are summed up, and a flag is set if either is.
    mutating func add(_ other: Self) {
        let fields = Self.relation.stored
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

    /// The fields as the view shows them, with the types that SQLite's view has.
    package var shownValues: [Value] {
        let relation = Self.relation
        var cells = TableRows(width: relation.fields.count)
        withUnsafePointer(to: self) { cells.append(relation.stored, of: $0) }
        return relation.fields.enumerated().map { place, column in cells.shownValue(0, place, column.type) }
    }
}

/// Properties as cells.
extension TableRows {
    /// Appends the fields of a row.
    @inline(__always)
    mutating func append<Row: StoredRow>(_ row: UnsafePointer<Row>) { append(Row.relation.stored, of: row) }

    mutating func append(_ fields: [StoredField], of row: UnsafeRawPointer) {
        for field in fields {
            let place = row + field.offset
            switch field.content {
            case .integer: append(place.load(as: Int64.self))
            case .optionalInteger: append(place.load(as: Int64?.self))
            case .real: append(place.load(as: Double.self))
            case .optionalReal: append(place.load(as: Double?.self))
            case .optionalText: append(place.assumingMemoryBound(to: String?.self).pointee)
            case .optionalDay: append(place.load(as: LocalDay?.self).map { Int64($0.number) })
            case .flag: append(place.load(as: Bool.self) ? 1 : 0)
            case .numberList: append(place.assumingMemoryBound(to: [NamedNumber].self).pointee)
            case .numbers: append(place.assumingMemoryBound(to: NamedNumbers.self).pointee)
            }
        }
    }

    /// Reads a cell into a property.
    fileprivate func read(
        _ row: Int,
        _ column: (place: Int, name: String),
        _ content: StoredContent,
        into property: UnsafeMutableRawPointer
    ) throws(Corruption) {
        func set<Content>(_ value: Content) { property.assumingMemoryBound(to: Content.self).pointee = value }
        let place = column.place
        let isNull = isNull(row, place)
        switch content {
        case .integer: property.storeBytes(of: integer(row, place), as: Int64.self)
        case .optionalInteger: set(isNull ? nil : integer(row, place))
        case .real: set(real(row, place))
        case .optionalReal: set(isNull ? nil : real(row, place))
        case .optionalText: set(string(row, place))
        case .optionalDay: set(isNull ? nil : try day(row, place))
        case .flag: set(integer(row, place) != 0)
        case .numberList: set(try numbers(row, column))
        case .numbers: set(NamedNumbers(try numbers(row, column)))
        }
    }

    /// A number of days since 1970-01-01.
    func day(_ row: Int, _ column: Int) throws(Corruption) -> LocalDay {
        guard let day = Int32(exactly: integer(row, column)) else {
            throw Corruption("\(integer(row, column)) is no day")
        }
        return LocalDay(number: day)
    }

    private func numbers(_ row: Int, _ column: (place: Int, name: String)) throws(Corruption) -> [NamedNumber] {
        guard let numbers = NumbersJSON.decode(Array(text(row, column.place))) else {
            throw Corruption("\(column.name) holds no numbers")
        }
        return numbers
    }

    fileprivate func shownValue(_ row: Int, _ column: Int, _ type: ColumnType) -> Value {
        if isNull(row, column) { return .null }
        return switch type {
        case .integer, .flag: .integer(integer(row, column))
        case .real: .real(real(row, column))
        case .text, .numbers: .text(Array(text(row, column)))
        case .instant: .string(Timestamp.utc(integer(row, column)))
        case .day: .string(LocalDay(number: Int32(clamping: integer(row, column))).description)
        }
    }
}
