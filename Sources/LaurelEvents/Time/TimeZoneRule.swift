// SPDX-License-Identifier: Apache-2.0

/// The rule for the time after the last transition of a zone: a POSIX TZ string, as RFC 8536 extends it, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` or `<-03>3`.
package struct TimeZoneRule: Sendable {
    /// A day that recurs every year.
    enum Day: Sendable {
        /// Day 1–365; 29 February is never counted.
        case julian(Int)
        /// Day 0–365; 29 February is counted.
        case ordinal(Int)
        /// A weekday, 0 (Sunday) … 6, in a week of a month. The week is 1 … 5; 5 is the last.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    struct Change: Sendable {
        var day: Day
        /// The seconds after local midnight of the day. They may be negative or more than 24 hours, for a time on
        /// another day.
        var second: Int
    }

    /// The offset of standard time, in seconds east of UTC.
    var standard: Int32
    var saving: (offset: Int32, start: Change, end: Change)?

    package init?(_ text: some Sequence<UInt8>) {
        var scanner = RuleScanner(text)
        guard scanner.skipName(), let west = scanner.time() else { return nil }
        standard = Int32(-west)
        guard !scanner.atEnd else { return }
        guard scanner.skipName() else { return nil }
        var offset = standard + 3600
        if !scanner.atEnd, !scanner.nextIs(",") {
            guard let west = scanner.time() else { return nil }
            offset = Int32(-west)
        }
        guard scanner.take(","), let start = scanner.change(), scanner.take(","), let end = scanner.change(),
            scanner.atEnd
        else { return nil }
        saving = (offset, start, end)
    }

    /// The interval with the same offset that contains an instant, both in seconds since 1970. The result may be
    /// shorter than the whole time with that offset.
    package func interval(holding instant: Int64) -> ZoneInterval {
        guard let saving else { return ZoneInterval(start: .min, end: .max, offset: standard) }
        let year = LocalDay(containing: (instant + Int64(standard)) * 1000).civil.year
        var changes: [(instant: Int64, offset: Int32)] = []
        for year in year - 1...year + 1 {
            // Daylight saving time starts by the standard clock and ends by its own clock. If two changes are at the
            // same instant, as in permanent daylight saving time, the later one in this list counts.
            changes.append((saving.start.instant(in: year) - Int64(standard), saving.offset))
            changes.append((saving.end.instant(in: year) - Int64(saving.offset), standard))
            if changes[changes.count - 1].instant < changes[changes.count - 2].instant {
                changes.swapAt(changes.count - 1, changes.count - 2)
            }
        }
        let after = changes.firstIndex { $0.instant > instant } ?? changes.count
        guard after > 0 else { return ZoneInterval(start: instant, end: instant + 1, offset: standard) }
        return ZoneInterval(
            start: changes[after - 1].instant,
            end: after < changes.count ? changes[after].instant : instant + 1,
            offset: changes[after - 1].offset
        )
    }
}

extension TimeZoneRule.Change {
    /// Seconds since 1970-01-01T00:00 on the local clock.
    func instant(in year: Int) -> Int64 {
        let first = LocalDay(year: year, month: 1, day: 1)
        var day = Int(first.number)
        switch self.day {
        case .julian(let number):
            let isLeap = LocalDay.daysInMonth(year: year, month: 2) == 29
            day += number - 1 + (isLeap && number >= 60 ? 1 : 0)
        case .ordinal(let number):
            day += number
        case .weekday(let month, let week, let weekday):
            let first = LocalDay(year: year, month: month, day: 1)
            let date = 1 + (weekday - first.weekday % 7 + 7) % 7 + (week - 1) * 7
            let last = LocalDay.daysInMonth(year: year, month: month)
            day = Int(first.number) + (date > last ? date - 7 : date) - 1
        }
        return Int64(day) * 86_400 + Int64(second)
    }
}

/// Reads the parts of a POSIX TZ string.
private struct RuleScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: some Sequence<UInt8>) { self.text = Array(text) }

    var atEnd: Bool { position == text.count }

    func nextIs(_ character: Unicode.Scalar) -> Bool {
        position < text.count && text[position] == UInt8(ascii: character)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard nextIs(character) else { return false }
        position += 1
        return true
    }

    /// Skips the name of a zone: three or more letters, or any characters in angle brackets. Returns false if there is
    /// no name.
    mutating func skipName() -> Bool {
        if take("<") {
            while position < text.count, !nextIs(">") { position += 1 }
            return take(">")
        }
        let start = position
        while position < text.count, 97...122 ~= text[position] | 0x20 { position += 1 }
        return position - start >= 3
    }

    mutating func number(upTo limit: Int) -> Int? {
        let start = position
        var value = 0
        while position < text.count, position - start < 4, text[position] &- 48 < 10 {
            value = value * 10 + Int(text[position] &- 48)
            position += 1
        }
        return position > start && value <= limit ? value : nil
    }

    /// Reads a time of the form `[+-]h[h][h][:mm[:ss]]`, and returns it in seconds; nil if there is no such time.
    mutating func time() -> Int? {
        let isNegative = nextIs("-")
        if isNegative || nextIs("+") { position += 1 }
        guard let hours = number(upTo: 167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] {
            guard take(":") else { break }
            guard let value = number(upTo: 59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    mutating func change() -> TimeZoneRule.Change? {
        guard let day = day() else { return nil }
        guard take("/") else { return TimeZoneRule.Change(day: day, second: 7200) }
        return time().map { TimeZoneRule.Change(day: day, second: $0) }
    }

    private mutating func day() -> TimeZoneRule.Day? {
        if take("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
        guard take("M") else { return number(upTo: 365).map { .ordinal($0) } }
        guard let month = number(upTo: 12), month > 0, take("."), let week = number(upTo: 5), week > 0, take("."),
            let weekday = number(upTo: 6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }
}
