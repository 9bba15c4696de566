// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct WindowTests {
    @Test(
        arguments: WindowTests.days + WindowTests.dates + WindowTests.sessions + WindowTests.languages
            + WindowTests.durations
    )
    func windows(row: Case) throws {
        try row.check()
    }

    private static func rules(_ calendar: String = "default_timezone: UTC") -> String {
        """
        calendar: {\(calendar)}
        metrics:
          lines: {count: line.spoken}
          in_day: {last: day.lines, on: line.spoken}
          in_week: {last: week.lines, on: line.spoken}
          in_session: {last: session.lines, on: line.spoken}
          ended_after: {sum: event.durationMs, on: session.ended}
          best: {max: event.accuracy, on: line.spoken}
          best_of_day: {last: day.best, on: line.spoken}
          kinds: {distinct: event.line, on: line.spoken}
          kinds_of_day: {last: day.kinds, on: line.spoken}
          good: {run: line.spoken, while: event.accuracy >= 0.9}
          good_of_session: {last: session.good, on: line.spoken}
        """
    }

    private static func line(
        _ time: String,
        _ data: [String: JSONValue] = [:],
        session: String? = nil,
        language: String? = nil,
        source: String = "app"
    ) -> Event {
        event("line.spoken", time, data, language: language, session: session, source: source)
    }

    private static func ended(_ time: String, _ data: [String: JSONValue] = [:], session: String? = "s") -> Event {
        event("session.ended", time, data, session: session)
    }

    private static func started(_ time: String, _ data: [String: JSONValue] = [:], session: String? = "s") -> Event {
        event("session.started", time, data, session: session)
    }

    private static let end = "2026-03-01T00:00:00Z"

    private static func dates(_ calendar: String = "default_timezone: UTC") -> String {
        """
        calendar: {\(calendar)}
        metrics:
          dates: {distinct: local.date, on: line.spoken}
          fifth: {count: line.spoken, where: local.date == "2026-02-05"}
          later: {count: line.spoken, where: local.date >= "2026-02-06"}
        """
    }

    static let dates: [Case] = [
        Case(
            "the local day as text",
            dates(),
            [
                line("2026-02-05T00:00:00Z"), line("2026-02-05T23:59:59.999Z"), line("2026-02-06T00:00:00Z"),
                line("2026-02-05T23:00:00-02:00"),
            ],
            at: end,
            ["metrics.dates": 2, "metrics.fifth": 3, "metrics.later": 1]
        ),
        Case(
            "by the start of the day",
            dates("day_starts_at: '04:00'"),
            [line("2026-02-06T03:59:00Z"), line("2026-02-06T04:00:00Z")],
            at: end,
            ["metrics.fifth": 1, "metrics.later": 1]
        ),
    ]

    static let days: [Case] = [
        Case(
            "a day",
            rules(),
            [line("2026-02-05T10:00:00Z"), line("2026-02-05T23:59:59.999Z")],
            at: end,
            ["metrics.in_day": 2, "metrics.lines": 2]
        ),
        Case(
            "the next day",
            rules(),
            [line("2026-02-05T10:00:00Z"), line("2026-02-06T00:00:00Z")],
            at: end,
            ["metrics.in_day": 1, "metrics.in_week": 2]
        ),
        Case(
            "a day left and come back to",
            rules(),
            [line("2026-02-06T05:00:00+14:00"), line("2026-02-05T07:00:00-10:00"), line("2026-02-06T08:00:00+14:00")],
            at: end,
            ["metrics.in_day": 1, "metrics.in_week": 3]
        ),
        Case(
            "a week starts on monday",
            rules(),
            [line("2026-02-08T12:00:00Z"), line("2026-02-09T12:00:00Z")],
            at: end,
            ["metrics.in_week": 1]
        ),
        Case(
            "a week may start on sunday",
            rules("week_starts_on: sunday"),
            [line("2026-02-07T12:00:00Z"), line("2026-02-08T12:00:00Z"), line("2026-02-09T12:00:00Z")],
            at: end,
            ["metrics.in_week": 2]
        ),
        Case(
            "largest, distinct and runs start anew",
            rules(),
            [
                line("2026-02-05T10:00:00Z", ["accuracy": 1, "line": "a"], session: "s"),
                line("2026-02-05T10:01:00Z", ["accuracy": 0.9, "line": "b"], session: "s"),
                line("2026-02-06T10:00:00Z", ["accuracy": 0.95, "line": "a"], session: "t"),
            ],
            at: end,
            [
                "metrics.best": 1, "metrics.best_of_day": 0.95, "metrics.kinds": 2, "metrics.kinds_of_day": 1,
                "metrics.good": 3, "metrics.good_of_session": 1,
            ]
        ),
        Case(
            "a language track has windows of its own",
            rules(),
            [
                line("2026-02-05T10:00:00Z", language: "es"), line("2026-02-06T10:00:00Z", language: "pt"),
                line("2026-02-06T11:00:00Z", language: "es"),
            ],
            at: end,
            language: "es",
            ["metrics.in_day": 1, "metrics.in_week": 2]
        ),
    ]

    static let sessions: [Case] = [
        Case(
            "no session, no numbers",
            rules(),
            [line("2026-02-05T10:00:00Z"), line("2026-02-05T10:01:00Z")],
            at: end,
            ["metrics.in_session": 0, "metrics.lines": 2]
        ),
        Case(
            "exactly 24 hours later it still runs",
            rules(),
            [line("2026-02-05T10:00:00Z", session: "s"), line("2026-02-06T10:00:00Z", session: "s")],
            at: end,
            ["metrics.in_session": 2]
        ),
        Case(
            "a millisecond more, and it is another",
            rules(),
            [line("2026-02-05T10:00:00Z", session: "s"), line("2026-02-06T10:00:00.001Z", session: "s")],
            at: end,
            ["metrics.in_session": 1]
        ),
        Case(
            "24 hours count from its last event",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s"), line("2026-02-06T09:00:00Z", session: "s"),
                line("2026-02-07T08:00:00Z", session: "s"),
            ],
            at: end,
            ["metrics.in_session": 3]
        ),
        Case(
            "after its end it is another",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s"), ended("2026-02-05T10:01:00Z"),
                line("2026-02-05T10:02:00Z", session: "s"),
            ],
            at: end,
            ["metrics.in_session": 1]
        ),
        Case(
            "the end of another ends nothing",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s"), ended("2026-02-05T10:01:00Z", session: "t"),
                ended("2026-02-05T10:01:30Z", session: nil), line("2026-02-05T10:02:00Z", session: "s"),
            ],
            at: end,
            ["metrics.in_session": 2]
        ),
        Case(
            "two at a time",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s"), line("2026-02-05T10:01:00Z", session: "t"),
                line("2026-02-05T10:02:00Z", session: "s"),
            ],
            at: end,
            ["metrics.in_session": 2]
        ),
        Case(
            "on two devices",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s", source: "phone"),
                line("2026-02-05T10:01:00Z", session: "s", source: "tablet"),
            ],
            at: end,
            ["metrics.in_session": 2]
        ),
    ]

    /// Tracks that are equal at first, then differ, and are equal again.
    private static let shared = [
        line("2026-02-05T10:00:00Z", session: "s", language: "es"),
        line("2026-02-05T10:01:00Z", session: "s"),
        line("2026-02-05T10:02:00Z", session: "s", language: "es"),
        line("2026-02-05T10:03:00Z", session: "s", language: "es"),
        line("2026-02-05T10:04:00Z", session: "s", language: "fr"),
        line("2026-02-05T10:05:00Z", session: "t", language: "fr"),
        line("2026-02-05T10:06:00Z", session: "t", language: "fr"),
    ]

    static let languages: [Case] = [
        Case("lines of all languages", rules(), shared, at: end, ["metrics.in_session": 2, "metrics.in_day": 7]),
        Case(
            "lines of one language",
            rules(),
            Array(shared.prefix(4)),
            at: end,
            language: "es",
            ["metrics.in_session": 3, "metrics.in_day": 3]
        ),
        Case(
            "and of all by then",
            rules(),
            Array(shared.prefix(4)),
            at: end,
            ["metrics.in_session": 4, "metrics.in_day": 4]
        ),
        Case(
            "lines of another language, in a session of its own",
            rules(),
            shared,
            at: end,
            language: "fr",
            ["metrics.in_session": 2, "metrics.in_day": 3]
        ),
        Case(
            "in a day in which another language came before",
            rules(),
            [
                line("2026-02-05T10:00:00Z", session: "s", language: "fr"),
                line("2026-02-05T10:01:00Z", session: "t", language: "es"),
                line("2026-02-05T10:02:00Z", session: "t", language: "es"),
                line("2026-02-06T10:02:00Z", session: "t", language: "es"),
            ],
            at: end,
            language: "es",
            ["metrics.in_session": 3, "metrics.in_day": 1, "metrics.in_week": 3]
        ),
    ]

    static let durations: [Case] = [
        Case(
            "as told",
            rules(),
            [started("2026-02-05T10:00:00Z"), ended("2026-02-05T10:10:00Z", ["durationMs": 120_000])],
            at: end,
            ["totalMinutesPlayed": 2, "metrics.ended_after": 120_000, "totalSessions": 1]
        ),
        Case(
            "since it started",
            rules(),
            [started("2026-02-05T10:00:00Z"), ended("2026-02-05T10:10:00.500Z")],
            at: end,
            ["totalMinutesPlayed": 10, "metrics.ended_after": 600_500]
        ),
        Case(
            "since it started again",
            rules(),
            [started("2026-02-05T10:00:00Z"), started("2026-02-05T10:05:00Z"), ended("2026-02-05T10:10:00Z")],
            at: end,
            ["totalMinutesPlayed": 5]
        ),
        Case(
            "started unheard",
            rules(),
            [line("2026-02-05T10:00:00Z", session: "s"), ended("2026-02-05T10:10:00Z")],
            at: end,
            ["totalMinutesPlayed": 0, "totalSessions": 1, "metrics.ended_after": 0]
        ),
        Case(
            "started in another session of that name",
            rules(),
            [started("2026-02-05T10:00:00Z"), ended("2026-02-06T10:00:00.001Z")],
            at: end,
            ["totalMinutesPlayed": 0, "totalSessions": 1]
        ),
        Case(
            "started exactly 24 hours ago",
            rules(),
            [started("2026-02-05T10:00:00Z"), ended("2026-02-06T10:00:00Z")],
            at: end,
            ["totalMinutesPlayed": 1440]
        ),
        Case(
            "of no session",
            rules(),
            [started("2026-02-05T10:00:00Z", session: nil), ended("2026-02-05T10:10:00Z", session: nil)],
            at: end,
            ["totalMinutesPlayed": 0, "totalSessions": 1]
        ),
        Case(
            "floored once, at the end",
            rules(),
            [
                ended("2026-02-05T10:00:00Z", ["durationMs": 90_000]),
                ended("2026-02-05T11:00:00Z", ["durationMs": 90_000], session: "t"),
                ended("2026-02-05T12:00:00Z", ["durationMs": 59_999], session: "u"),
            ],
            at: end,
            ["totalMinutesPlayed": 3]
        ),
        Case(
            "on the day of its end",
            rules(),
            [started("2026-02-05T23:50:00Z"), ended("2026-02-06T00:10:00Z")],
            at: "2026-02-06T12:00:00Z",
            ["todayMinutes": 20]
        ),
        Case(
            "mode and partner as it started",
            rules(),
            [
                started("2026-02-05T10:00:00Z", ["mode": "host"]), ended("2026-02-05T10:10:00Z"),
                started("2026-02-05T11:00:00Z", ["mode": "host"]), ended("2026-02-05T11:10:00Z", ["mode": "solo"]),
                ended("2026-02-05T12:00:00Z", session: "t"),
            ],
            at: end,
            ["multiplayerSessions": 1, "soloSessions": 2, "totalSessions": 3]
        ),
    ]
}
