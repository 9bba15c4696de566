// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        "1970-01-01T00:00:00Z", "2026-02-05T18:00:00+01:00", "2026-02-05t18:00:00.1z", "2024-02-29T23:59:59.99-00:00",
        "9999-12-31T23:59:59.999Z", "2000-01-01T00:00:00.000+23:59", "2000-01-01T00:00:00-23:59",
        "2000-01-01T00:00:00+00:00",
    ])
    func `keeps the spelling`(text: String) throws {
        #expect(try Timestamp(text).description == text)
    }

    @Test func `cuts digits beyond the millisecond`() throws {
        let time = try Timestamp("2026-02-05T18:00:00.123999Z")
        #expect(time.milliseconds == 1_770_314_400_123)
        #expect(time.description == "2026-02-05T18:00:00.123Z")
    }

    @Test(arguments: [
        Row("date only", "2026-02-05", "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
        Row("space", "2026-02-05 18:00:00Z", "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
        Row("month", "2026-13-05T18:00:00Z", "month 13 does not exist"),
        Row("day", "2025-02-29T18:00:00Z", "the date 2025-02-29 does not exist"),
        Row("hour", "2026-02-05T24:00:00Z", "the time of day goes from 00:00:00 to 23:59:59"),
        Row("second", "2026-02-05T18:00:60Z", "second 60 is refused: seconds go from 00 to 59"),
        Row("no zone", "2026-02-05T18:00:00", "a zone is missing: end with Z or an offset such as +01:00"),
        Row("offset", "2026-02-05T18:00:00+24:00", "an offset goes from -23:59 to +23:59"),
        Row("after Z", "2026-02-05T18:00:00Zx", "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
        Row("point only", "2026-02-05T18:00:00.Z", "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
        Row("year", "1969-12-31T23:59:59Z", "the years go from 1970 to 9999 (UTC)"),
        Row("year, by offset", "9999-12-31T23:59:59-00:01", "the years go from 1970 to 9999 (UTC)"),
        Row("empty", "", "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
    ])
    func `refuses with a sentence`(row: Row) {
        #expect(throws: Timestamp.ParseError.self) { try Timestamp(row.line) }
        do throws(Timestamp.ParseError) {
            _ = try Timestamp(row.line)
        } catch {
            #expect(error.description == row.expected)
        }
    }

    @Test(arguments: 1...5) func `is read as one would by hand`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            let text = random.spelledTime()
            let expected = TimeByHand(text)
            let time = try? Timestamp(text)
            #expect(time?.milliseconds == expected?.milliseconds, "seed \(seed): \(text)")
            #expect(time?.offset == expected?.offset, "seed \(seed): \(text)")
            #expect(time?.description == expected?.description, "seed \(seed): \(text)")
        }
    }

    @Test func `days and dates agree over four centuries`() {
        var (year, month, day) = (1600, 1, 1)
        for number in Int32(-135_140)..<Int32(11_000) {
            let date = LocalDay(number: number)
            // An expectation for each of 146,000 days would take most of the suite's time.
            guard date.civil == (year, month, day), LocalDay(year: year, month: month, day: day) == date else {
                Issue.record("day \(number) is \(date), not \(year)-\(month)-\(day)")
                return
            }
            day += 1
            if day > LocalDay.daysInMonth(year: year, month: month) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test(arguments: [
        ("2026-02-05", 1, "2026-W06"), ("2026-02-01", 1, "2026-W05"), ("2021-01-03", 1, "2020-W53"),
        ("2024-12-30", 1, "2025-W01"), ("1970-01-01", 1, "1970-W01"), ("2026-02-05", 7, "2026-02-01"),
        ("2026-02-01", 7, "2026-02-01"), ("2026-02-05", 6, "2026-01-31"),
    ])
    func `weeks`(date: String, firstWeekday: Int, name: String) throws {
        let day = try #require(LocalDay(parsing: date.utf8))
        #expect(day.weekName(firstWeekday: firstWeekday) == name)
        #expect(day.description == date)
    }
}

/// Reads RFC 3339 part by part, and writes it again to the millisecond.
private struct TimeByHand {
    var milliseconds: Int64
    var offset: WrittenOffset
    var description: String

    init?(_ text: String) {
        let pattern = /(\d{4})-(\d\d)-(\d\d)([Tt])(\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern)?.output, let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3), let hour = Int(match.5), let minute = Int(match.6), let second = Int(match.7),
            1...12 ~= month, 1...TimeByHand.days(year, month) ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        guard let before = TimeByHand.daysBefore[year] else { return nil }
        let days = before + (1..<month).reduce(0) { $0 + TimeByHand.days(year, $1) } + day - 1
        let fraction = match.8.map { String($0.dropFirst().prefix(3)) } ?? ""
        let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.count))!
        milliseconds = Int64((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + thousandths)
        offset = .zulu
        if let sign = match.10, let hours = match.11.flatMap({ Int($0) }), let minutes = match.12.flatMap({ Int($0) }) {
            guard hours < 24, minutes < 60 else { return nil }
            let east = (sign == "+" ? 1 : -1) * (hours * 60 + minutes)
            offset = sign == "-" && east == 0 ? .unknown : .minutes(Int16(east))
            milliseconds -= Int64(east) * 60_000
        }
        guard 0...253_402_300_799_999 ~= milliseconds else { return nil }
        let seconds = text.prefix(19)
        description = seconds + (fraction.isEmpty ? "" : "." + fraction) + match.9
    }

    /// By year, the days between its beginning and that of 1970.
    static let daysBefore: [Int: Int] = {
        var before = [1969: -365, 1970: 0]
        for year in 1971...9999 { before[year] = before[year - 1]! + (1...12).reduce(0) { $0 + days(year - 1, $1) } }
        return before
    }()

    static func days(_ year: Int, _ month: Int) -> Int {
        let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

extension SeededGenerator {
    /// A time in any spelling, or almost a time: its numbers are within their bounds or a little beyond.
    fileprivate mutating func spelledTime() -> String {
        func two(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
            let number = Int.random(in: range, using: &random)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        var text = pick(["1969", "1970", "2000", "2024", "2026", "2100", "9999"])
        text += "-\(two(0...13, &self))-\(two(0...32, &self))" + pick(["T", "T", "T", "T", "t", " "])
        text += "\(two(0...24, &self)):\(two(0...60, &self)):\(two(0...60, &self))"
        text += pick(["", "", ".", ".5", ".25", ".123", ".999", ".1234", ".000000001"])
        text += pick([
            "Z", "Z", "z", "+00:00", "-00:00", "+\(two(0...25, &self)):\(two(0...60, &self))", "-03:30", "", "Zx",
        ])
        if Int.random(in: 0..<8, using: &self) == 0 {
            var bytes = Array(text.utf8)
            bytes[Int.random(in: 0..<bytes.count, using: &self)] = UInt8.random(in: 0x20...0x7E, using: &self)
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}
