// SPDX-License-Identifier: Apache-2.0

import LaurelYAML
import Testing

@testable import LaurelRules

/// A quotient that goes into further arithmetic before the award is rounded down is told where it can cost a point.
@Suite("Inexact awards")
struct InexactAwardTests {
    private static func warnings(_ award: String) throws -> [String] {
        let yaml = """
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
        return try load(yaml).warnings.map(\.message)
    }

    @Test(
        "are told, with an example and a cure",
        arguments: [
            Row(
                "what is missing of a whole",
                "(1 - session.errors / session.lines) * 30",
                "`(1 - session.errors / session.lines) * 30` comes to 5.999999999999998 where it is 6, for "
                    + "`session.errors` 4 and `session.lines` 5: a quotient is rounded before the rest; divide last: "
                    + "`(session.lines - session.errors) * 30 / session.lines`"
            ),
            Row("a quotient times", "session.errors / session.lines * 30", "`session.errors * 30 / session.lines`"),
            Row("times a quotient", "30 * (session.errors / session.lines)", "`30 * session.errors / session.lines`"),
            Row(
                "within a minimum",
                "min(session.errors / session.lines * 30, 20)",
                "`session.errors * 30 / session.lines`"
            ),
            Row(
                "beside a whole number",
                "5 + session.errors / session.lines * 30",
                "`session.errors * 30 / session.lines`"
            ),
            Row(
                "where it is rounded",
                "2 * floor(session.errors / session.lines * 30)",
                "`session.errors * 30 / session.lines`"
            ),
            Row(
                "in one branch",
                "session.lines > 3 ? session.errors / session.lines * 30 : 1",
                "`session.errors * 30 / session.lines`"
            ),
            Row("by a number", "session.lines / 49 * 49", "`session.lines * 49 / 49`"),
            Row(
                "with a default",
                "(1 - default(session.errors / 3, 0)) * 1 + session.errors / session.lines * 30",
                "divide last"
            ),
        ]
    )
    private func told(_ row: Row<String, String>) throws {
        let warnings = try Self.warnings(row.input)
        #expect(
            warnings.count == 1 && warnings[0].hasSuffix(row.expected)
                || warnings.contains { $0.contains(row.expected) },
            "\(warnings)"
        )
    }

    @Test(
        "nothing is said where nothing is lost",
        arguments: [
            "event.durationMs / 60000 * 7", "session.errors / session.lines", "30 * session.errors / session.lines",
            "30 * (session.lines - session.errors) / session.lines", "event.durationMs / 60000",
            "session.lines / 2 * 4", "session.lines / 10 * 10", "10 + session.lines / 3",
            "min(event.durationMs / 60000, 60)", "earned * min(streak.current * 0.05, 0.5)",
            "session.errors / session.lines > 0.5 ? 10 : 5", "(session.errors + session.lines) / 3",
            "floor(session.lines / 3) * 3", "session.lines % 7 * 3",
        ]
    )
    func silent(_ award: String) throws {
        #expect(try Self.warnings(award) == [])
    }

    @Test("a condition, a metric and a score are not rounded") func unrounded() throws {
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
        #expect(try load(yaml).warnings.map(\.message) == [])
    }

    @Test("the cure is exact wherever the award was not") func cure() {
        var wrong = 0
        for lines in 1...30 {
            for errors in 0...lines {
                let exact = (lines - errors) * 30 / lines
                let before = (1 - Double(errors) / Double(lines)) * 30
                let after = Double(lines - errors) * 30 / Double(lines)
                if Int(before.rounded(.down)) != exact { wrong += 1 }
                #expect(Int(after.rounded(.down)) == exact)
            }
        }
        #expect(wrong == 20)
    }

    @Test("a file of such awards is read in no time") func bounded() throws {
        let rules = (1...2000).map {
            "  - {id: a\($0), on: session.ended, award: (1 - session.errors / session.lines / total.lines) * \($0 + 2)}"
        }
        let yaml = """
            version: 1
            metrics:
              lines: {count: line.spoken}
              errors: {sum: event.errors, on: line.spoken}
            xp:
            \(rules.joined(separator: "\n"))
            """
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try load(yaml).warnings }
        #expect(time < .seconds(60))
    }
}
