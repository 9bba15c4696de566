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

    @Test func `days and dates agree over four centuries`() {
        var (year, month, day) = (1600, 1, 1)
        for number in Int32(-135_140)..<Int32(11_000) {
            let date = CivilDay(number: number)
            #expect(date.civil == (year, month, day))
            #expect(CivilDay(year: year, month: month, day: day) == date)
            day += 1
            if day > CivilDay.daysInMonth(year: year, month: month) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test(arguments: [
        ("2026-02-05", 1, "2026-W06"), ("2026-02-01", 1, "2026-W05"), ("2021-01-03", 1, "2020-W53"),
        ("2024-12-30", 1, "2025-W01"), ("1970-01-01", 1, "1970-W01"), ("2026-02-05", 7, "2026-02-01"),
        ("2026-02-01", 7, "2026-02-01"), ("2026-02-05", 6, "2026-01-31"),
    ])
    func `weeks`(date: String, firstWeekday: Int, name: String) throws {
        let day = try #require(CivilDay(parsing: date.utf8))
        #expect(day.weekName(firstWeekday: firstWeekday) == name)
        #expect(day.description == date)
    }
}
