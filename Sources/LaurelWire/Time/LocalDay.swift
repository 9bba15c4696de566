// SPDX-License-Identifier: Apache-2.0

/// A calendar day by a learner's clock, in the proleptic Gregorian calendar, stored as days since 1970-01-01.
///
/// Conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
public struct LocalDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before that day.
    public var number: Int32

    /// Creates a day from its number.
    /// - Parameter number: the number of days since 1970-01-01.
    public init(number: Int32) { self.number = number }

    /// - Parameters:
    ///   - month: 1–12.
    ///   - day: 1–31. Month and day are not checked; use ``init(parsing:)`` to check a date.
    public init(year: Int, month: Int, day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// The day that contains an instant, given in milliseconds since 1970-01-01T00:00.
    @inlinable
    public init(containing milliseconds: Int64) {
        number = Int32(truncatingIfNeeded: milliseconds.dividedRoundingDown(by: 86_400_000))
    }

    /// The date in the Gregorian calendar.
    public var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(number) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, day)
    }

    /// The weekday, 1 Monday … 7 Sunday.
    @inlinable
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let shifted = (Int(number) + 3) % 7
        return (shifted < 0 ? shifted + 7 : shifted) + 1
    }

    /// The English names of the weekdays, from Monday on.
    package static let weekdayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// The first three letters of the weekday: `Mon`.
    package var shortWeekdayName: Substring { Self.weekdayNames[weekday - 1].prefix(3) }

    /// The first day of the week that contains this day.
    /// - Parameter firstWeekday: 1 Monday … 7 Sunday.
    @inlinable
    public func weekStart(firstWeekday: Int) -> LocalDay {
        LocalDay(number: number - Int32((weekday - firstWeekday + 7) % 7))
    }

    public static func < (one: LocalDay, other: LocalDay) -> Bool { one.number < other.number }

    /// The number of days in a month, 28 … 31.
    public static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension LocalDay: CustomStringConvertible {
    /// Parses `YYYY-MM-DD`. nil if the text is not an existing date of the years 0000–9999 in exactly that form.
    public init?(parsing text: some Collection<UInt8>) {
        let bytes = Array(text)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]), let day = decimal(bytes[8..<10]),
            (1...12).contains(month), day >= 1, day <= LocalDay.daysInMonth(year: year, month: month)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var description: String {
        let (year, month, day) = civil
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The week's name. If weeks start on Monday, it is the ISO 8601 name (`2026-W06`), otherwise the date of the
    /// week's first day.
    public func weekName(firstWeekday: Int) -> String {
        let start = weekStart(firstWeekday: firstWeekday)
        guard firstWeekday == 1 else { return start.description }
        // By ISO 8601, a week belongs to the year of its Thursday.
        let thursday = LocalDay(number: start.number + 3)
        let year = thursday.civil.year
        let firstOfYear = LocalDay(year: year, month: 1, day: 1)
        return "\(padded(year, 4))-W\(padded(Int(thursday.number - firstOfYear.number) / 7 + 1, 2))"
    }
}

extension LocalDay {
    /// True if a text has the form of an ISO 8601 week: `2026-W06`.
    package static func isISOWeekName(_ text: some Collection<UInt8>) -> Bool { isoWeek(text) != nil }

    /// The Monday of a week, by its ISO 8601 name; nil if the year has no such week.
    package init?(startOfISOWeek text: some Collection<UInt8>) {
        guard let (year, week) = LocalDay.isoWeek(text), week >= 1 else { return nil }
        // The fourth of January is always in the first week.
        let first = LocalDay(year: year, month: 1, day: 4).weekStart(firstWeekday: 1)
        self.init(number: first.number + Int32(week - 1) * 7)
        guard weekName(firstWeekday: 1).utf8.elementsEqual(text) else { return nil }
    }

    private static func isoWeek(_ text: some Collection<UInt8>) -> (year: Int, week: Int)? {
        let bytes = Array(text)
        guard bytes.count == 8, bytes[4] == UInt8(ascii: "-"), bytes[5] == UInt8(ascii: "W"),
            let year = decimal(bytes[0..<4]), let week = decimal(bytes[6..<8])
        else { return nil }
        return (year, week)
    }
}

extension Int64 {
    /// The quotient rounded down, for instants and local times before 1970.
    @inlinable
    package func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// The number that decimal digits spell; nil if the text has other characters, or if the number needs more than 64
/// bits.
package func decimal(_ digits: some Collection<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
        let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, isTooLargeNow) = shifted.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
        guard !isTooLarge, !isTooLargeNow else { return nil }
        value = sum
    }
    return value
}

package func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension LocalDay: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = LocalDay(parsing: text.utf8) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no day, YYYY-MM-DD")
        }
        self = day
    }
}
