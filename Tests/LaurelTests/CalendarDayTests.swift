// SPDX-License-Identifier: Apache-2.0

import Laurel
import Testing

/// Days between reviews: whole ones of 24 hours, or those of the calendar.
@Suite struct CalendarDayTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var day = "00:00"
        let reviews: [String]
        /// The number of days between them.
        let hours: Int
        let calendar: Int
    }

    private static let rows = [
        Row(
            testDescription: "across midnight",
            reviews: ["2026-02-05T23:00:00+01:00", "2026-02-06T01:00:00+01:00"],
            hours: 0,
            calendar: 1
        ),
        Row(
            testDescription: "across midnight, where the day starts at four",
            day: "04:00",
            reviews: ["2026-02-05T23:00:00+01:00", "2026-02-06T01:00:00+01:00"],
            hours: 0,
            calendar: 0
        ),
        Row(
            testDescription: "evening, and the morning after next",
            reviews: ["2026-02-05T22:00:00+01:00", "2026-02-07T07:00:00+01:00"],
            hours: 1,
            calendar: 2
        ),
        Row(
            testDescription: "within a day",
            reviews: ["2026-02-05T01:00:00+01:00", "2026-02-05T23:00:00+01:00"],
            hours: 0,
            calendar: 0
        ),
        Row(
            testDescription: "back over the date line",
            reviews: ["2026-02-06T01:00:00+12:00", "2026-02-05T20:00:00-08:00"],
            hours: 0,
            calendar: 0
        ),
        Row(
            testDescription: "a day later",
            reviews: ["2026-02-05T12:00:00Z", "2026-02-06T12:00:00Z"],
            hours: 1,
            calendar: 1
        ),
    ]

    private func stability(_ rule: String, _ day: String, _ reviews: [String], imports: String? = nil) throws -> Double?
    {
        let bench = try Bench(
            .sqliteTiny,
            rules: "version: 1\ncalendar: {day_starts_at: \"\(day)\"}\nmastery: {scheduler: fsrs\(rule)}\n"
        )
        var lines = reviews.enumerated().map { place, time in
            #"{"id":"\#(place)","source":"a","type":"review.graded","subject":"ana","time":"\#(time)","#
                + #""data":{"word":"w","grade":"good"}}"#
        }
        if let imports { lines.insert(imports, at: 0) }
        // One after another, so that the last review is read from a snapshot.
        for line in lines { try bench.ingest([line]) }
        _ = try bench.soundFingerprint()
        return try bench.engine.learner("ana").words().first?.stability
    }

    private func apart(_ days: Int) throws -> Double? {
        try stability("", "00:00", ["2026-02-01T12:00:00Z", "2026-02-0\(1 + days)T12:00:00Z"])
    }

    @Test(arguments: rows) func `are counted as the rules say`(row: Row) throws {
        #expect(try stability("", row.day, row.reviews) == apart(row.hours))
        #expect(try stability(", days: hours", row.day, row.reviews) == apart(row.hours))
        #expect(try stability(", days: calendar", row.day, row.reviews) == apart(row.calendar))
    }

    @Test func `an import's last review is told by the import's clock`() throws {
        let known = #""stability":2.3065,"difficulty":2.118103970459015,"lastReviewedAt":"2026-02-05T23:30:00Z""#
        let line =
            #"{"id":"i","source":"a","type":"word.imported","subject":"ana","time":"2026-02-06T00:30:00+02:00","#
            + #""data":{"word":"w",\#(known)}}"#
        // By that clock, it was the sixth already.
        let review = ["2026-02-06T23:00:00+02:00"]
        let (calendar, hours) = (
            try stability(", days: calendar", "00:00", review, imports: line),
            try stability("", "00:00", review, imports: line)
        )
        #expect(calendar == hours && calendar != nil)
        let next = try stability(", days: calendar", "00:00", ["2026-02-07T00:30:00+02:00"], imports: line)
        #expect(next != calendar)
    }
}
