// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// What a column holds. Its types in SQLite and PostgreSQL follow from that, and how views show it.
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
}

/// A column of a table, as DDL, statements, views, reports and documents have it.
package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    /// The name in views and reports.
    package let shownAs: String
    /// Text behind the name in documents; empty if the name says it all.
    package let note: String
    /// Whether it may be null.
    var isOptional = false
    /// Whether PostgreSQL stores 4 bytes instead of 8.
    var isNarrow: Bool

    /// A column whose values are not in a row's struct: a learner's number, a code, a position.
    static func number(_ name: String, isNarrow: Bool = true) -> Column {
        Column(name: name, type: .integer, shownAs: name, note: "", isNarrow: isNarrow)
    }
}

/// A column that stores a property of a struct.
struct Field<Row>: Sendable {
    var column: Column
    let stored: StoredField

    /// - Parameters:
    ///   - path: a stored property.
    ///   - shown: the name in views, if it is another one. A whole number with another name is an instant.
    ///   - isWide: whether PostgreSQL stores 8 bytes of a day or flag.
    init<Value: StorableValue>(
        _ name: String,
        _ path: KeyPath<Row, Value>,
        as shown: String? = nil,
        isWide: Bool = false,
        _ note: String = ""
    ) {
        let content = Value.content
        let isInstant = shown != nil && content.type == .integer
        let isNarrow = [.day, .flag].contains(content.type) && !isWide
        column = Column(
            name: name,
            type: isInstant ? .instant : content.type,
            shownAs: shown ?? name,
            note: note,
            isOptional: content.isOptional,
            isNarrow: isNarrow
        )
        stored = StoredField(content: content, offset: MemoryLayout<Row>.offset(of: path)!)
    }
}

/// Where a property lies in its struct, and its type. Properties are read in this way, because a key path takes a hundred
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

/// A type of property that a column can store.
protocol StorableValue {
    static var content: StoredContent { get }
}

extension Int: StorableValue {
    static var content: StoredContent { .integer }
}

extension Int64: StorableValue {
    static var content: StoredContent { .integer }
}

extension Double: StorableValue {
    static var content: StoredContent { .real }
}

extension Bool: StorableValue {
    static var content: StoredContent { .flag }
}

extension NamedNumbers: StorableValue {
    static var content: StoredContent { .numbers }
}

extension [NamedNumber]: StorableValue {
    static var content: StoredContent { .numberList }
}

extension Optional: StorableValue where Wrapped: OptionallyStorable {
    static var content: StoredContent { Wrapped.optionalContent }
}

/// A type of property that a column can store where it may be nil.
protocol OptionallyStorable {
    static var optionalContent: StoredContent { get }
}

extension Int64: OptionallyStorable {
    static var optionalContent: StoredContent { .optionalInteger }
}

extension Double: OptionallyStorable {
    static var optionalContent: StoredContent { .optionalReal }
}

extension String: OptionallyStorable {
    static var optionalContent: StoredContent { .optionalText }
}

extension LocalDay: OptionallyStorable {
    static var optionalContent: StoredContent { .optionalDay }
}
