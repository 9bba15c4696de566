// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Experiments")
struct ExperimentTests {
    /// The published test vectors of FNV-1a.
    @Test("The hash is FNV-1a")
    func hash() {
        #expect(FNV1a.hash("") == 0x811c_9dc5)
        #expect(FNV1a.hash("a") == 0xe40c_292c)
        #expect(FNV1a.hash("foobar") == 0xbf9c_f968)
    }

    /// The vectors of GrowthBook's own tests for version 2 of its hash.
    @Test(
        "GrowthBook's shares",
        arguments: [
            Row("a", "seed", 0.0505), Row("b", "seed", 0.2696), Row("ab", "foo", 0.2575), Row("def", "foo", 0.2019),
        ]
    )
    func shares(_ row: Row<String, Double>) {
        #expect(Experiment.share(of: row.name, seed: row.input) == row.expected)
    }

    private func experiment(_ text: String) throws -> Experiment {
        try #require(try load("version: 1\nexperiments: {\(text)}").experiments.first)
    }

    @Test("Weights are shares of learners, in file order")
    func weights() throws {
        let experiment = try experiment("x: {variants: {control: 20, bonus: 30}}")
        var counts = [0, 0, 0]
        for number in 0..<20_000 { counts[experiment.variant(of: "learner-\(number)") ?? 2] += 1 }
        for (count, percent) in zip(counts, [20, 30, 50]) { #expect(abs(count - percent * 200) < 300, "\(counts)") }
        for number in 0..<100 {
            let share = Experiment.share(of: "l\(number)", seed: "x")
            let expected = share < 0.2 ? 0 : share < 0.5 ? 1 : nil
            #expect(experiment.variant(of: "l\(number)") == expected, "\(share)")
        }
    }

    @Test("The seed decides")
    func seed() throws {
        let one = try experiment("x: {variants: {a: 50, b: 50}}")
        let same = try experiment("y: {variants: {a: 50, b: 50}, seed: x}")
        let other = try experiment("x: {variants: {a: 50, b: 50}, seed: z}")
        let ids = (0..<100).map { "learner \($0) é😀" }
        #expect(ids.map(one.variant) == ids.map(same.variant))
        #expect(ids.map(one.variant) != ids.map(other.variant))
    }

    @Test(
        "Mistakes",
        arguments: [
            Row(
                "too much",
                "x: {variants: {a: 60, b: 50}}",
                "2:29: error: the variants add up to 110 percent, more than 100"
            ),
            Row(
                "nobody",
                "x: {variants: {a: 0, b: 50}}",
                "2:33: error: the share of `a` must be above 0 percent, not 0"
            ),
            Row(
                "a name with a dash",
                "x-y: {variants: {a: 50}}",
                "2:15: error: `x-y` cannot be an experiment's name: use letters, digits and _, no digit first"
            ),
            Row(
                "a misspelt key",
                "x: {variant: {a: 50}}",
                "2:19: error: unknown key `variant` in an experiment; did you mean `variants`?"
            ),
        ]
    )
    func mistakes(_ row: Row<String, String>) {
        let found = complaints("version: 1\nexperiments: {\(row.input)}")
        #expect(found.first == "rules.yaml:\(row.expected)")
    }

    private static let rules = """
        version: 1
        experiments: {x: {variants: {control: 50, bonus: 50}}}
        xp: [{id: a, on: line.spoken, when: CONDITION, award: 1}]

        """

    @Test("Warnings about variants and experiments")
    func warnings() {
        func complaints(_ condition: String) -> [String] {
            LaurelRulesTests.complaints(Self.rules.replacing("CONDITION", with: condition))
        }
        #expect(complaints("experiment.x == 'bonus'") == [])
        let wrong = complaints("experiment.x == 'bonsu'")
        #expect(wrong.count == 1 && wrong[0].contains("did you mean `'bonus'`?"), "\(wrong)")
        let unread = complaints("local.hour > 3")
        #expect(unread.count == 1 && unread[0].contains("no rule reads `experiment.x`"), "\(unread)")
        let unknown = complaints("experiment.xx == 'bonus'")
        #expect(unknown.count == 1 && unknown[0].contains("unknown name `experiment.xx`; did you mean `experiment.x`?"))
    }

    @Test("A test chooses a learner by variant")
    func testLearner() throws {
        let rules = Self.rules.replacing("CONDITION", with: "experiment.x == 'bonus'")
        func tests(_ variant: String) -> String {
            rules + "tests: [{name: t, variant: \(variant), expect: {totalXP: 0}}]"
        }
        for (index, variant) in ["control", "bonus"].enumerated() {
            let rules = try load(tests(variant))
            #expect(rules.experiments[0].variant(of: rules.tests[0].learner) == index)
        }
        #expect(try load(tests("x.bonus")).tests[0].learner == load(tests("bonus")).tests[0].learner)
        let wrong = complaints(tests("bonsu")).first ?? ""
        #expect(wrong.contains("no experiment has a variant `bonsu`; did you mean `bonus`?"), "\(wrong)")
    }

    @Test("Changes of an experiment are listed")
    func comparison() throws {
        let old = try load(Self.rules.replacing("CONDITION", with: "experiment.x == 'bonus'"))
        let new = try load(
            Self.rules.replacing("CONDITION", with: "experiment.x == 'bonus'").replacing("50, bonus", with: "40, bonus")
        )
        #expect(
            RulesComparison(old, new).changes.map(\.description)
                == ["experiment `x`: `variants` was control 50, bonus 50, is control 40, bonus 50"]
        )
    }
}
