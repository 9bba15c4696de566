// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Further stories of ``VersionTests``.
extension VersionTests {
    static let xp = [
        row(
            "buckets and days stay, also under rules that name them no more",
            "xp: [{id: old, on: line.spoken, award: 5}]",
            ("2026-02-10", "xp: [{id: new, on: line.spoken, award: 7}]"),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            at: "2026-02-10T12:00:00Z",
            ["xpBreakdown": ["old": 5, "new": 7], "weeklyXP": 12]
        ),
        row(
            "what a cap has used stays used",
            "xp: [{id: a, on: line.spoken, award: 8, daily_cap: 10}]",
            (
                "2026-02-10",
                "calendar: {day_starts_at: '00:00'}\nxp: [{id: a, on: line.spoken, award: 8, daily_cap: 12}]"
            ),
            // The western day is still the 9th when an eastern event brings the new version into force.
            events: [line("09T23:00:00+00:00"), line("10T00:00:30+00:30"), line("10T00:30:00+00:30")],
            ["totalXP": 20]
        ),
        row(
            "a level by the new curve",
            ten + "\nlevels: {table: [0, 10, 20]}",
            ("2026-02-10", ten + "\nlevels: {table: [0, 100, 200]}"),
            events: [line("08T10:00:00Z"), line("09T10:00:00Z"), line("10T10:00:00Z")],
            ["currentLevel": 1, "levelProgressPercent": 30]
        ),
        row(
            "in each track",
            one,
            ("2026-02-10", ten),
            events: [line("09T10:00:00Z", language: "es"), line("10T10:00:00Z", language: "pt")],
            language: "es",
            ["totalXP": 1, "rules.from": "2026-02-10"]
        ),
    ]

    static func goal(_ rule: String) -> String {
        "metrics: {lines: {count: line.spoken}}\nachievements: [{id: g, \(rule)}]"
    }

    static func by(_ kind: String, _ time: String) -> Event {
        event("achievement.\(kind)", "2026-02-\(time)", ["achievement": "g"])
    }

    static let achievements = [
        row(
            "the times of all tiers stay, the first of them are shown",
            goal("value: total.lines, at_least: [1, 2, 3]"),
            ("2026-02-10", goal("value: total.lines, at_least: [1, 50]")),
            events: [line("01T10:00:00Z"), line("02T10:00:00Z"), line("03T10:00:00Z"), line("11T10:00:00Z")],
            [
                "achievements.g.tier": 2, "achievements.g.tiers": 2,
                "achievements.g.unlockedAt": "2026-02-02T10:00:00.000Z",
            ]
        ),
        row(
            "and come back with more tiers",
            goal("value: total.lines, at_least: [1, 2, 3]"),
            ("2026-02-10", goal("value: total.lines, at_least: 1")),
            ("2026-02-12", goal("value: total.lines, at_least: [100, 200, 300, 400]")),
            events: [line("01T10:00:00Z"), line("02T10:00:00Z"), line("03T10:00:00Z"), line("13T10:00:00Z")],
            ["achievements.g.tier": 3, "achievements.g.unlockedAt": "2026-02-03T10:00:00.000Z"]
        ),
        row(
            "the best stays where it is measured alike",
            goal("value: total.lines, at_least: 10"),
            ("2026-02-10", goal("value: total.lines, when: event.type == 'x', at_least: 4")),
            events: [line("01T10:00:00Z"), line("02T10:00:00Z"), line("11T10:00:00Z")],
            ["achievements.g.progress": 0]
        ),
        row(
            "with other thresholds it is measured alike",
            goal("value: day.lines, at_least: 10"),
            ("2026-02-10", goal("value: day.lines, at_least: 4")),
            events: [line("01T10:00:00Z"), line("01T11:00:00Z"), line("11T10:00:00Z")],
            ["achievements.g.progress": 0.5]
        ),
        row(
            "another scope is another achievement",
            goal("value: total.lines, at_least: 1"),
            ("2026-02-10", goal("value: total.lines, at_least: 100, scope: language")),
            events: [line("01T10:00:00Z", language: "es"), line("11T10:00:00Z", language: "es")],
            language: "es",
            ["achievements.g.tier": 0]
        ),
        row(
            "revoked stays revoked, and what was given is taken back",
            goal("value: total.lines, at_least: 1, xp: 50"),
            ("2026-02-10", goal("value: total.lines, at_least: 1, xp: 7")),
            events: [line("01T10:00:00Z"), by("revoked", "11T10:00:00Z"), line("12T10:00:00Z")],
            ["totalXP": 0, "achievements.g.tier": 0]
        ),
        row(
            "rewards given stay",
            goal("value: total.lines, at_least: 1, xp: 50"),
            ("2026-02-10", one),
            events: [line("01T10:00:00Z"), line("12T10:00:00Z")],
            ["totalXP": 51]
        ),
        row(
            "a threshold that was reached before unlocks with the next event",
            goal("value: total.lines, at_least: 10"),
            ("2026-02-10", goal("value: total.lines, at_least: 2")),
            events: [line("01T10:00:00Z"), line("02T10:00:00Z"), event("hint.used", "2026-02-11T10:00:00Z")],
            ["achievements.g.tier": 1, "achievements.g.unlockedAt": "2026-02-11T10:00:00.000Z"]
        ),
    ]

