// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Currencies")
struct CurrencyRuleTests {
    @Test("All mistakes, in the file's order")
    func mistakes() {
        let yaml = """
            version: 1
            currencies:
              freezes: {start: 1}
              2gems: {}
              gems: {start: -1, hold: 0, refil: {every: 4h, by: 1}}
              hearts: {refill: {every: 4ms, by: 0}}
              coins:
                awards:
                  - {id: a, on: line.spoken, award: balance.gms, bucket: x}
                  - {id: a, on: line.spoken, award: 1}
            xp:
              - {id: x, on: line.spoken, award: balance.hearts}
            levels: {xp_for: balance.gems * n}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:3:3: error: no currency may be named `freezes`: the streak has those
                rules.yaml:4:3: error: `2gems` cannot be a currency's name: use letters, digits and _, no digit first
                rules.yaml:5:17: error: `start` must be a whole number of at least 0, not `-1`
                rules.yaml:5:27: error: `hold` must be a whole number of at least 1, not `0`
                rules.yaml:5:30: error: unknown key `refil` in a currency; did you mean `refill`?
                rules.yaml:6:12: error: `refill` needs `hold`, the balance at which it ends
                rules.yaml:6:28: error: `every` must be a time like 10s, 5m, 1h or 1d
                rules.yaml:6:37: error: `by` must be a whole number of at least 1, not `0`
                rules.yaml:9:41: error: unknown name `balance.gms`; did you mean `balance.gems`?
                rules.yaml:9:54: error: unknown key `bucket` in an award; it may have id, on, when, award, daily_cap, from, through
                rules.yaml:10:14: error: the id `a` is taken: an award above has it
                rules.yaml:13:18: error: `balance.gems` cannot be used in the level curve: a level's start depends on `n` alone
                """
        )
    }

    @Test("Warnings")
    func warnings() {
        let yaml = """
            version: 1
            currencies:
              hearts: {start: 9, hold: 5, refill: {every: 4h, by: 1}}
              gems:
                awards:
                  - {id: little, on: line.spoken, award: 0.9}
                  - {id: taken, on: line.spoken, award: -2}
                  - {id: first, on: line.spoken, award: earned}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:3:12: warning: the balance starts at 9, above `hold`, which is 5
                rules.yaml:6:46: warning: `award` is never more than 0.9: rounded down, this rule awards nothing
                rules.yaml:8:45: warning: `earned` is always 0 here: no XP rule above is for these events
                """
        )
    }

    @Test("Awards follow the XP rules, and each belongs to its currency")
    func order() throws {
        let rules = try load(
            """
            version: 1
            currencies:
              gems: {awards: [{id: a, on: line.spoken, award: 1}]}
              hearts: {start: 2, hold: 5, refill: {every: 2d, by: 3}, awards: [{id: a, on: line.spoken, award: 1}]}
            xp: [{id: a, on: line.spoken, award: 1}]
            """
        )
        #expect(rules.xpRules.map(\.currency) == [nil, 0, 1])
        #expect(rules.currencies[1].refill?.every == 172_800_000 && rules.currencies[1].refill?.amount == 3)
        #expect(rules.without(.refill(1)).currencies[1].refill == nil)
        #expect(rules.parts.map(\.phrase).contains("the award `a` of `hearts`"))
    }

    @Test("Differences")
    func differences() throws {
        let old = try load("version: 1\ncurrencies: {gems: {hold: 5, awards: [{id: a, on: line.spoken, award: 1}]}}")
        let new = try load(
            "version: 1\ncurrencies: {gems: {hold: 9, awards: [{id: a, on: line.spoken, award: 2}]}, hearts: {}}"
        )
        #expect(
            RulesComparison(old, new).changes.map(\.description) == [
                "currency `gems`: `hold` raised from 5 to 9", "currency `hearts` is new",
                "award `gems.a`: `award` was `1`, is `2`",
            ]
        )
    }

    @Test("Mistakes in items and gifts")
    func items() {
        let yaml = """
            version: 1
            currencies: {gems: {hold: 100}, hearts: {}}
            items:
              freeze: {price: {gems: 500, heart: 1}, gives: {freezes: 1, gold: 2}, limit: 0}
              box: {prize: {gems: 1}, gives: {gems: [1, 2]}}
              ice: {price: {freezes: 1}}
            achievements:
              - {id: a, value: level, at_least: [1, 2], xp: [1, 2, 3], gives: {gems: [1], freezes: x}}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:4:31: error: unknown currency `heart`; did you mean `hearts`?
                rules.yaml:4:62: error: unknown currency `gold`: currencies are declared under `currencies:`
                rules.yaml:4:79: error: `limit` must be a whole number of at least 1, not `0`
                rules.yaml:5:9: error: unknown key `prize` in an item; did you mean `price`?
                rules.yaml:5:41: error: `gems` must be a whole number of at least 1, not a list
                rules.yaml:6:17: error: unknown currency `freezes`: currencies are declared under `currencies:`
                rules.yaml:8:49: error: `xp` lists 3 amounts, but `at_least` has 2: one for each tier
                rules.yaml:8:74: error: `gems` lists 1 amounts, but `at_least` has 2: one for each tier
                rules.yaml:8:88: error: `freezes` must be a whole number from 0 to 36500, not `x`
                """
        )
    }

    @Test("Differences of items and gifts")
    func itemDifferences() throws {
        let old = try load("version: 1\ncurrencies: {gems: {}}\nitems: {box: {price: {gems: 5}, limit: 2}}")
        let new = try load("version: 1\ncurrencies: {gems: {}}\nitems: {box: {price: {gems: 6}, gives: {freezes: 1}}}")
        #expect(
            RulesComparison(old, new).changes.map(\.description) == [
                "item `box`: `price` was gems 5, is gems 6", "item `box`: `gives` is now set, freezes 1",
                "item `box`: `limit` is no longer set, was 2",
            ]
        )
    }
}
