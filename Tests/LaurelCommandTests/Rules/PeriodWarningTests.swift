// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Periods that end before the rules are in force get a warning when rules are checked or applied for a day.
@Suite struct PeriodWarningTests {
    private static let rules = """
        version: 1
        xp:
          - {id: line, on: line.spoken, award: 10}
          - {id: boost, on: line.spoken, award: 5, from: 2026-03-07, through: 2026-03-08}
        achievements:
          - {id: spring, value: total.xp, at_least: 10, through: 2026-06-20}

        """

    @Test func `a check for a day tells what never acts`() throws {
        let laurel = try Laurel(rules: Self.rules)
        #expect(try laurel.run("rules", "check", "--strict", "rules.yaml").status == 0)
        #expect(try laurel.run("rules", "check", "--strict", "--from", "2026-03-08", "rules.yaml").status == 0)
        let late = try laurel.run("rules", "check", "--strict", "--from", "2026-03-09", "rules.yaml")
        #expect(late.status == 1)
        #expect(
            late.output.contains(
                "warning: the XP rule `boost` never acts: it is over with 2026-03-08, and these rules are in force from "
                    + "2026-03-09 on"
            ) && !late.output.contains("spring"),
            "\(late)"
        )
        let wrong = try laurel.run("rules", "check", "--from", "tomorrow", "rules.yaml")
        #expect(wrong.status == 2 && wrong.errors.contains("2026-12-24"), "\(wrong)")
    }

    @Test func `and so does applying them from it`() throws {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(Self.rules, to: "new.yaml")
        let applied = try laurel.run("rules", "apply", "new.yaml", "--from", "2026-07-01", "--yes")
        #expect(applied.status == 0)
        #expect(applied.errors.contains("`boost` never acts") && applied.errors.contains("`spring` never acts"))
    }
}
