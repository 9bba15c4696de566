// SPDX-License-Identifier: Apache-2.0

import LaurelWire
import Testing

@testable import LaurelRules

@Suite("Warnings about experiments, prices and pools")
struct GameWarningTests {
    @Test(
        "Prices that nobody reaches, and prices that are almost so",
        arguments: [
            Row(
                "above what a balance holds",
                "gems: {hold: 100, \(award("1"))} PRICE 101",
                "5:15 `price` is 101 `gems`, but a balance holds 100 at most: only an adjustment reaches it"
            ),
            Row("as much as a balance holds", "gems: {hold: 100, \(award("1"))} PRICE 100", nil),
            Row("above `hold`, but not above `start`", "gems: {start: 200, hold: 100} PRICE 150", nil),
            Row("without a limit", "gems: {\(award("1"))} PRICE 1000000", nil),
            Row(
                "of a currency that no rule gives",
                "gems: {} PRICE 1",
                "5:15 `price` is 1 `gems`, but no rule gives `gems`, and a balance starts at 0: only an adjustment reaches it"
            ),
            Row(
                "more than the start",
                "gems: {start: 4} PRICE 5",
                "5:15 `price` is 5 `gems`, but no rule gives `gems`, and a balance starts at 4: only an adjustment reaches it"
            ),
            Row("as much as the start", "gems: {start: 4} PRICE 4", nil),
            Row(
                "of a currency that awards only take",
                "gems: {start: 4, \(award("-1"))} PRICE 5",
                "5:15 `price` is 5 `gems`, but no rule gives `gems`, and a balance starts at 4: only an adjustment reaches it"
            ),
            Row("of a currency that an award gives and takes", "gems: {\(award("event.errors - 3"))} PRICE 5", nil),
            Row("of a currency that is refilled", "gems: {hold: 5, refill: {every: 4h, by: 1}} PRICE 5", nil),
            Row(
                "above what refills reach",
                "gems: {hold: 5, refill: {every: 4h, by: 1}} PRICE 6",
                "5:15 `price` is 6 `gems`, but a balance holds 5 at most: only an adjustment reaches it"
            ),
        ]
    )
    func prices(_ row: Row<String, String?>) throws {
        let (currency, price) = (row.input.split(separator: " PRICE ")[0], row.input.split(separator: " PRICE ")[1])
        let yaml = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            currencies:
              \(currency)
            items: {box: {price: {gems: \(price)}}}
            """
        #expect(try warnings(yaml) == [row.expected].compactMap(\.self))
    }

    @Test(
        "Gifts make a price reachable",
        arguments: [
            Row("of a goal", "goals: [{id: g, every: day, value: day.lines, target: 1, gives: {gems: 1}}]", nil),
            Row("of another item", "items: {box: {price: {gems: 50}}, chest: {gives: {gems: 1}}}", nil),
            Row(
                "of an achievement's tiers, as much as the price",
                "achievements: [{id: a, value: total.lines, at_least: [1, 2], gives: {gems: [20, 30]}}]",
                nil
            ),
            Row(
                "of an achievement's tiers, less than the price",
                "achievements: [{id: a, value: total.lines, at_least: [1, 2], gives: {gems: [20, 29]}}]",
                "`price` is 50 `gems`, but a balance holds 49 at most: only an adjustment reaches it"
            ),
            Row(
                "of an achievement for each language",
                "achievements: [{id: a, value: total.lines, at_least: 1, scope: language, gives: {gems: 1}}]",
                nil
            ),
            Row(
                "of another currency",
                "goals: [{id: g, every: day, value: day.lines, target: 1, gives: {hearts: 1}}]",
                "`price` is 50 `gems`, but no rule gives `gems`, and a balance starts at 0: only an adjustment reaches it"
            ),
        ]
    )
    func gifts(_ row: Row<String, String?>) throws {
        let items = row.input.hasPrefix("items") ? "" : "\nitems: {box: {price: {gems: 50}}}"
        let yaml = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            currencies: {gems: {}, hearts: {}}
            \(row.input)\(items)
            """
        let found = try warnings(yaml).map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(found.map(String.init) == [row.expected].compactMap(\.self))
    }

    @Test(
        "Pools and experiments",
        arguments: [
            Row(
                "a pool that draws all",
                "pools: {p: {draw: 2}} GOALS",
                "2:9 the pool `p` draws 2 of 2: all of its goals count"
            ),
            Row(
                "a pool that draws more",
                "pools: {p: {draw: 3}} GOALS",
                "2:9 the pool `p` draws 3 of 2: all of its goals count"
            ),
            Row("a pool that leaves one out", "pools: {p: {draw: 1}} GOALS", nil),
            Row(
                "an experiment that no rule reads",
                "experiments: {x: {variants: {a: 50}}}",
                "2:15 no rule reads `experiment.x`: the variants do not differ"
            ),
            Row(
                "an experiment that only a test reads",
                "experiments: {x: {variants: {a: 50}}}\ntests: [{name: t, variant: a, expect: {totalXP: 0}}]",
                "2:15 no rule reads `experiment.x`: the variants do not differ"
            ),
            Row(
                "an experiment that a goal's target reads",
                """
                experiments: {x: {variants: {a: 50}}}
                goals: [{id: g, every: day, value: level, target: "experiment.x == 'a' ? 1 : 2"}]
                """,
                nil
            ),
        ]
    )
    func games(_ row: Row<String, String?>) throws {
        let goal = "every: day, pool: p, value: level, target: 2"
        let goals = "\ngoals: [{id: a, \(goal)}, {id: b, \(goal)}]"
        let found = try warnings("version: 1\n" + row.input.replacing(" GOALS", with: goals))
        #expect(found == [row.expected].compactMap(\.self))
    }

    private static func award(_ amount: String) -> String { "awards: [{id: a, on: line.spoken, award: \(amount)}]" }

    private func warnings(_ yaml: String) throws -> [String] {
        try load(yaml).warnings.map { "\($0.line):\($0.column) \($0.message)" }
    }
}
