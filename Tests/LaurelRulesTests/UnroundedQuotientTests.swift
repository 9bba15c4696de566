// SPDX-License-Identifier: Apache-2.0

import LaurelYAML
import Testing

@testable import LaurelRules

/// A quotient gets a warning if it goes into further arithmetic before the result is rounded.
@Suite("Unrounded quotients")
struct UnroundedQuotientTests {
    private static func rules(_ award: String) -> String {
        """
        version: 1
        metrics:
          lines: {count: line.spoken}
          errors: {sum: event.errors, on: line.spoken}
        streak: {when: day.lines >= 1}
        xp:
          - {id: first, on: session.ended, award: 50}
          - id: a
            on: session.ended
            award: |
              \(award)
        """
    }

    @Test(
        "get a warning each, at the quotient",
        arguments: [
            Row("what is missing of a whole", "(1 - session.errors / session.lines) * 30", ["11:12"]),
            Row("a quotient times", "session.errors / session.lines * 30", ["11:7"]),
            Row("times a quotient", "30 * (session.errors / session.lines)", ["11:13"]),
            Row("a quotient of a quotient", "event.durationMs / 1000 / 60", ["11:7"]),
            Row("below a fraction line", "30 / (session.lines / 7)", ["11:13"]),
            Row("by a number", "session.lines / 49 * 49", ["11:7"]),
            Row("two quotients added", "session.errors / 3 + session.lines / 7", ["11:7", "11:28"]),
            Row("a remainder", "session.lines / 7 % 2 * 3", ["11:7"]),
            Row("within a minimum", "min(session.errors / session.lines * 30, 20)", ["11:11"]),
            Row("a minimum", "min(session.errors / session.lines, 1) * 30", ["11:11"]),
            Row("with a default", "default(session.errors / session.lines, 0) * 30", ["11:15"]),
            Row("beside a whole number", "5 + session.errors / session.lines * 30", ["11:11"]),
            Row("a whole number beside it", "(5 + session.errors / session.lines) * 30", ["11:12"]),
            Row("where it is rounded down", "2 * floor(session.errors / session.lines * 30)", ["11:17"]),
            Row("where it is rounded up", "2 * ceil(session.errors / session.lines * 30)", ["11:16"]),
            Row("where it is rounded", "2 * round(session.errors / session.lines * 30)", ["11:17"]),
            Row("in one branch", "session.lines > 3 ? session.errors / session.lines * 30 : 1", ["11:27"]),
            Row("a branch", "(session.lines > 3 ? session.errors / session.lines : 1) * 30", ["11:28"]),
        ]
    )
    func told(_ row: Row<String, [String]>) throws {
        let warnings = try load(Self.rules(row.input)).warnings
        #expect(warnings.map { "\($0.line):\($0.column)" } == row.expected)
    }

    @Test("The warning says what to write instead") func message() {
        #expect(
            complaints(Self.rules("(1 - session.errors / session.lines) * 30")) == [
                "rules.yaml:11:12: warning: `session.errors / session.lines` may be inexact and goes into further "
                    + "arithmetic before it is rounded, which can change the result by 1: divide last, as in "
                    + "`a * b / c`, or write `round(session.errors / session.lines)`"
            ]
        )
    }

    @Test(
        "nothing is said where nothing is lost",
        arguments: [
            Row("a quotient", "session.errors / session.lines", ""),
            Row("a quotient by a number", "event.durationMs / 60000", ""),
            Row("divided last", "30 * session.errors / session.lines", ""),
            Row("a difference, divided last", "30 * (session.lines - session.errors) / session.lines", ""),
            Row("a sum, divided last", "(session.errors + session.lines) / 3", ""),
            Row("beside a whole number", "10 + session.lines / 3", ""),
            Row("within a minimum", "min(event.durationMs / 60000, 60)", ""),
            Row("a product without a quotient", "earned * min(streak.current * 0.05, 0.5)", ""),
            Row("compared", "session.errors / session.lines * 30 > 15 ? 10 : 5", ""),
            Row("rounded down before", "floor(session.lines / 3) * 3", ""),
            Row("rounded before", "round(session.errors / session.lines) * 30", ""),
            Row("a remainder", "session.lines % 7 * 3", ""),
        ]
    )
    func silent(_ row: Row<String, String>) {
        #expect(complaints(Self.rules(row.input)).joined() == row.expected)
    }

    @Test("a condition, a metric and a score are not rounded") func unrounded() {
        let yaml = """
            version: 1
            metrics:
              lines: {count: line.spoken}
              errors: {sum: event.errors, on: line.spoken}
              percent: {last: session.errors / session.lines * 100, on: session.ended}
            xp:
              - {id: a, on: session.ended, when: session.errors / session.lines * 30 < 20, award: 5}
            cefr: {score: total.errors / total.lines * 1000, bands: {A1: 0, A2: 5, B1: 10, B2: 20, C1: 30, C2: 40}}
            """
        #expect(complaints(yaml) == [])
    }
}
