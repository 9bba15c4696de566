// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
internal import CSQLite

/// A value in SQLite.
enum SQLValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// The bytes of a text. They may be invalid UTF-8.
    case text([UInt8])
    case blob([UInt8])

    static func string(_ text: String) -> SQLValue { .text(Array(text.utf8)) }

    /// The number, or the number that the text contains; nil if there is none.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .text(let bytes): Double(String(decoding: bytes, as: UTF8.self))
        case .null, .blob: nil
        }
    }

    /// The value as text; nil for null. Whole numbers are written without a decimal point.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Array("\(value)".utf8)
        case .real(let value): Array(value.plainSpelling.utf8)
        case .text(let bytes), .blob(let bytes): bytes
        }
    }
}

extension SQLValue {
    /// - Parameter value: a SQLite value, which is valid only during the call.
    init(_ value: OpaquePointer?) {
        func bytes(_ start: UnsafeRawPointer?) -> [UInt8] {
            Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT: self = .text(bytes(sqlite3_value_text(value)))
        case SQLITE_BLOB: self = .blob(bytes(sqlite3_value_blob(value)))
        default: self = .null
        }
    }
}
