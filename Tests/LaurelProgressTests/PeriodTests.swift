// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Rules that act on some days only.
@Suite struct PeriodTests {
    @Test(arguments: awards + achievements) func periods(row: Case) throws { try row.check() }

    private static func line(_ time: String) -> Event { event("line.spoken", "2026-02-\(time)") }

    private static let end = "2026-02-28T00:00:00Z"

    private static func xp(_ more: String) -> String { "xp: [{id: a, on: line.spoken, award: 10, \(more)}]" }

    private static let days = [line("09T10:00:00Z"), line("10T10:00:00Z"), line("11T10:00:00Z"), line("12T10:00:00Z")]

    static let awards = [
        Case("from a day on", xp("from: 2026-02-11"), days, at: end, ["totalXP": 20]),
        Case("through a day", xp("through: 2026-02-11"), days, at: end, ["totalXP": 30]),
        Case("both days included", xp("from: 2026-02-10, through: 2026-02-11"), days, at: end, ["totalXP": 20]),
        Case(
            "on the learner's own clock",
            xp("from: 2026-02-10, through: 2026-02-10"),
            [line("09T23:30:00-02:00"), line("10T23:30:00-02:00"), line("10T00:30:00+02:00")],
            at: end,
            ["totalXP": 20]
        ),
        Case(
            "by the start of the day",
            "calendar: {day_starts_at: '04:00'}\n" + xp("from: 2026-02-10"),
            [line("10T03:59:00Z"), line("10T04:00:00Z")],
            at: end,
            ["totalXP": 10]
        ),
        Case(
            "earned sees nothing of it",
            "xp: [{id: a, on: line.spoken, award: 10, through: 2026-02-09}, {id: b, on: line.spoken, award: earned}]",
            days,
            at: end,
            ["xpBreakdown": ["a": 10, "b": 10]]
        ),
    ]

    private static func goal(_ more: String) -> String {
        "metrics: {lines: {count: line.spoken}}\nachievements: [{id: g, value: total.lines, \(more)}]"
    }

    static let achievements = [
        Case(
            "unlocked on the first day of the period, though nothing else changes then",
            goal("at_least: 2, from: 2026-02-12"),
            days.dropLast() + [event("hint.used", "2026-02-12T10:00:00Z")],
            at: end,
            ["achievements.g.tier": 1, "achievements.g.unlockedAt": "2026-02-12T10:00:00.000Z"]
        ),
        Case(
            "not after it, and no best is noted",
            goal("at_least: 4, through: 2026-02-10"),
            days,
            at: end,
            ["achievements.g.tier": 0, "achievements.g.progress": 0.5]
        ),
        Case(
            "what was unlocked stays",
            goal("at_least: 1, through: 2026-02-09"),
            days,
            at: end,
            ["achievements.g.tier": 1]
        ),
        Case(
            "granted and revoked at any time",
            goal("at_least: 1, xp: 5, through: 2026-02-01"),
            days + [event("achievement.granted", "2026-02-13T10:00:00Z", ["achievement": "g"])],
            at: end,
            ["achievements.g.tier": 1, "totalXP": 5]
        ),
    ]
}
