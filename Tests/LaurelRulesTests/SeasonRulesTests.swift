// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Seasons")
struct SeasonRulesTests {
    private static let march = "{name: a, from: 2026-03-01, through: 2026-03-31}"

    @Test(
        "Mistakes",
        arguments: [
            Row(
                "an overlap",
                "[\(march), {name: b, from: 2026-03-31, through: 2026-04-30}]",
                "2:77: error: seasons must ascend without overlap: `b` begins on 2026-03-31, but `a` lasts through 2026-03-31"
            ),
            Row(
                "a name twice",
                "[\(march), {name: a, from: 2026-04-01, through: 2026-04-30}]",
                "2:68: error: the name `a` is taken: a season above has it"
            ),
            Row(
                "no day",
                "[{name: a, from: 2026-03-02, through: 2026-03-01}]",
                "2:48: error: `through` is 2026-03-01, before `from`, which is 2026-03-02: the period has no day"
            ),
        ]
    )
    func mistakes(_ row: Row<String, String>) {
        #expect(LaurelRulesTests.complaints("version: 1\nseasons: \(row.input)") == ["rules.yaml:\(row.expected)"])
    }

    private func complaints(_ condition: String, _ seasons: String) -> [String] {
        LaurelRulesTests.complaints(
            "version: 1\n\(seasons)\nmetrics: {a: {count: line.spoken, where: \"\(condition)\"}}"
        )
    }

    @Test("Names")
    func names() {
        let seasons = "seasons: [\(Self.march)]"
        #expect(complaints("season.xp > 3 && season.name == 'a'", seasons) == [])
        let wrong = complaints("season.name == 'b'", seasons).first ?? ""
        #expect(wrong.contains("`season.name` is never 'b': it is a"), "\(wrong)")
        let near = complaints("seson.xp > 3", seasons).first ?? ""
        #expect(near.contains("unknown name `seson.xp`; did you mean `season.xp`?"), "\(near)")
        for name in ["season.xp > 3", "season.name == 'a'"] {
            let none = complaints(name, "").first ?? ""
            #expect(none.contains(": there are no `seasons:` in these rules"), "\(none)")
        }
    }

    @Test("Only rules with seasons have the window")
    func layout() throws {
        let without = try load("version: 1\nmetrics: {a: {count: line.spoken}}").layout
        #expect(without.windows == [.total, .session, .day, .week])
        let with = try load("version: 1\nseasons: [\(Self.march)]\nmetrics: {a: {count: line.spoken}}").layout
        #expect(with.windows == [.total, .session, .day, .week, .season])
        #expect(with.slot(of: .streakCurrent) == 10 && without.slot(of: .streakCurrent) == 8)
    }

    @Test("Changes are listed")
    func comparison() throws {
        let old = try load("version: 1\nseasons: [\(Self.march)]")
        let new = try load("version: 1\nseasons: [{name: a, from: 2026-03-01, through: 2026-04-30}]")
        #expect(
            RulesComparison(old, new).changes.map(\.description)
                == ["season `a`: `through` was 2026-03-31, is 2026-04-30"]
        )
    }
}
