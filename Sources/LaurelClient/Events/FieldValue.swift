// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that a constructor accepts for a field.
protocol FieldValue {
    var json: JSONValue { get }
}

extension String: FieldValue {
    var json: JSONValue { .string(self) }
}

extension Int: FieldValue {
    var json: JSONValue { .integer(Int64(self)) }
}

extension Double: FieldValue {
    var json: JSONValue { .double(self) }
}

extension Bool: FieldValue {
    var json: JSONValue { .boolean(self) }
}

extension Array: FieldValue where Element: FieldValue {
    var json: JSONValue { .array(map(\.json)) }
}

extension Date: FieldValue {
    /// The instant in RFC 3339, to the nearest millisecond. A date outside the years 1970 to 9999 becomes an invalid
    /// text, which is refused.
    var json: JSONValue {
        .string(milliseconds.map(Timestamp.utc) ?? shown)
    }

    /// The date for messages. It works in any year; `description` fails for some years.
    var shown: String { milliseconds.map(Timestamp.utc) ?? "\(timeIntervalSince1970) seconds after 1970" }

    /// Milliseconds since 1970; nil outside the years 1970 to 9999.
    var milliseconds: Int64? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= 0, milliseconds <= Double(Timestamp.range.upperBound) else { return nil }
        return Int64(milliseconds)
    }
}

extension FieldValue where Self: RawRepresentable<String> {
    var json: JSONValue { .string(rawValue) }
}

extension SessionMode: FieldValue {}
extension ReviewGrade: FieldValue {}
extension CEFRLevel: FieldValue {}
extension LeagueOutcome: FieldValue {}
