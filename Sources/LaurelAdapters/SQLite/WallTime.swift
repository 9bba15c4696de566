// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire

/// A time on a wall clock, as a text with a pattern such as `%d.%m.%Y %H:%M`.
///
/// The pattern's directives are those of C's `strptime`: `%Y`, `%y`, `%m`, `%d`, `%b` (English months), `%H`, `%I`,
/// `%p`, `%M`, `%S` and `%%`. A space stands for any white space. Other characters stand for themselves.
struct WallTime {
    private var year = 1970, month = 1, day = 1
    private var hour: Int?
    private var minute = 0, second = 0
    private var isAfternoon: Bool?

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// - Returns: nil if the text does not fit the pattern, or if there is no such date or time.
    init?(_ text: [UInt8], pattern: [UInt8]) {
        var rest = text[...].drop { $0 == 0x20 }
        while rest.last == 0x20 { rest.removeLast() }
        var pattern = pattern[...]
        while let sign = pattern.popFirst() {
            if sign == UInt8(ascii: "%") {
                guard let directive = pattern.popFirst(), read(directive, &rest) else { return nil }
            } else if sign == 0x20 {
                guard let next = rest.first, next <= 0x20 else { return nil }
                rest = rest.drop { $0 <= 0x20 }
            } else if rest.popFirst() != sign {
                return nil
            }
        }
        guard rest.isEmpty, isValid else { return nil }
    }

    /// Milliseconds since 1970 of the same time in UTC. A date without a time of day counts as noon, so that no change
    /// of the clock moves it to another day.
    var milliseconds: Int64 {
        var hour = self.hour ?? 12
        if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        let date = LocalDay(year: year, month: month, day: day)
        return (Int64(date.number) * 86_400 + Int64(hour * 3600 + minute * 60 + second)) * 1000
    }

    private var isValid: Bool {
        let hours = isAfternoon == nil ? 0...23 : 1...12
        return 1970...9999 ~= year && 1...12 ~= month && 1...LocalDay.daysInMonth(year: year, month: month) ~= day
            && hours ~= (hour ?? 12) && 0...59 ~= minute && 0...59 ~= second
    }

    private mutating func read(_ directive: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        func number(_ digits: Int, exactly: Bool = false) -> Int? {
            let found = rest.prefix(digits).prefix { 48...57 ~= $0 }
            guard !found.isEmpty, !exactly || found.count == digits else { return nil }
            rest = rest.dropFirst(found.count)
            return found.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        switch directive {
        case UInt8(ascii: "Y"): return set(\.year, number(4, exactly: true))
        // As in POSIX, 69 to 99 are years of the twentieth century.
        case UInt8(ascii: "y"): return set(\.year, number(2, exactly: true).map { $0 < 69 ? 2000 + $0 : 1900 + $0 })
        case UInt8(ascii: "m"): return set(\.month, number(2))
        case UInt8(ascii: "d"): return set(\.day, number(2))
        case UInt8(ascii: "H"), UInt8(ascii: "I"):
            hour = number(2)
            return hour != nil
        case UInt8(ascii: "M"): return set(\.minute, number(2))
        case UInt8(ascii: "S"): return set(\.second, number(2))
        case UInt8(ascii: "b"): return readMonth(&rest)
        case UInt8(ascii: "p"): return readHalf(&rest)
        case UInt8(ascii: "%"): return rest.popFirst() == directive
        default: return false
        }
    }

    private mutating func set(_ part: WritableKeyPath<WallTime, Int>, _ value: Int?) -> Bool {
        guard let value else { return false }
        self[keyPath: part] = value
        return true
    }

    /// Reads the English name of a month, whole or its first three letters.
    private mutating func readMonth(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let word = rest.prefix { 65...90 ~= $0 || 97...122 ~= $0 }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        guard name.count >= 3, let index = WallTime.months.firstIndex(of: String(name.prefix(3))) else { return false }
        month = index + 1
        rest = rest.dropFirst(word.count)
        return true
    }

    private mutating func readHalf(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let half = String(decoding: rest.prefix(2), as: UTF8.self).lowercased()
        guard half == "am" || half == "pm" else { return false }
        isAfternoon = half == "pm"
        rest = rest.dropFirst(2)
        return true
    }
}

extension TimeZone {
    /// The instant at which a wall clock in the zone shows a time.
    ///
    /// When clocks go back, a time is shown twice, and the result is the first of the two instants. When clocks go
    /// forward, a time is skipped, and the offset before the change is used. If clocks go from 2:00 to 3:00, for
    /// example, 2:30 means the instant at which clocks show 3:30. RFC 5545 decides both cases in this way, and so do
    /// most calendars.
    /// - Parameter wall: the time on the clock, in milliseconds since 1970 as if it were UTC.
    func instant(ofWallClock wall: Int64) -> Int64 {
        let day: Int64 = 86_400_000
        let offsets = [wall - day, wall + day].map { Int64(offsetSeconds(at: $0)) * 1000 }
        let shown = offsets.first { Int64(offsetSeconds(at: wall - $0)) * 1000 == $0 }
        return wall - (shown ?? offsets[0])
    }
}
