// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

/// Goals: targets that begin anew with each day or week.
@Suite struct GoalTests {
    @Test(arguments: completions + readings) func goals(row: Case) throws { try row.check() }

    private static func line(_ time: String, language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(time)", language: language)
    }

    private static let end = "2026-02-28T00:00:00Z"

    private static func goal(_ more: String, every: String = "day", value: String = "day.lines") -> String {
        """
        currencies: {gems: {}}
        metrics: {lines: {count: line.spoken}}
        goals: [{id: g, every: \(every), value: \(value), \(more)}]
        """
    }

    /// Three lines on Monday, two on Tuesday.
    private static let lines = [
        line("09T10:00:00Z"), line("09T10:01:00Z"), line("09T10:02:00Z"), line("10T10:00:00Z"), line("10T10:01:00Z"),
    ]

    static let completions = [
        Case(
            "once a day, with XP and gifts",
            goal("target: 2, xp: 10, gives: {gems: 3}"),
            lines,
            at: "2026-02-10T12:00:00Z",
            [
                "xpBreakdown": ["goals": 20], "balances.gems": 6, "goals.g.times": 2, "goals.g.progress": 1,
                "goals.g.completedAt": "2026-02-10T10:01:00.000Z", "goals.g.name": .null, "goals.g.every": "day",
            ]
        ),
        Case(
            "once a week",
            goal("target: 2", every: "week", value: "week.lines"),
            lines + [line("16T10:00:00Z")],
            at: "2026-02-16T12:00:00Z",
            ["goals.g.times": 1, "goals.g.value": 1, "goals.g.progress": 0.5, "goals.g.completedAt": .null]
        ),
        Case(
            "only where `when` is true",
            goal("target: 1, when: local.hour >= 11"),
            lines + [event("hint.used", "2026-02-10T11:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 1, "goals.g.completedAt": "2026-02-10T11:00:00.000Z"]
        ),
        Case(
            "only in its period",
            goal("target: 1, from: 2026-02-10"),
            lines,
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 1]
        ),
        Case("not listed outside its period", goal("target: 1, through: 2026-02-10"), lines, at: end, ["goals": []]),
        Case(
            "a target of one's own",
            "events: {learner.updated: {daily: number}}\n" + goal("target: 'default(learner.daily, 3)'"),
            [event("learner.updated", "2026-02-09T09:00:00Z", ["daily": 2])] + lines,
            at: "2026-02-10T12:00:00Z",
            ["goals.g.times": 2, "goals.g.target": 2]
        ),
        Case("a target not above 0 is never reached or listed", goal("target: 0"), lines, at: end, ["goals": []]),
        Case(
            "no day is completed twice by travelling",
            goal("target: 1"),
            [line("10T10:00:00+00:00"), line("10T10:30:00-12:00"), line("10T23:30:00-12:00")],
            at: "2026-02-11T12:00:00+00:00",
            ["goals.g.times": 1]
        ),
        Case(
            "nor an earlier day",
            goal("target: 1"),
            [line("10T00:30:00+02:00"), line("09T23:00:00Z"), line("10T01:00:00Z")],
            at: "2026-02-09T23:30:00-04:00",
            ["goals.g.times": 1, "goals.g.completedAt": .null, "goals.g.progress": 0]
        ),
        Case(
            "goals come before achievements in each pass, and read each other",
            """
            metrics: {lines: {count: line.spoken}}
            goals:
              - {id: twice, every: week, value: goals.once, target: 2, xp: 5}
              - {id: once, every: day, value: day.lines, target: 1, xp: 1}
            achievements: [{id: a, value: goals.twice, at_least: 1, xp: 100}]
            """,
            lines,
            at: "2026-02-10T12:00:00Z",
            [
                "xpBreakdown": ["goals": 7, "achievements": 100],
                "achievements.a.unlockedAt": "2026-02-10T10:00:00.000Z",
            ]
        ),
        Case(
            "XP goes to the overall track alone",
            goal("target: 1, xp: 10"),
            [line("09T10:00:00Z", language: "fr")],
            at: end,
            language: "fr",
            ["totalXP": 0]
        ),
        Case(
            "a language's achievement reads completions",
            goal("target: 2") + "\nachievements: [{id: a, value: goals.g, at_least: 1, scope: language}]",
            [line("09T10:00:00Z", language: "fr"), line("09T10:01:00Z", language: "fr")],
            at: end,
            language: "fr",
            ["achievements.a.unlockedAt": "2026-02-09T10:01:00.000Z"]
        ),
        Case(
            "a retraction takes the completion along",
            goal("target: 3, xp: 10, gives: {gems: 3}"),
            lines + [event("event.retracted", "2026-02-11T10:00:00Z", ["source": "app", "id": "e01"])],
            at: end,
            ["goals.g.times": 0, "totalXP": 0, "balances.gems": 0]
        ),
    ]

    static let readings = [
        Case("without events", goal("target: 2"), [], at: end, ["goals.g.value": 0, "goals.g.times": 0]),
        Case(
            "on a day without events",
            goal("target: 2"),
            lines,
            at: end,
            ["goals.g.value": 0, "goals.g.progress": 0, "goals.g.completedAt": .null, "goals.g.times": 2]
        ),
        Case(
            "balances as of the instant",
            "currencies: {hearts: {start: 5, hold: 5, refill: {every: 1h, by: 1}, "
                + "awards: [{id: slip, on: error.detected, award: -3}]}}\n"
                + "goals: [{id: g, every: day, value: balance.hearts, target: 10}]",
            [event("error.detected", "2026-02-09T10:00:00Z")],
            at: "2026-02-09T11:00:00Z",
            ["goals.g.value": 3]
        ),
        Case(
            "the streak and the date as of the instant",
            "streak: {when: event.type == 'line.spoken'}\ngoals:\n"
                + "  - {id: g, every: day, value: streak.current, target: 9}\n"
                + "  - {id: d, every: day, value: \"local.date == '2026-02-12' ? local.day : 0\", target: 99999}",
            lines,
            at: "2026-02-12T11:00:00Z",
            ["goals.g.value": 0, "goals.d.value": 20496]
        ),
    ]
}
