// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML
import Testing

@testable import LaurelRules

/// `from` and `through` of XP rules and achievements.
@Suite struct PeriodTests {
    private static func xp(_ keys: String) -> String {
        "version: 1\nxp:\n - id: a\n   on: line.spoken\n   award: 1\n\(keys)"
    }

    private static func achievement(_ keys: String) -> String {
        "version: 1\nachievements:\n - id: a\n   value: level\n   at_least: 2\n\(keys)"
    }

    @Test(
        arguments: [
            Row("both", xp("   from: 2026-12-24\n   through: 2026-12-26\n"), []),
            Row("one day", xp("   from: 2026-12-24\n   through: 2026-12-24\n"), []),
            Row("in quotes", xp("   from: \"2026-12-24\"\n"), []),
            Row("a leap day", achievement("   through: 2028-02-29\n"), []),
            Row(
                "no such day",
                xp("   from: 2026-02-29\n"),
                ["rules.yaml:6:10: error: `from` must be a date, not `2026-02-29`: there is no such day"]
            ),
            Row(
                "another spelling",
                achievement("   through: 26.12.2026\n"),
                ["rules.yaml:6:13: error: `through` must be a date, not `26.12.2026`: it must be written YYYY-MM-DD"]
            ),
            Row(
                "reversed",
                xp("   from: 2026-12-24\n   through: 2026-12-23\n"),
                [
                    "rules.yaml:7:13: error: `through` is 2026-12-23, before `from`, which is 2026-12-24: the period has no day"
                ]
            ),
            Row(
                "a mapping",
                xp("   from: {day: 24}\n"),
                ["rules.yaml:6:10: error: `from` must be text, not a mapping"]
            ),
        ]
    )
    func reading(row: Row<String, [String]>) {
        #expect(complaints(row.input) == row.expected)
    }

    @Test func `the days within, before and after`() throws {
        let rules = try load(Self.xp("   from: 2026-12-24\n   through: 2026-12-26\n"))
        let period = rules.xpRules[0].period
        func place(_ day: Int) -> String? { period.place(of: LocalDay(year: 2026, month: 12, day: day)).obstacle }
        #expect(place(23) == "not before 2026-12-24")
        #expect(place(24) == nil && place(26) == nil)
        #expect(place(27) == "not after 2026-12-26")
        #expect(rules.periods.map(\.phrase) == ["the XP rule `a`"])
        #expect(rules.periods[0].part?.position.line == 6)
    }

    @Test func `a comparison tells what of a period differs`() throws {
        let old = try load(Self.xp("   from: 2026-12-24\n"))
        let new = try load(Self.xp("   from: 2026-12-25\n   through: 2026-12-26\n"))
        let changes = RulesComparison(old, new).changes
        #expect(
            changes.map { "\($0.key ?? "") \($0.before ?? "-") \($0.after ?? "-")" } == [
                "from 2026-12-24 2026-12-25", "through - 2026-12-26",
            ]
        )
        #expect(old.foldedContent != new.foldedContent)
    }

    @Test func `either end can be taken out`() throws {
        let rules = try load(Self.achievement("   from: 2026-12-24\n   through: 2026-12-26\n"))
        #expect(rules.parts.map(\.kind).contains(.from(0)) && rules.parts.map(\.kind).contains(.through(0)))
        #expect(rules.without(.from(0)).achievements[0].period.from == nil)
        #expect(
            rules.without(.through(0)).achievements[0].period == Period(from: LocalDay(year: 2026, month: 12, day: 24))
        )
    }
}
