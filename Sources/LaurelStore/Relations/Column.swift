// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// The kind of values in a column. It decides the types in SQLite and PostgreSQL, and the expression in views.
package enum ColumnType: Sendable {
    case integer, real, text
    /// Milliseconds since 1970; an instant in views.
    case instant
    /// Days since 1970-01-01; a date in views.
    case day
    /// 0 or 1.
    case flag
    /// A JSON object of numbers by name.
    case numbers
    case bytes
}

/// A column of a table. Statements, views, reports and documents are derived from it.
package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    /// The name in views and reports.
    package let shownAs: String
    /// A note that follows the name in documents; empty if the name says enough.
    package let note: String
    /// True if the column may be null.
    var isOptional = false
    /// True if PostgreSQL stores 4 bytes instead of 8.
    var isNarrow: Bool
    /// True if views of the table leave the column out.
    var isHidden = false
    /// The number, from 1, of the format change that added the column; 0 for columns of the oldest readable format.
    var addition = 0

    /// A column whose values are not in a row's struct, such as a learner's id, a code or a position.
    static func number(_ name: String, isNarrow: Bool = true) -> Column {
        Column(name: name, type: .integer, shownAs: name, note: "", isNarrow: isNarrow)
    }

    static func optionalNumber(_ name: String) -> Column {
        var column = number(name, isNarrow: false)
        column.isOptional = true
        return column
    }

    static func text(_ name: String, isOptional: Bool = false, _ note: String = "") -> Column {
        Column(name: name, type: .text, shownAs: name, note: note, isOptional: isOptional, isNarrow: false)
    }

    static func real(_ name: String) -> Column {
        Column(name: name, type: .real, shownAs: name, note: "", isNarrow: false)
    }

    /// A column of instants that may be null.
    /// - Parameter shown: the name in views.
    static func optionalInstant(_ name: String, as shown: String, _ note: String = "") -> Column {
        Column(name: name, type: .instant, shownAs: shown, note: note, isOptional: true, isNarrow: false)
    }

    static func bytes(_ name: String) -> Column {
        Column(name: name, type: .bytes, shownAs: name, note: "", isNarrow: false)
    }

    /// The value of the column in older rows, until progress is computed again.
    var valueOfOlderRows: String { isOptional ? "NULL" : type == .numbers ? "'{}'" : "0" }
}

/// A column that stores a property of a struct.
struct Field<Row>: Sendable {
    var column: Column
    let stored: StoredField

    /// - Parameters:
    ///   - path: a stored property.
    ///   - shown: the name in views, if it differs. A whole number with another name is an instant.
    ///   - isWide: true if PostgreSQL stores a day or flag in 8 bytes.
    ///   - isHidden: true if views leave the column out.
    ///   - addition: see ``Column/addition``. Fields are in the order of their additions.
    init<Value>(
        _ name: String,
        _ path: KeyPath<Row, Value>,
        as shown: String? = nil,
        isWide: Bool = false,
        isHidden: Bool = false,
        addition: Int = 0,
        _ note: String = ""
    ) {
        let content = StoredContent(Value.self)
        let isInstant = shown != nil && content.type == .integer
        let isNarrow = [.day, .flag].contains(content.type) && !isWide
        column = Column(
            name: name,
            type: isInstant ? .instant : content.type,
            shownAs: shown ?? name,
            note: note,
            isOptional: content.isOptional,
            isNarrow: isNarrow,
            isHidden: isHidden,
            addition: addition
        )
        stored = StoredField(content: content, offset: MemoryLayout<Row>.offset(of: path)!)
    }
}

/// The offset of a property in its struct, and its type. Reading a property through a key path would take a hundred
/// instructions.
struct StoredField: Sendable {
    let content: StoredContent
    let offset: Int
}

/// The types that properties of rows have.
enum StoredContent: Sendable {
    /// Int or Int64.
    case integer
    case optionalInteger, real, optionalReal, optionalText, optionalDay, flag, numberList, numbers

    init(_ type: Any.Type) {
        switch type {
        case is Int.Type, is Int64.Type: self = .integer
        case is Int64?.Type: self = .optionalInteger
        case is Double.Type: self = .real
        case is Double?.Type: self = .optionalReal
        case is String?.Type: self = .optionalText
        case is LocalDay?.Type: self = .optionalDay
        case is Bool.Type: self = .flag
        case is [NamedNumber].Type: self = .numberList
        case is NamedNumbers.Type: self = .numbers
        default: preconditionFailure("no column stores \(type)")
        }
    }

    var type: ColumnType {
        switch self {
        case .integer, .optionalInteger: .integer
        case .real, .optionalReal: .real
        case .optionalText: .text
        case .optionalDay: .day
        case .flag: .flag
        case .numberList, .numbers: .numbers
        }
    }

    var isOptional: Bool { [.optionalInteger, .optionalReal, .optionalText, .optionalDay].contains(self) }
}