    static let sm2 = "mastery: {scheduler: sm2}"
    static let fsrs = "mastery: {scheduler: fsrs}"

    static func review(_ time: String, _ word: String = "sol") -> Event {
        event("review.graded", "2026-02-\(time)", ["word": .string(word), "grade": "good"])
    }

    static let words = [
        row(
            "from sm2 to fsrs the mastery follows from the interval",
            sm2,
            ("2026-02-20", fsrs),
            events: [review("01T10:00:00Z"), review("03T10:00:00Z"), review("08T10:00:00Z"), line("21T10:00:00Z")],
            ["vocabulary.reviewing": 1, "totalWordsKnown": 1]
        ),
        row(
            "a word that was only met has none",
            sm2,
            ("2026-02-20", fsrs),
            events: [event("word.added", "2026-02-01T10:00:00Z", ["word": "mar"]), line("21T10:00:00Z")],
            ["vocabulary.new": 1]
        ),
        row(
            "from fsrs to sm2 the mastery stays",
            fsrs,
            ("2026-02-20", sm2),
            events: [review("01T10:00:00Z"), review("03T10:00:00Z"), review("14T10:00:00Z"), line("21T10:00:00Z")],
            ["totalWordsLearned": 1, "totalWordsKnown": 1]
        ),
        row(
            "learned by the new threshold",
            "mastery: {learned_at: 1}",
            ("2026-02-20", "mastery: {learned_at: 4}"),
            events: [review("01T10:00:00Z"), line("21T10:00:00Z")],
            ["totalWordsLearned": 0, "totalWordsKnown": 1]
        ),
        row(
            "what was told of a word before anybody asked",
            "",
            ("2026-02-20", "metrics: {suns: {count: review.graded, where: word.text == 'sol'}}"),
            events: [
                event("word.added", "2026-02-01T10:00:00Z", ["word": "w1", "text": "sol"]),
                review("21T10:00:00Z", "w1"),
            ],
            ["metrics.suns": 1]
        ),
    ]

    static func streak(_ more: String) -> String {
        "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 1\(more)}"
    }

    static func lines(_ days: Int...) -> [Event] { days.map { line(($0 < 10 ? "0" : "") + "\($0)T10:00:00Z") } }

    static let streaks = [
        row(
            "rest days of the version of each day",
            streak(""),
            ("2026-02-10", streak(", rest_days: [wednesday]")),
            // The 4th and the 11th are Wednesdays.
            events: lines(3, 5, 9, 10, 12),
            ["longestStreak": 3]
        ),
        row(
            "freezes held are not taken away by a smaller hold",
            streak(", freezes: {earn_every: 1, hold: 5}"),
            ("2026-02-05", streak(", freezes: {earn_every: 1, hold: 1}")),
            events: lines(1, 2, 3, 4, 5),
            at: "2026-02-05T12:00:00Z",
            ["streakFreezes": 4]
        ),
        row(
            "days that were active stay so",
            streak(""),
            ("2026-02-03", "metrics: {lines: {count: line.spoken}}\nstreak: {when: day.lines >= 2}"),
            events: lines(1, 2, 3),
            at: "2026-02-03T12:00:00Z",
            ["currentStreak": 2, "lastActivityDate": "2026-02-02"]
        ),
        row(
            "mended under a version without a streak",
            "",
            ("2026-02-10", streak("")),
            events: [event("streak.repaired", "2026-02-09T10:00:00Z", ["date": "2026-02-09"])] + lines(10),
            at: "2026-02-10T12:00:00Z",
            ["currentStreak": 2]
        ),
        row(
            "none under a version that has none",
            streak(""),
            ("2026-02-10", one),
            events: lines(9, 10),
            at: "2026-02-10T12:00:00Z",
            ["currentStreak": 0, "lastActivityDate": nil]
        ),
    ]

    static let readings = [
        row(
            "as of an instant, in the version of the last event",
            "metrics: {lines: {count: line.spoken}}",
            ("2026-02-10", "metrics: {others: {count: line.spoken}}"),
            events: lines(9),
            ["metrics": ["lines": 1], "rules.from": nil]
        ),
        row(
            "achievements of the version of the instant are listed, locked",
            goal("value: total.lines, at_least: 1"),
            (
                "2026-02-10",
                "achievements: [{id: h, value: level, at_least: 1}, {id: x, value: level, at_least: 1, hidden: true}]"
            ),
            events: lines(9),
            ["achievements.g.tier": 1, "achievements.h.tier": 0, "achievements.h.progress": 0, "achievements.x": nil]
        ),
        row(
            "not before it begins there",
            goal("value: total.lines, at_least: 1"),
            ("2026-02-10", "achievements: [{id: h, value: level, at_least: 1}]"),
            events: lines(9),
            at: "2026-02-09T23:00:00-02:00",
            ["achievements.g.tier": 1, "achievements.h": nil]
        ),
        row(
            "without events, in the version of the instant",
            "metrics: {lines: {count: line.spoken}}",
            ("2026-02-10", "metrics: {others: {count: line.spoken}}"),
            events: lines(27),
            at: "2026-02-11T00:00:00Z",
            ["metrics": ["others": 0], "events": 0]
        ),
    ]
}
