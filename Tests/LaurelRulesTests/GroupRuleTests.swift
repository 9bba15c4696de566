// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Groups")
struct GroupRuleTests {
    @Test("All mistakes, in the file's order")
    func mistakes() {
        let yaml = """
            version: 1
            groups:
              friends: {streak: {need: al}}
              empty: {}
              nothing:
              pairs: {streak: {need: 0, freezes: {}}, goal: []}
              team:
                streak:
                goals:
                  - {id: a, every: month, sum: xp, target: 10}
                  - {id: b, every: week, sum: new_word, target: 0}
                  - {id: b, every: day, sum: xp, target: few}
                  - {every: day, sum: xp, target: 1}
              clubs: {streak: {need: 2.5}}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:3:28: error: `need` must be `all`, `any` or a number of members from 1 to 10000, not `al`; did you mean `all`?
                rules.yaml:4:3: error: the kind `empty` needs `streak`, `goals` or both
                rules.yaml:5:3: error: the kind `nothing` needs `streak`, `goals` or both
                rules.yaml:6:26: error: `need` must be `all`, `any` or a number of members from 1 to 10000, not `0`
                rules.yaml:6:29: error: unknown key `freezes` in a group's streak; it may have need
                rules.yaml:6:43: error: unknown key `goal` in a kind of groups; did you mean `goals`?
                rules.yaml:10:24: error: `every` cannot be `month`; it is one of day, week
                rules.yaml:11:35: error: `sum` cannot be `new_word`; did you mean `new_words`?
                rules.yaml:11:53: error: `target` must be above 0, not `0`
                rules.yaml:12:14: error: the id `b` is taken: a group's goal above has it
                rules.yaml:12:46: error: `target` must be a number, not `few`
                rules.yaml:13:9: error: a group's goal needs `id`
                rules.yaml:14:26: error: `need` must be `all`, `any` or a number of members from 1 to 10000, not `2.5`
                """
        )
    }

    @Test("Streaks and goals by kind")
    func kinds() throws {
        let rules = try load(
            """
            version: 1
            groups:
              friends: {streak: {need: all}}
              any two: {streak: {need: 2}, goals: [{id: a, every: day, sum: active_days, target: 2}]}
              team: {goals: [{id: b, every: week, sum: xp, target: 1000.5}]}
            """
        )
        #expect(
            rules.groups == [
                GroupRule(kind: "friends", need: .all, goals: []),
                GroupRule(
                    kind: "any two",
                    need: .members(2),
                    goals: [GroupGoal(id: "a", isWeekly: false, sum: .activeDays, target: 2)]
                ),
                GroupRule(
                    kind: "team",
                    need: nil,
                    goals: [GroupGoal(id: "b", isWeekly: true, sum: .xp, target: 1000.5)]
                ),
            ]
        )
    }

    @Test("Differences, which concern no learner's numbers")
    func differences() throws {
        let old = try load("version: 1\ngroups: {a: {streak: {need: all}}, b: {streak: {need: any}}}")
        let new = try load(
            """
            version: 1
            groups:
              a: {streak: {need: 3}, goals: [{id: g, every: week, sum: xp, target: 1000}]}
              c: {streak: {need: any}}
            """
        )
        let comparison = RulesComparison(old, new)
        #expect(comparison.impact == .listings)
        let reason = "no effect, no learner's own numbers depend on groups"
        #expect(
            comparison.changes.map(\.description) == [
                "kind of groups `b` is gone: \(reason)",
                "kind of groups `a`: `streak` was need all, is need 3: \(reason)",
                "kind of groups `a`: `goals` is now set, g: 1000 xp every week: \(reason)",
                "kind of groups `c` is new: \(reason)",
            ]
        )
    }
}
