// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct AchievementTests {
    @Test(arguments: AchievementTests.unlocking + AchievementTests.languages + AchievementTests.decisions)
    func achievements(row: Case) throws {
        try row.check()
    }

    private static func rules(_ achievements: String...) -> String {
        """
        metrics:
          lines: {count: line.spoken}
          words: {sum: event.words, on: line.spoken}
          good: {run: line.spoken, while: event.accuracy == 1}
        achievements:
        """ + achievements.map { "\n  - {\($0)}" }.joined() + "\n"
    }

    private static func line(_ minute: Int, _ data: [String: JSONValue] = [:], language: String? = nil) -> Event {
        event("line.spoken", time(minute), data, language: language)
    }

    private static func decision(_ what: String, _ minute: Int, _ id: JSONValue = "a", language: String? = nil) -> Event
    {
        event("achievement." + what, time(minute), ["achievement": id], language: language)
    }

    private static func time(_ minute: Int) -> String { "2026-02-05T10:0\(minute):00Z" }
    private static func unlocked(_ minute: Int) -> JSONValue { .string("2026-02-05T10:0\(minute):00.000Z") }

    private static let end = "2026-02-06T00:00:00Z"
    private static let tiers = "id: a, value: total.words, at_least: [1, 3, 5], xp: 10"

    static let unlocking: [Case] = [
        Case(
            "not yet",
            rules("id: a, value: total.lines, at_least: 4"),
            [line(0)],
            at: end,
            ["achievements": [["id": "a", "name": "a", "tier": 0, "tiers": 1, "unlockedAt": nil, "progress": 0.25]]]
        ),
        Case(
            "at the event that reaches it",
            rules("id: a, value: total.lines, at_least: 2"),
            [line(0), line(1), line(2)],
            at: end,
            [
                "achievements": [
                    ["id": "a", "name": "a", "tier": 1, "tiers": 1, "unlockedAt": unlocked(1), "progress": 1]
                ]
            ]
        ),
        Case(
            "two tiers at once",
            rules(tiers),
            [line(0, ["words": 4])],
            at: end,
            [
                "achievements": [
                    ["id": "a", "name": "a", "tier": 2, "tiers": 3, "unlockedAt": unlocked(0), "progress": 0.8]
                ],
                "xpBreakdown": ["achievements": 20],
            ]
        ),
        Case(
            "all tiers at once",
            rules(tiers),
            [line(0, ["words": 40])],
            at: end,
            ["achievements.a.tier": 3, "achievements.a.progress": 1, "totalXP": 30]
        ),
        Case(
            "it stays whatever comes",
            rules("id: a, value: total.good, at_least: 2"),
            [line(0, ["accuracy": 1]), line(1, ["accuracy": 1]), line(2, ["accuracy": 0])],
            at: end,
            ["achievements.a.tier": 1, "achievements.a.unlockedAt": unlocked(1)]
        ),
        Case(
            "the best value counts for progress",
            rules("id: a, value: total.good, at_least: 4"),
            [line(0, ["accuracy": 1]), line(1, ["accuracy": 1]), line(2, ["accuracy": 0]), line(3, ["accuracy": 1])],
            at: end,
            ["achievements.a.tier": 0, "achievements.a.progress": 0.5]
        ),
        Case(
            "only while `when` holds",
            rules("id: a, value: total.words, at_least: 8, when: event.accuracy == 1"),
            [line(0, ["words": 2, "accuracy": 1]), line(1, ["words": 4, "accuracy": 0])],
            at: end,
            ["achievements.a.progress": 0.25]
        ),
        Case(
            "unlocked later, when `when` holds",
            rules("id: a, value: total.words, at_least: 2, when: event.accuracy == 1"),
            [line(0, ["words": 2]), line(1), line(2, ["accuracy": 1])],
            at: end,
            ["achievements.a.unlockedAt": unlocked(2)]
        ),
        Case(
            "what it requires must be fully unlocked",
            rules(tiers, "id: b, value: total.lines, at_least: 1, requires: [a]"),
            [line(0, ["words": 4]), line(1), line(2, ["words": 1])],
            at: end,
            ["achievements.b.tier": 1, "achievements.b.unlockedAt": unlocked(2)]
        ),
        Case(
            "a requirement further down unlocks it in the next pass",
            rules("id: b, value: total.lines, at_least: 1, requires: [a]", "id: a, value: total.lines, at_least: 1"),
            [line(0)],
            at: end,
            ["achievements.b.unlockedAt": unlocked(0)]
        ),
        Case(
            "a reward unlocks others at once",
            rules("id: rich, value: total.xp, at_least: 10", "id: a, value: total.lines, at_least: 1, xp: 10"),
            [line(0)],
            at: end,
            ["achievements.rich.unlockedAt": unlocked(0), "totalXP": 10]
        ),
        Case(
            "hidden until unlocked",
            rules("id: a, value: total.lines, at_least: 2, hidden: true"),
            [line(0)],
            at: end,
            ["achievements": []]
        ),
        Case(
            "hidden no more",
            rules("id: a, value: total.lines, at_least: 2, hidden: true"),
            [line(0), line(1)],
            at: end,
            ["achievements.a.tier": 1]
        ),
        Case(
            "as of an instant",
            rules("id: a, value: total.lines, at_least: 2"),
            [line(0), line(1)],
            at: time(0),
            ["achievements.a.tier": 0, "achievements.a.progress": 0.5]
        ),
    ]

    private static let perLanguage = "id: l, value: total.lines, at_least: 2, scope: language, xp: 10"

    static let languages: [Case] = [
        Case(
            "not in the overall track",
            rules(perLanguage),
            [line(0, language: "es"), line(1, language: "es")],
            at: end,
            ["achievements": [], "totalXP": 10]
        ),
        Case(
            "in its language",
            rules(perLanguage),
            [line(0, language: "es"), line(1, language: "es")],
            at: end,
            language: "es",
            ["achievements.l.tier": 1, "totalXP": 10]
        ),
        Case(
            "in no other",
            rules(perLanguage),
            [line(0, language: "es"), line(1, language: "es"), line(2, language: "pt"), line(3)],
            at: end,
            language: "pt",
            ["achievements.l.tier": 0, "achievements.l.progress": 0.5, "totalXP": 0]
        ),
        Case(
            "overall ones are not in a language",
            rules(tiers),
            [line(0, ["words": 4], language: "es")],
            at: end,
            language: "es",
            ["achievements": [], "totalXP": 0]
        ),
        Case(
            "the overall track sees its reward from the next event on",
            rules(perLanguage, "id: rich, value: total.xp, at_least: 10"),
            [line(0, language: "es"), line(1, language: "es"), line(2)],
            at: end,
            ["achievements.rich.unlockedAt": unlocked(2)]
        ),
        Case(
            "requires an overall one",
            rules("id: o, value: total.lines, at_least: 3", perLanguage + ", requires: [o]"),
            [line(0, language: "es"), line(1, language: "es"), line(2, language: "es")],
            at: end,
            language: "es",
            ["achievements.l.unlockedAt": unlocked(2)]
        ),
    ]

    static let decisions: [Case] = [
        Case(
            "granted",
            rules(tiers),
            [decision("granted", 0)],
            at: end,
            ["achievements.a.tier": 3, "achievements.a.unlockedAt": unlocked(0), "totalXP": 30]
        ),
        Case(
            "granted what is left",
            rules(tiers),
            [line(0, ["words": 1]), decision("granted", 1)],
            at: end,
            ["achievements.a.tier": 3, "achievements.a.unlockedAt": unlocked(1), "totalXP": 30]
        ),
        Case(
            "granted twice",
            rules(tiers),
            [decision("granted", 0), decision("granted", 1)],
            at: end,
            ["achievements.a.unlockedAt": unlocked(0), "totalXP": 30]
        ),
        Case(
            "revoked, and kept locked",
            rules(tiers),
            [line(0, ["words": 4]), decision("revoked", 1), line(2, ["words": 9])],
            at: end,
            [
                "achievements": [["id": "a", "name": "a", "tier": 0, "tiers": 3, "unlockedAt": nil, "progress": 0]],
                "totalXP": 0, "xpBreakdown": [:],
            ]
        ),
        Case(
            "revoked before it was unlocked",
            rules(tiers),
            [decision("revoked", 0), line(1, ["words": 9])],
            at: end,
            ["achievements.a.tier": 0, "achievements.a.progress": 0]
        ),
        Case(
            "granted after it was revoked",
            rules(tiers),
            [line(0, ["words": 4]), decision("revoked", 1), decision("granted", 2)],
            at: end,
            ["achievements.a.tier": 3, "achievements.a.unlockedAt": unlocked(2), "totalXP": 30]
        ),
        Case(
            "what a revoked one let unlock stays",
            rules(tiers, "id: b, value: total.lines, at_least: 1, requires: [a]"),
            [decision("granted", 0), line(1), decision("revoked", 2)],
            at: end,
            ["achievements.a.tier": 0, "achievements.b.tier": 1]
        ),
        Case(
            "an unknown one",
            rules(tiers),
            [decision("granted", 0, "z"), decision("revoked", 1, "z")],
            at: end,
            ["achievements.a.tier": 0, "events": 2]
        ),
        Case(
            "granted in its language",
            rules(perLanguage),
            [decision("granted", 0, "l", language: "es")],
            at: end,
            language: "es",
            ["achievements.l.tier": 1, "totalXP": 10]
        ),
        Case(
            "of a language, granted without one",
            rules(perLanguage),
            [line(0, language: "es"), decision("granted", 1, "l")],
            at: end,
            language: "es",
            ["achievements.l.tier": 0, "totalXP": 0]
        ),
    ]
}
