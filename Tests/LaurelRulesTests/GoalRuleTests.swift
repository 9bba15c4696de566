// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Goals")
struct GoalRuleTests {
    @Test("All mistakes, in the file's order")
    func mistakes() {
        let yaml = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            goals:
              - {id: a-b, every: month, value: day.lines, target: 3}
              - {id: b, every: day, value: event.accuracy, target: session.lines}
              - {id: b, every: day, value: local.hour, target: goals.c}
              - {every: day, value: "'x'", target: 1, xp: -1, gives: {gems: 1}}
              - {id: d, every: day, value: local.day + goals.b, target: 3, at_least: 4}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:4:10: error: `a-b` cannot be a goal's id: use letters, digits and _, no digit first
                rules.yaml:4:22: error: `every` cannot be `month`; it is one of day, week
                rules.yaml:5:32: error: `event.accuracy` cannot be used here: a goal's value and target are also read when there is no event
                rules.yaml:5:56: error: `session.lines` cannot be used here: a goal's value and target are also read when there is no event
                rules.yaml:6:10: error: the id `b` is taken: a goal above has it
                rules.yaml:6:32: error: `local.hour` cannot be used here: a goal's value and target are also read when there is no event
                rules.yaml:6:52: error: unknown name `goals.c`; did you mean `goals.b`?
                rules.yaml:7:5: error: a goal needs `id`
                rules.yaml:7:26: error: `value` needs a number, but this is text
                rules.yaml:7:47: error: `xp` must be a whole number of at least 0, not `-1`
                rules.yaml:7:59: error: unknown currency `gems`: currencies are declared under `currencies:`
                rules.yaml:8:64: error: unknown key `at_least` in a goal; it may have id, name, every, pool, value, target, when, xp, gives, from, through
                """
        )
    }

    @Test("Warnings")
    func warnings() {
        let yaml = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            goals:
              - {id: a, every: day, value: "min(day.lines, 3)", target: 5}
              - {id: b, every: day, value: day.lines, target: 0}
              - {id: c, every: day, value: day.lines, target: 1, when: day.lines < 0}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:4:61: warning: `value` is never more than 3: 5 is out of reach
                rules.yaml:5:51: warning: `target` is never more than 0: nobody completes the goal
                rules.yaml:6:60: warning: `day.lines < 0` is never true: `day.lines` is never less than 0
                """
        )
    }

    @Test("Differences and parts")
    func differences() throws {
        let old = try load("version: 1\ngoals: [{id: a, every: day, value: level, target: 2, xp: 5, from: 2026-02-01}]")
        let new = try load("version: 1\ngoals: [{id: a, name: A, every: week, value: level, target: 3, xp: 5}]")
        #expect(
            RulesComparison(old, new).changes.map(\.description) == [
                "goal `a`: `name` is now set, “A”: no effect, nothing is computed from it",
                "goal `a`: `every` was day, is week", "goal `a`: `target` was `2`, is `3`",
                "goal `a`: `from` is no longer set, was 2026-02-01",
            ]
        )
        #expect(old.without(.goal(0)).goals.isEmpty && old.without(.goalReward(0)).goals[0].xp == 0)
        #expect(old.parts.map(\.phrase) == ["the goal `a`", "`xp` of the goal `a`", "`from` of the goal `a`"])
    }

    @Test("Pools")
    func pools() {
        let yaml = """
            version: 1
            pools: {few: {draw: 2}, none: {draw: 1}, a-b: {draw: 0}}
            goals:
              - {id: a, every: day, pool: few, value: level, target: 2}
              - {id: b, every: week, pool: few, value: level, target: 2}
              - {id: c, every: day, pool: fw, value: level, target: 2}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:2:42: error: `a-b` cannot be a pool's name: use letters, digits and _, no digit first
                rules.yaml:2:54: error: `draw` must be a whole number from 1 to 10000, not `0`
                rules.yaml:5:20: error: all goals of the pool `few` have the same window: `a` has day
                rules.yaml:6:31: error: unknown pool `fw`; did you mean `few`?
                """
        )
        let whole = "version: 1\npools: {p: {draw: 1}}\ngoals: [{id: a, every: day, pool: p, value: level, target: 2}]"
        #expect(complaints(whole) == ["rules.yaml:2:9: warning: the pool `p` draws 1 of 1: all of its goals count"])
    }
}
