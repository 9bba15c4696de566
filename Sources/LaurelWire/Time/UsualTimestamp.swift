// SPDX-License-Identifier: Apache-2.0

/// A fast path for the usual spelling of times, `2026-02-05T18:00:00.123+01:00`. It reads eight characters at a time.
enum UsualTimestamp {
    /// Parses a time. Returns nil for any other spelling, and for invalid times. Then ``TimestampParser`` reads the
    /// time, or reports the mistake.
    static func parse(_ text: UnsafeBufferPointer<UInt8>, _ recent: inout RecentDate) -> Timestamp? {
        guard text.count >= 20, let midnight = recent.midnight(of: text),
            let clock = digits(text, at: 11, as: timeOfDay)
        else { return nil }
        let (hour, minute, second) = (pair(clock, at: 0), pair(clock, at: 3), pair(clock, at: 6))
        guard hour < 24, minute < 60, second < 60, let (fraction, fractionDigits, end) = fraction(text),
            let offset = offset(text, from: end)
        else { return nil }
        var instant = midnight + Int64(((hour * 60 + minute) * 60 + second) * 1000 + fraction)
        if case .minutes(let minutes) = offset { instant -= Int64(minutes) * 60_000 }
        guard Timestamp.range.contains(instant) else { return nil }
        return Timestamp(
            milliseconds: instant,
            offset: offset,
            spelling: Timestamp.Spelling(fractionDigits: fractionDigits)
        )
    }

    /// The milliseconds from 1970 to the start of the date at the beginning of a text; nil if no `T` follows the date.
    @inline(never)
    fileprivate static func midnight(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text[10] == UInt8(ascii: "T"), let date = digits(text, at: 0, as: yearAndMonth),
            let day = number(text, at: 8)
        else { return nil }
        let year = pair(date, at: 0) * 100 + pair(date, at: 2)
        let month = pair(date, at: 5)
        guard 1...12 ~= month, day >= 1, day <= 28 || day <= LocalDay.daysInMonth(year: year, month: month) else {
            return nil
        }
        return Int64(LocalDay(year: year, month: month, day: day).number) * 86_400_000
    }

    /// Reads a fraction of three digits, if there is one, and returns it with the index of its end.
    @inline(__always)
    private static func fraction(_ text: UnsafeBufferPointer<UInt8>) -> (milliseconds: Int, digits: Int, end: Int)? {
        guard text[19] == UInt8(ascii: ".") else { return (0, 0, 19) }
        guard text.count > 23, let tens = number(text, at: 20), text[22] &- 48 < 10 else { return nil }
        return (tens * 10 + Int(text[22] &- 48), 3, 23)
    }

    @inline(__always)
    private static func offset(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> WrittenOffset? {
        switch text.count - start {
        case 1: return text[start] == UInt8(ascii: "Z") ? .zulu : nil
        case 6:
            let isEast = text[start] == UInt8(ascii: "+")
            guard isEast || text[start] == UInt8(ascii: "-"), text[start + 3] == UInt8(ascii: ":"),
                let hours = number(text, at: start + 1), let minutes = number(text, at: start + 4), hours < 24,
                minutes < 60
            else { return nil }
            let total = Int16(truncatingIfNeeded: hours * 60 + minutes)
            return isEast ? .minutes(total) : total == 0 ? .unknown : .minutes(-total)
        default: return nil
        }
    }

    // MARK: Digits

    /// A pattern of eight characters, the first in the lowest byte. A byte matches if its difference from the
    /// pattern's character is at most 9 for a digit, and 0 for another character. Adding the byte of `excess` to a
    /// larger difference sets the highest bit.
    private typealias Pattern = (characters: UInt64, excess: UInt64)

    /// The pattern of `0000-00-`.
    private static let yearAndMonth: Pattern = (0x2D30_302D_3030_3030, 0x7F76_767F_7676_7676)
    /// The pattern of `00:00:00`.
    private static let timeOfDay: Pattern = (0x3030_3A30_303A_3030, 0x7676_7F76_767F_7676)

    /// The digits of eight characters; nil if they do not match a pattern, in which `0` stands for any digit. Each
    /// byte of the result is ten times its digit plus the next digit.
    @inline(__always)
    private static func digits(_ text: UnsafeBufferPointer<UInt8>, at index: Int, as pattern: Pattern) -> UInt64? {
        let word = UInt64(littleEndian: UnsafeRawPointer(text.baseAddress! + index).loadUnaligned(as: UInt64.self))
        let values = word ^ pattern.characters
        guard (values | values &+ pattern.excess) & 0x8080_8080_8080_8080 == 0 else { return nil }
        return values &* 10 &+ (values >> 8)
    }

    @inline(__always)
    private static func pair(_ digits: UInt64, at index: Int) -> Int { Int(digits >> UInt64(index * 8) & 0xFF) }

    /// A number of two digits.
    @inline(__always)
    private static func number(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let (tens, ones) = (text[index] &- 48, text[index + 1] &- 48)
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}

/// The text of a recent date and the `T` after it, and the instant at which the day starts.
package struct RecentDate: Sendable {
    /// The first eight characters, and the eight characters that end with the `T`. Zeros match no text.
    private var spelling: (UInt64, UInt64) = (0, 0)
    private var midnight: Int64 = 0

    package init() {}

    /// - Parameter text: a text of at least 11 characters.
    @inline(__always)
    fileprivate mutating func midnight(of text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let raw = UnsafeRawPointer(text.baseAddress!)
        let first = raw.loadUnaligned(as: UInt64.self)
        let last = raw.loadUnaligned(fromByteOffset: 3, as: UInt64.self)
        if first == spelling.0, last == spelling.1 { return midnight }
        guard let midnight = UsualTimestamp.midnight(text) else { return nil }
        self.midnight = midnight
        spelling = (first, last)
        return midnight
    }
}
