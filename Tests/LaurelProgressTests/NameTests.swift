// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Names about the learner, the calendar and the latest active day, and rules for every event type.
@Suite struct NameTests {
    @Test(arguments: NameTests.learner + NameTests.calendar + NameTests.active + NameTests.every)
    func names(row: Case) throws { try row.check() }

    private static func updated(_ time: String, _ data: [String: JSONValue], language: String? = nil) -> Event {
        event("learner.updated", "2026-02-\(time):00Z", data, language: language)
    }

    private static func line(_ time: String, language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(time):00Z", language: language)
    }

    private static let end = "2026-02-28T12:00:00Z"

    private static let plan = """
        events: {learner.updated: {plan: text, age: number, vip: boolean}}
        metrics: {lines: {count: line.spoken, where: learner.plan == 'gold'}}
        xp: [{id: line, on: line.spoken, award: "default(learner.age, 1) + (learner.vip ? 100 : 0)"}]
        cefr: {score: "default(learner.age, 5)", bands: {A1: 0, A2: 10, B1: 20, B2: 30, C1: 40, C2: 50}}
        """

    static let learner: [Case] = [
        Case("null before any event", plan, [line("01T10:00")], at: end, ["totalXP": 1, "metrics.lines": 0]),
        Case(
            "per field the latest wins",
            plan,
            [
                updated("01T10:00", ["plan": "gold", "age": 7]), line("01T11:00"),
                updated("02T10:00", ["plan": "free", "vip": true]), line("02T11:00"),
            ],
            at: end,
            ["totalXP": 114, "metrics.lines": 1]
        ),
        Case(
            "null and values of another type are absent",
            plan,
            [
                updated("01T10:00", ["plan": "gold", "age": 7, "vip": true]),
                updated("02T10:00", ["plan": nil, "age": "old", "vip": 1]), line("02T11:00"),
            ],
            at: end,
            ["totalXP": 107, "metrics.lines": 1]
        ),
        Case(
            "in a language's track, too",
            plan,
            [updated("01T10:00", ["plan": "gold", "age": 7]), line("01T11:00", language: "es")],
            at: end,
            language: "es",
            ["totalXP": 7, "metrics.lines": 1, "estimatedCEFR": "A1"]
        ),
        Case(
            "the CEFR estimate reads the end",
            plan,
            [
                line("01T10:00", language: "es"), updated("02T10:00", ["age": 25]),
            ],
            at: end,
            language: "es",
            ["estimatedCEFR": "B1", "cefrProgressPercent": 50]
        ),
        Case(
            "the event itself counts",
            "metrics: {changes: {sum: learner.dailyGoalMinutes, on: learner.updated}}",
            [updated("01T10:00", ["dailyGoalMinutes": 20]), updated("02T10:00", ["cohort": "b"])],
            at: end,
            ["metrics.changes": 40]
        ),
        Case(
            "a field of the catalogue is null before any event, whatever its default",
            """
            metrics: {unset: {count: line.spoken, where: learner.dailyGoalMinutes == null && learner.leagues == null}}
            """,
            [line("01T10:00"), updated("01T11:00", ["dailyGoalMinutes": 20]), line("01T12:00")],
            at: end,
            ["metrics.unset": 1, "dailyGoalMinutes": 20]
        ),
        Case(
            "a retraction takes a value back",
            plan,
            [
                event("learner.updated", "2026-02-01T10:00:00Z", ["age": 7], id: "u"), line("01T11:00"),
                event("event.retracted", "2026-02-01T12:00:00Z", ["source": "app", "id": "u"]),
            ],
            at: end,
            ["totalXP": 1]
        ),
    ]

    static let calendar: [Case] = [
        Case(
            "the local day as a number",
            "calendar: {day_starts_at: '04:00'}\nmetrics: {latest: {last: local.day, on: line.spoken}}",
            [event("line.spoken", "1970-01-03T03:59:00+01:00")],
            at: "1970-01-03T12:00:00Z",
            ["metrics.latest": 1]
        ),
        Case(
            "days between two dates",
            "metrics: {day: {max: local.day - day('2026-02-01'), on: line.spoken}}",
            [line("01T10:00"), line("11T10:00", language: "es")],
            at: end,
            language: "es",
            ["metrics.day": 10]
        ),
    ]

    private static let since = """
        metrics:
          lines: {count: line.spoken}
          none: {count: '*', where: streak.days_since_active == null}
          away: {max: streak.days_since_active, on: '*'}
        streak: {when: day.lines >= 1, rest_days: [sunday]}
        xp: [{id: back, on: line.spoken, when: streak.days_since_active >= 14, award: 50}]
        """

    static let active: [Case] = [
        Case("null before an active day", since, [line("01T10:00")], at: end, ["metrics.none": 1, "metrics.away": 0]),
        Case(
            "welcome back after two weeks, once a line on that day",
            since,
            [line("01T10:00"), line("15T10:00"), line("15T11:00"), line("16T10:00")],
            at: end,
            ["totalXP": 100, "metrics.away": 14]
        ),
        Case(
            "a day of activity itself does not count",
            since,
            [line("01T10:00"), line("01T11:00")],
            at: end,
            [
                "metrics.none": 2
            ]
        ),
        Case(
            "a repaired day counts from the next event",
            since,
            [
                line("01T10:00"),
                event("streak.repaired", "2026-02-20T10:00:00Z", ["date": "2026-02-18"]), line("20T11:00"),
            ],
            at: end,
            ["totalXP": 0, "metrics.away": 19]
        ),
        Case(
            "back from a journey, an earlier day",
            since,
            [line("01T10:00"), line("03T10:00"), event("line.spoken", "2026-02-03T11:00:00-12:00")],
            at: end,
            ["metrics.away": 2]
        ),
        Case(
            "each track by its own days",
            since,
            [line("01T10:00", language: "es"), line("10T10:00"), line("20T10:00", language: "es")],
            at: end,
            language: "es",
            ["metrics.away": 19]
        ),
    ]

    static let every: [Case] = [
        Case(
            "also unknown types and retractions",
            "metrics: {all: {count: '*'}, known: {count: '*', where: has(event.accuracy)}}",
            [
                line("01T10:00"), event("line.spoken", "2026-02-01T11:00:00Z", ["accuracy": 0.5]),
                event("something.new", "2026-02-01T12:00:00Z", ["accuracy": 1]),
                event("event.retracted", "2026-02-01T13:00:00Z", ["source": "app", "id": "none"]),
            ],
            at: end,
            ["metrics.all": 4, "metrics.known": 1]
        ),
        Case(
            "XP and runs",
            """
            metrics: {quiet: {run: '*', while: "event.type != 'error.detected'"}}
            xp:
              - {id: any, on: '*', award: 1}
              - {id: twice, on: line.spoken, award: earned}
            """,
            [line("01T10:00"), event("error.detected", "2026-02-01T11:00:00Z"), line("01T12:00")],
            at: end,
            ["xpBreakdown": ["any": 3, "twice": 2], "metrics.quiet": 1]
        ),
        Case(
            "words on events without a word",
            "metrics: {new: {count: '*', where: word.is_new}}",
            [event("word.added", "2026-02-01T10:00:00Z", ["word": "a"]), line("01T11:00")],
            at: end,
            ["metrics.new": 1]
        ),
    ]
}
