// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct StreakTests {
    @Test(arguments: StreakTests.walks + StreakTests.corrections + StreakTests.places) func streak(row: Case) throws {
        try row.check()
    }

    private static func rules(_ streak: String = "", calendar: String = "default_timezone: UTC") -> String {
        """
        calendar: {\(calendar)}
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1\(streak.isEmpty ? "" : ", " + streak)}
        """
    }

    /// A line at noon on each of these days of February 2026; the first day is a Sunday.
    private static func lines(_ days: Int...) -> [Event] { days.map { event("line.spoken", noon($0)) } }

    private static func noon(_ day: Int) -> String { "\(date(day))T12:00:00Z" }

    private static func date(_ day: Int) -> String { "2026-02-" + (day < 10 ? "0\(day)" : "\(day)") }

    private static func frozen(_ day: Int, on other: Int) -> Event {
        event("streak.frozen", noon(other), ["date": .string(date(day))])
    }

    private static func repaired(_ day: Int, on other: Int) -> Event {
        event("streak.repaired", noon(other), ["date": .string(date(day))])
    }

    static let walks: [Case] = [
        Case(
            "nothing yet",
            rules(),
            [],
            at: noon(1),
            ["currentStreak": 0, "longestStreak": 0, "lastActivityDate": nil]
        ),
        Case("the day is not over", rules(), lines(1, 2, 3), at: noon(4), ["currentStreak": 3, "longestStreak": 3]),
        Case("a missed day breaks it", rules(), lines(1, 2, 3), at: noon(5), ["currentStreak": 0, "longestStreak": 3]),
        Case("it starts anew", rules(), lines(1, 2, 3, 5, 6), at: noon(6), ["currentStreak": 2, "longestStreak": 3]),
        Case(
            "two lines on a day are one day",
            rules(),
            lines(1, 2) + [event("line.spoken", "2026-02-02T20:00:00Z")],
            at: noon(3),
            ["currentStreak": 2, "events": 3]
        ),
        Case(
            "a freeze is earned and spent",
            rules("freezes: {earn_every: 2}"),
            lines(1, 2, 4),
            at: noon(4),
            ["currentStreak": 3, "streakFreezes": 0]
        ),
        Case(
            "a freeze is held",
            rules("freezes: {earn_every: 2}"),
            lines(1, 2),
            at: noon(3),
            ["currentStreak": 2, "streakFreezes": 1]
        ),
        Case(
            "one freeze is held where nothing is said",
            rules("freezes: {earn_every: 2}"),
            lines(1, 2, 3, 4),
            at: noon(7),
            ["currentStreak": 0, "longestStreak": 4, "streakFreezes": 0]
        ),
        Case(
            "two freezes are held",
            rules("freezes: {earn_every: 2, hold: 2}"),
            lines(1, 2, 3, 4),
            at: noon(7),
            ["currentStreak": 4, "streakFreezes": 0]
        ),
        Case(
            "today costs no freeze",
            rules("freezes: {earn_every: 2, hold: 2}"),
            lines(1, 2, 3, 4),
            at: noon(6),
            ["currentStreak": 4, "streakFreezes": 1]
        ),
        Case(
            "a freeze covers one day",
            rules("freezes: {earn_every: 3, hold: 3}"),
            lines(1, 2, 3, 6, 7),
            at: noon(7),
            ["currentStreak": 2, "longestStreak": 3, "streakFreezes": 0]
        ),
        Case(
            "rest days neither break nor extend",
            rules("rest_days: [saturday, sunday]"),
            lines(6, 9),
            at: noon(9),
            ["currentStreak": 2]
        ),
        Case(
            "rest days count when active",
            rules("rest_days: [saturday, sunday]"),
            lines(6, 7, 9),
            at: noon(9),
            ["currentStreak": 3]
        ),
        Case(
            "rest days cost no freeze",
            rules("freezes: {earn_every: 1}, rest_days: [saturday, sunday]"),
            lines(6),
            at: noon(9),
            ["currentStreak": 1, "streakFreezes": 1]
        ),
        Case(
            "no streak section, no streak",
            "metrics: {lines: {count: line.spoken}}",
            lines(1, 2) + [repaired(2, on: 3)],
            at: noon(2),
            ["currentStreak": 0, "longestStreak": 0, "streakFreezes": 0, "lastActivityDate": nil]
        ),
    ]

    static let corrections: [Case] = [
        Case(
            "frozen days neither break nor extend",
            rules(),
            lines(1, 2, 5) + [frozen(3, on: 2), frozen(4, on: 2)],
            at: noon(5),
            ["currentStreak": 3]
        ),
        Case("frozen days ahead", rules(), lines(1, 2) + [frozen(3, on: 2)], at: noon(4), ["currentStreak": 2]),
        Case("frozen, but active", rules(), lines(1, 2, 3) + [frozen(2, on: 1)], at: noon(3), ["currentStreak": 3]),
        Case(
            "frozen too late for its day",
            rules(),
            lines(1, 3) + [frozen(2, on: 5)],
            at: noon(3),
            ["currentStreak": 1]
        ),
        Case(
            "frozen afterwards",
            rules(),
            lines(1, 3, 4) + [frozen(2, on: 4)],
            at: noon(4),
            ["currentStreak": 3, "longestStreak": 3]
        ),
        Case(
            "repaired after the fact",
            rules(),
            lines(1, 3, 4) + [repaired(2, on: 4)],
            at: noon(4),
            ["currentStreak": 4, "longestStreak": 4]
        ),
        Case(
            "not repaired yet",
            rules(),
            lines(1, 3) + [repaired(2, on: 5)],
            at: noon(3),
            ["currentStreak": 1, "longestStreak": 1]
        ),
        Case(
            "a day ahead cannot be repaired",
            rules(),
            lines(1) + [repaired(2, on: 1)],
            at: noon(3),
            ["currentStreak": 0]
        ),
        Case(
            "repaired today",
            rules(),
            lines(1) + [repaired(2, on: 2)],
            at: noon(2),
            ["currentStreak": 2, "lastActivityDate": .string(date(2))]
        ),
        Case("a late event mends a missed day", rules(), lines(1, 2, 4, 5, 3), at: noon(5), ["currentStreak": 5]),
        Case(
            "a late event earns a freeze",
            rules("freezes: {earn_every: 3}"),
            lines(1, 2, 5, 3),
            at: noon(5),
            ["currentStreak": 4, "longestStreak": 4, "streakFreezes": 0]
        ),
    ]

    static let places: [Case] = [
        Case(
            "eastward over the date line a day is lived twice",
            rules(),
            [
                event("line.spoken", "2026-02-05T20:00:00+13:00"), event("line.spoken", "2026-02-05T10:00:00-10:00"),
                event("line.spoken", "2026-02-06T10:00:00-10:00"),
            ],
            at: "2026-02-06T11:00:00-10:00",
            ["currentStreak": 2, "lastActivityDate": "2026-02-06"]
        ),
        Case(
            "westward over the date line a day is lost",
            rules(),
            [event("line.spoken", "2026-02-04T22:00:00-10:00"), event("line.spoken", "2026-02-06T09:00:00+13:00")],
            at: "2026-02-06T10:00:00+13:00",
            ["currentStreak": 1, "longestStreak": 1]
        ),
        Case(
            "a freeze helps over the date line",
            rules("freezes: {earn_every: 1}"),
            [event("line.spoken", "2026-02-04T22:00:00-10:00"), event("line.spoken", "2026-02-06T09:00:00+13:00")],
            at: "2026-02-06T10:00:00+13:00",
            ["currentStreak": 2]
        ),
        Case(
            "the latest active day lies after the day of `at`",
            rules(),
            [event("session.ended", "2026-02-04T10:10:00Z"), event("line.spoken", "2026-02-05T00:30:00+14:00")],
            at: "2026-02-04T01:00:00-10:00",
            ["currentStreak": 1, "lastActivityDate": "2026-02-05"]
        ),
        Case(
            "the day starts at four",
            rules(calendar: #"day_starts_at: "04:00""#),
            [event("line.spoken", "2026-02-03T12:00:00Z"), event("line.spoken", "2026-02-05T03:59:59.999Z")],
            at: "2026-02-05T03:59:59.999Z",
            ["currentStreak": 2, "lastActivityDate": "2026-02-04"]
        ),
        Case(
            "from four on it is the next day",
            rules(calendar: #"day_starts_at: "04:00""#),
            [event("line.spoken", "2026-02-03T12:00:00Z"), event("line.spoken", "2026-02-05T04:00:00Z")],
            at: "2026-02-05T04:00:00Z",
            ["currentStreak": 1, "lastActivityDate": "2026-02-05"]
        ),
        day("its time zone", "2026-02-05T23:30:00Z", timezone: "Asia/Tokyo", "2026-02-06"),
        day("its time zone before its offset", "2026-02-05T23:30:00-05:00", timezone: "Europe/Madrid", "2026-02-06"),
        day("its offset", "2026-02-05T23:30:00-05:00", "2026-02-05"),
        day("summer time has begun", "2026-03-29T22:30:00Z", timezone: "Europe/Madrid", "2026-03-30"),
        day("summer time begins tomorrow", "2026-03-28T22:30:00Z", timezone: "Europe/Madrid", "2026-03-28"),
        day("+00:00 is an offset", "2026-02-05T23:30:00+00:00", "2026-02-05", default: "Asia/Tokyo"),
        day("Z is none", "2026-02-05T23:30:00Z", "2026-02-06", default: "Asia/Tokyo"),
        day("-00:00 is none", "2026-02-05T23:30:00-00:00", "2026-02-06", default: "Asia/Tokyo"),
        day("Apia leaves out 2011-12-30", "2011-12-30T10:30:00Z", timezone: "Pacific/Apia", "2011-12-31"),
    ]

    private static func day(
        _ name: String,
        _ time: String,
        timezone: String? = nil,
        _ expected: JSONValue,
        default zone: String = "UTC"
    ) -> Case {
        Case(
            "local day by " + name,
            rules(calendar: "default_timezone: \(zone)"),
            [event("line.spoken", time, timezone: timezone)],
            at: "2026-12-01T00:00:00Z",
            ["lastActivityDate": expected]
        )
    }
}
