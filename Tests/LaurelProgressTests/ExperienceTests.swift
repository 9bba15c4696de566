// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@Suite struct ExperienceTests {
    @Test(
        arguments: ExperienceTests.awards + ExperienceTests.tracks + ExperienceTests.declared + ExperienceTests.session
    )
    func experience(row: Case) throws {
        try row.check()
    }

    @Test(
        "level and percent",
        arguments: [
            (-30, 1, 0), (0, 1, 0), (50, 1, 50), (99, 1, 99), (100, 2, 0), (200, 2, 50), (299, 2, 99.5), (300, 3, 0),
            (599, 3, 100.0 * 299 / 300), (600, 4, 0), (999, 4, 99.75), (1000, 5, 0), (1250, 5, 50),
        ] as [(Int, Int, Double)]
    )
    func level(experience: Int, level: Int, percent: Double) throws {
        let story = Story("", [event("xp.adjusted", "2026-02-05T10:00:00Z", ["amount": .count(experience)])])
        let progress = try #require(try story.progress(at: "2026-02-05T10:00:00Z"))
        #expect(progress.numbers.xp == Double(experience))
        #expect(progress.numbers.level == level)
        #expect(progress.numbers.levelProgressPercent == percent)
    }

    @Test func `a table of levels ends at 100 percent`() throws {
        for (amount, level, percent) in [(40, 2, 75.0), (50, 3, 100.0), (5000, 3, 100.0)] {
            let story = Story(
                "levels: {table: [0, 10, 50]}",
                [event("xp.adjusted", "2026-02-05T10:00:00Z", ["amount": .count(amount)])]
            )
            let progress = try #require(try story.progress(at: "2026-02-05T10:00:00Z"))
            #expect((progress.numbers.level, progress.numbers.levelProgressPercent) == (level, percent))
        }
    }

    private static func line(_ time: String, _ data: [String: JSONValue] = [:], language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(time):00Z", data, language: language)
    }

    private static func xp(_ rules: String...) -> String {
        "metrics: {lines: {count: line.spoken}}\nxp:\n" + rules.map { "  - {\($0)}\n" }.joined()
    }

    private static let end = "2026-02-28T00:00:00Z"

    static let awards: [Case] = [
        Case(
            "floored",
            xp(#"id: a, on: line.spoken, award: "7.9""#),
            [line("05T10:00"), line("05T10:01")],
            at: end,
            ["totalXP": 14, "xpBreakdown.a": 14]
        ),
        Case(
            "at most 2⁵³, and nothing where it is infinite",
            xp(#"id: a, on: line.spoken, award: "1e300""#, #"id: b, on: line.spoken, award: "1e300 * 1e300""#),
            [line("05T10:00")],
            at: end,
            ["totalXP": 9_007_199_254_740_992, "xpBreakdown.a": 9_007_199_254_740_992]
        ),
        Case(
            "a total stops at 2⁵³, and goes on from there",
            xp(#"id: a, on: line.spoken, award: "1e300""#),
            [line("05T10:00"), line("05T10:01"), event("xp.adjusted", "2026-02-05T11:00:00Z", ["amount": -30])],
            at: end,
            [
                "totalXP": 9_007_199_254_740_962,
                "xpBreakdown": ["a": 9_007_199_254_740_992, "adjustment": -30],
            ]
        ),
        Case(
            "never negative",
            xp(#"id: a, on: line.spoken, award: "-7""#),
            [line("05T10:00")],
            at: end,
            ["totalXP": 0]
        ),
        Case(
            "null is nothing",
            xp(#"id: a, on: line.spoken, award: "10 / event.errors""#),
            [line("05T10:00"), line("05T10:01", ["errors": 0]), line("05T10:02", ["errors": 2])],
            at: end,
            ["totalXP": 5]
        ),
        Case(
            "only when it holds",
            xp("id: a, on: line.spoken, when: event.accuracy > 0.5, award: 1"),
            [line("05T10:00"), line("05T10:01", ["accuracy": 0.5]), line("05T10:02", ["accuracy": 0.6])],
            at: end,
            ["totalXP": 1]
        ),
        Case(
            "a cap for the day",
            xp("id: a, on: line.spoken, award: 10, daily_cap: 25"),
            [line("05T10:00"), line("05T10:01"), line("05T10:02"), line("05T10:03"), line("06T10:00")],
            at: end,
            ["totalXP": 35]
        ),
        Case(
            "earned is what the rules above gave, after caps",
            xp(
                "id: a, on: line.spoken, award: 10, daily_cap: 15",
                "id: b, on: line.spoken, award: earned",
                "id: c, on: line.spoken, award: earned, when: earned > 15"
            ),
            [line("05T10:00"), line("05T10:01")],
            at: end,
            ["xpBreakdown.a": 15, "xpBreakdown.b": 15, "xpBreakdown.c": 20]
        ),
        Case(
            "rules see XP before the event",
            xp(#"id: a, on: line.spoken, award: "10 + total.xp""#),
            [line("05T10:00"), line("05T10:01"), line("05T10:02")],
            at: end,
            ["totalXP": 70]
        ),
        Case(
            "day.xp starts anew",
            xp(#"id: a, on: line.spoken, award: "10 + day.xp""#),
            [line("05T10:00"), line("05T10:01"), line("06T10:00")],
            at: end,
            ["totalXP": 40]
        ),
        Case(
            "the streak of this day is seen",
            "streak: {when: day.lines >= 1}\n" + xp("id: a, on: line.spoken, award: streak.current"),
            [line("05T10:00"), line("06T10:00"), line("07T10:00"), line("09T10:00")],
            at: end,
            ["totalXP": 7]
        ),
        Case(
            "rules share a bucket",
            xp("id: a, bucket: x, on: line.spoken, award: 1", "id: b, bucket: x, on: line.spoken, award: 2"),
            [line("05T10:00")],
            at: end,
            ["xpBreakdown": ["x": 3]]
        ),
        Case(
            "adjusted",
            xp("id: a, on: line.spoken, award: 10"),
            [line("05T10:00"), event("xp.adjusted", "2026-02-05T11:00:00Z", ["amount": -30])],
            at: end,
            [
                "totalXP": -20, "xpBreakdown": ["a": 10, "adjustment": -30], "currentLevel": 1,
                "levelProgressPercent": 0,
            ]
        ),
    ]

    static let tracks: [Case] = [
        Case(
            "credited to the language",
            xp("id: a, on: line.spoken, award: 10"),
            [line("05T10:00", language: "es"), line("05T10:01", language: "pt"), line("05T10:02")],
            at: end,
            language: "es",
            ["totalXP": 10, "language": "es"]
        ),
        Case(
            "computed in the overall track",
            xp("id: a, on: line.spoken, award: 10 * total.lines"),
            [line("05T10:00", language: "es"), line("05T10:01", language: "pt")],
            at: end,
            language: "pt",
            ["totalXP": 20, "metrics.lines": 1]
        ),
        Case(
            "capped over all languages",
            xp("id: a, on: line.spoken, award: 10, daily_cap: 15"),
            [line("05T10:00", language: "es"), line("05T10:01", language: "pt")],
            at: end,
            language: "pt",
            ["totalXP": 5]
        ),
        Case(
            "this week's",
            xp("id: a, on: line.spoken, award: 10"),
            [line("08T23:00"), line("09T01:00"), line("15T23:59")],
            at: "2026-02-15T23:59:59Z",
            ["weeklyXP": 20, "totalXP": 30]
        ),
        Case(
            "the week of the offset written in `at`",
            xp("id: a, on: line.spoken, award: 10"),
            [line("08T20:00"), line("08T23:00")],
            at: "2026-02-09T01:00:00+01:30",
            ["weeklyXP": 0, "totalXP": 20]
        ),
        Case(
            "the week by the latest event's offset",
            xp("id: a, on: line.spoken, award: 10"),
            [event("line.spoken", "2026-02-08T21:00:00-02:00")],
            at: "2026-02-09T01:00:00Z",
            ["weeklyXP": 10]
        ),
    ]

    private static func declared(_ time: String, _ total: Int, language: String? = nil) -> Event {
        event("xp.declared", "2026-02-\(time):00Z", ["total": .count(total)], language: language)
    }

    private static let ten = xp("id: a, on: line.spoken, award: 10")

    static let declared: [Case] = [
        Case(
            "what is lacking is added",
            ten,
            [line("05T10:00"), declared("05T11:00", 100), line("05T12:00")],
            at: end,
            ["totalXP": 110, "xpBreakdown": ["a": 20, "adjustment": 90]]
        ),
        Case(
            "as much as there is adds nothing",
            ten,
            [line("05T10:00"), declared("05T11:00", 10)],
            at: end,
            ["totalXP": 10]
        ),
        Case(
            "less than there is takes nothing",
            ten,
            [line("05T10:00"), declared("05T11:00", 3)],
            at: end,
            ["totalXP": 10]
        ),
        Case("twice is once", ten, [declared("05T11:00", 50), declared("05T11:01", 50)], at: end, ["totalXP": 50]),
        Case(
            "a late event is part of the total",
            ten,
            [declared("05T11:00", 50), line("05T10:00")],
            at: end,
            ["xpBreakdown": ["a": 10, "adjustment": 40]]
        ),
        Case(
            "after the XP rules",
            xp("id: a, on: xp.declared, award: 30"),
            [declared("05T11:00", 50)],
            at: end,
            ["xpBreakdown": ["a": 30, "adjustment": 20]]
        ),
        Case(
            "the rules see the total, and XP before it",
            xp(#"id: a, on: xp.declared, award: "total.xp + event.total""#),
            [declared("05T11:00", 50)],
            at: end,
            ["xpBreakdown": ["a": 50]]
        ),
        Case(
            "more than negative XP",
            ten,
            [event("xp.adjusted", "2026-02-05T10:00:00Z", ["amount": -30]), declared("05T11:00", 20)],
            at: end,
            ["totalXP": 20, "xpBreakdown": ["adjustment": 20]]
        ),
        Case(
            "a language's own",
            ten,
            [
                line("05T10:00", language: "es"), line("05T10:01", language: "pt"),
                declared("05T11:00", 50, language: "es"),
            ],
            at: end,
            language: "es",
            ["totalXP": 50, "xpBreakdown": ["a": 10, "adjustment": 40]]
        ),
        Case(
            "a language's is credited to both",
            ten,
            [
                line("05T10:00", language: "es"), line("05T10:01", language: "pt"),
                declared("05T11:00", 50, language: "es"),
            ],
            at: end,
            ["totalXP": 60, "xpBreakdown": ["a": 20, "adjustment": 40]]
        ),
        Case(
            "a language's, though the whole has more",
            ten,
            [declared("05T10:00", 500), declared("05T11:00", 50, language: "es")],
            at: end,
            ["totalXP": 550]
        ),
        Case(
            "the languages first, then the whole",
            ten,
            [declared("05T10:00", 50, language: "es"), declared("05T11:00", 80)],
            at: end,
            ["totalXP": 80]
        ),
        Case(
            "the whole's is no language's",
            ten,
            [line("05T10:00", language: "es"), declared("05T11:00", 80)],
            at: end,
            language: "es",
            ["totalXP": 10]
        ),
        Case(
            "a language met for the first time",
            ten,
            [line("05T10:00", language: "es"), declared("05T11:00", 80, language: "pt")],
            at: end,
            language: "pt",
            ["totalXP": 80, "weeklyXP": 0]
        ),
    ]

    /// The XP of the seed SDK for a session: 50, 10 per new word, up to 30 for accuracy, 25 and 10 per help together,
    /// and up to half as much again for the streak.
    private static let seed = """
        metrics:
          lines: {count: line.spoken}
          errors: {sum: "default(event.errors, 0)", on: line.spoken}
          new_words: {count: word.added, where: word.is_new}
          helps: {count: help.given}
        streak: {when: day.lines >= 1}
        xp:
          - {id: dialogCompletion, on: session.ended, award: 50}
          - {id: vocabularyBonus, on: session.ended, award: 10 * session.new_words}
          - {id: accuracyBonus, on: session.ended, award: (1 - session.errors / session.lines) * 30}
          - {id: collaborationBonus, on: session.ended, when: "event.mode in ['host', 'client']", award: 25 + 10 * session.helps}
          - {id: streakBonus, on: session.ended, award: "earned * min(streak.current * 0.05, 0.5)"}
        """

    private static func practice(_ mode: JSONValue, days: ClosedRange<Int>) -> [Event] {
        let streak = days.dropLast().map { line("\($0 < 10 ? "0" : "")\($0)T09:00") }
        let day = "2026-02-\(days.upperBound < 10 ? "0" : "")\(days.upperBound)T10:"
        let lines = (0..<10).map { event("line.spoken", "\(day)0\($0):00Z", ["errors": $0 < 2 ? 1 : 0], session: "s") }
        let words = ["sol", "mar", "pan", "sol"].enumerated().map { index, word in
            event("word.added", "\(day)1\(index):00Z", ["word": .string(word)], session: "s")
        }
        return streak + lines + words + [
            event("help.given", "\(day)20:00Z", session: "s"),
            event("session.ended", "\(day)30:00Z", ["mode": mode], session: "s"),
        ]
    }

    static let session: [Case] = [
        Case(
            "the seed's session alone",
            seed,
            practice("solo", days: 5...5),
            at: end,
            ["xpBreakdown": ["dialogCompletion": 50, "vocabularyBonus": 30, "accuracyBonus": 24, "streakBonus": 5]]
        ),
        Case(
            "the seed's session together, on the fourth day",
            seed,
            practice("host", days: 5...8),
            at: end,
            [
                "xpBreakdown": [
                    "dialogCompletion": 50, "vocabularyBonus": 30, "accuracyBonus": 24, "collaborationBonus": 35,
                    "streakBonus": 27,
                ], "totalXP": 166,
            ]
        ),
        Case(
            "the seed's streak bonus ends at half",
            seed,
            practice("host", days: 5...20),
            at: end,
            ["xpBreakdown.streakBonus": 69]
        ),
    ]
}
