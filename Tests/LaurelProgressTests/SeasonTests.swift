// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// The window of a season, and the season's name.
@Suite struct SeasonTests {
    @Test(arguments: SeasonTests.cases) func seasons(row: Case) throws { try row.check() }

    /// Spring is from the 10th to the 19th, summer from the 20th to the 24th.
    private static func rules(_ rest: String) -> String {
        """
        seasons:
          - {name: spring, from: 2026-02-10, through: 2026-02-19}
          - {name: summer, from: 2026-02-20, through: 2026-02-24}
        \(rest)
        """
    }

    private static let counted = rules(
        """
        metrics:
          lines: {count: line.spoken}
          words: {distinct: event.word, on: word.added}
          best: {max: event.accuracy, on: line.spoken}
          seen: {max: season.lines, on: line.spoken}
        xp: [{id: line, on: line.spoken, award: 10 + season.xp}]
        achievements: [{id: fan, value: season.words + season.lines + season.best, at_least: 4}]
        """
    )

    private static func line(_ day: Int, _ time: String = "10:00:00Z", language: String? = nil) -> Event {
        event(
            "line.spoken",
            "2026-02-\(day < 10 ? "0\(day)" : "\(day)")T\(time)",
            ["accuracy": 0.5],
            language: language
        )
    }

    private static func at(_ day: Int) -> String { "2026-02-\(day)T12:00:00Z" }

    static let cases: [Case] = [
        Case(
            "what happened on days of the season",
            counted,
            [line(9), line(10), line(19)],
            at: at(19),
            ["season": ["lines": 2, "words": 0, "best": 0.5, "xp": 30], "metrics.seen": 2, "totalXP": 40]
        ),
        Case(
            "from zero in the next season",
            counted,
            [line(18), line(19), line(20)],
            at: at(20),
            ["season": ["lines": 1, "words": 0, "best": 0.5, "xp": 10], "totalXP": 40]
        ),
        Case(
            "zero in no season, where nothing is counted",
            counted,
            [line(24), line(25), line(26)],
            at: at(26),
            ["season": ["lines": 0, "words": 0, "best": 0, "xp": 0], "metrics.seen": 1, "totalXP": 30]
        ),
        Case(
            "as of a day in another season",
            counted,
            [line(18)],
            at: at(20),
            ["season": ["lines": 0, "words": 0, "best": 0, "xp": 0]]
        ),
        Case(
            "a day in no season does not end one, only an event does",
            counted,
            [line(18), line(19)],
            at: at(19),
            ["season.lines": 2]
        ),
        Case(
            "a journey into another season and back begins from zero",
            counted,
            // The second event's local day is the 19th.
            [line(20), line(19, "23:30:00-11:00"), line(20, "12:00:00Z")],
            at: at(20),
            ["season.lines": 1, "totalXP": 30]
        ),
        Case(
            "keys and achievements",
            counted,
            [
                line(11),
                event("word.added", "2026-02-11T11:00:00Z", ["word": "a"]),
                event("word.added", "2026-02-11T12:00:00Z", ["word": "b"]),
                event("word.added", "2026-02-11T13:00:00Z", ["word": "b"]), line(12),
            ],
            at: at(12),
            ["season.words": 2, "achievements.fan.tier": 1]
        ),
        Case(
            "in each track, and in sessions",
            counted,
            [
                event("line.spoken", "2026-02-11T10:00:00Z", ["accuracy": 1], language: "es", session: "s"), line(12),
                line(13, language: "es"),
            ],
            at: at(13),
            language: "es",
            ["season": ["lines": 2, "words": 0, "best": 1, "xp": 50]]
        ),
        Case(
            "the name",
            rules(
                """
                metrics:
                  spring: {count: line.spoken, where: season.name == 'spring'}
                  none: {count: line.spoken, where: season.name == null}
                """
            ),
            [line(9), line(10), line(19), line(20), line(25)],
            at: at(25),
            ["metrics.spring": 2, "metrics.none": 2]
        ),
    ]

    @Test func `rules without seasons list none`() throws {
        let progress = try #require(try Story("name: none", [Self.line(11)]).progress(at: Self.at(12)))
        guard case .object(let members) = publicJSON(of: progress) else { throw Missing() }
        #expect(members["season"] == nil)
    }

    private struct Missing: Error {}
}
