// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, from 1970-01-01 to 9999-12-31.
public struct CalendarDay: Sendable, Hashable {
    /// The number of days since 1970-01-01.
    public let daysSince1970: Int

    /// The number of days from 1970-01-01 to 9999-12-31.
    static let last = 2_932_896

    /// Creates a day. Returns nil if the day is outside the years 1970 to 9999.
    public init?(daysSince1970: Int) {
        guard (0...Self.last).contains(daysSince1970) else { return nil }
        self.daysSince1970 = daysSince1970
    }

    /// Parses a date of the form `YYYY-MM-DD`. Returns nil for any other text, and for dates that do not exist.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            range.reduce(Optional(0)) { sum, position in
                let digit = Int(bytes[position]) - 48
                return (0...9).contains(digit) ? sum.map { $0 * 10 + digit } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), year >= 1970 else {
            return nil
        }
        let days = Self.days(year: year, month: month, day: day)
        guard (1...12).contains(month), Self.civil(days) == (year, month, day) else { return nil }
        self.init(daysSince1970: days)
    }

    /// A day as `YYYY-MM-DD`. The day may be slightly outside the range of ``CalendarDay``.
    static func text(daysSince1970 days: Int) -> String {
        let (year, month, day) = civil(days)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The number of days from 1970-01-01 to a date whose year is at least 0. The algorithm is from Howard Hinnant,
    /// "chrono-compatible low-level date algorithms".
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let position = (5 * dayOfYear + 2) / 153
        let month = position < 10 ? position + 3 : position - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * position + 2) / 5 + 1)
    }
}
