// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Variants of experiments in the fold. The learner `ana` has the share 0.8145 under the seed `x`.
@Suite struct ExperimentTests {
    @Test(arguments: ExperimentTests.cases) func experiments(row: Case) throws { try row.check() }

    private static func rules(_ period: String = "", shares: String = "{low: 50, high: 50}") -> String {
        """
        experiments: {x: {variants: \(shares)\(period)}}
        xp:
          - {id: low, on: line.spoken, when: experiment.x == 'low', award: 1}
          - {id: high, on: line.spoken, when: experiment.x == 'high', award: 10}
          - {id: none, on: line.spoken, when: experiment.x == null, award: 100}
        """
    }

    private static func line(_ day: String, language: String? = nil) -> Event {
        event("line.spoken", "2026-02-\(day)T10:00:00Z", language: language)
    }

    static let cases: [Case] = [
        Case(
            "always",
            rules(),
            [line("01"), line("02")],
            at: "2026-02-28T12:00:00Z",
            ["totalXP": 20, "experiments": ["x": "high"]]
        ),
        Case(
            "in its period only",
            rules(", from: 2026-02-02, through: 2026-02-03"),
            [line("01"), line("02"), line("03"), line("04")],
            at: "2026-02-03T12:00:00Z",
            ["totalXP": 120, "experiments": ["x": "high"]]
        ),
        Case(
            "outside its period nothing is listed",
            rules(", from: 2026-02-02, through: 2026-02-03"),
            [line("02")],
            at: "2026-02-04T12:00:00Z",
            ["experiments": [:]]
        ),
        Case(
            "a learner without a variant",
            rules(shares: "{low: 20, high: 30}"),
            [line("01")],
            at: "2026-02-28T12:00:00Z",
            ["totalXP": 100, "experiments": [:]]
        ),
        Case(
            "in a language's track, too",
            rules(),
            [line("01", language: "es")],
            at: "2026-02-28T12:00:00Z",
            language: "es",
            ["totalXP": 10]
        ),
    ]

    @Test func `only the overall track lists experiments, and only rules that have some`() throws {
        let spanish = Story(Self.rules(), [Self.line("01", language: "es")])
        let at = "2026-02-28T12:00:00Z"
        for (story, language) in [(spanish, "es"), (Story("name: none", [Self.line("01")]), nil)] {
            let progress = try #require(try story.progress(at: at, language: language))
            guard case .object(let members) = publicJSON(of: progress) else { throw Missing() }
            #expect(members["experiments"] == nil)
        }
    }

    private struct Missing: Error {}
}
