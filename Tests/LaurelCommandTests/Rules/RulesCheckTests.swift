// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct RulesCheckTests {
    private static let passing = """
        tests:
          - name: a line is worth ten
            events: [{type: line.spoken, time: "2026-02-05T18:00:00Z"}]
            expect: {totalXP: 10}

        """

    @Test func soundRulesPassTheirTests() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.passing)
        let outcome = try laurel.run("rules", "check", "rules.yaml")
        #expect(
            outcome
                == .init(
                    output: "rules.yaml: ok, 1 test passed\n",
                    errors: "laurel: 1 file, 0 errors, 0 warnings, 1 test, 0 failed\n"
                )
        )
    }

    @Test func aFailedTestIsToldWhereItStands() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.passing.replacing("totalXP: 10", with: "totalXP: 11"))
        let outcome = try laurel.run("rules", "check", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("rules.yaml:19:"))
        #expect(outcome.output.contains(": error: test “a line is worth ten”: "))
        #expect(outcome.messages == ["1 file, 1 error, 0 warnings, 1 test, 1 failed"])
    }

    @Test func mistakesAreToldWhereTheyStand() throws {
        let laurel = try Laurel(rules: Laurel.rules.replacing("day.lines", with: "day.liness"))
        let outcome = try laurel.run("rules", "check", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("rules.yaml:6:"))
        let json = try laurel.run("rules", "check", "--json", "rules.yaml")
        #expect(json.status == 1)
        #expect(json.output.hasPrefix(#"{"diagnostics":[{"severity":"error","file":"rules.yaml","line":6,"#))
        #expect(json.output.hasSuffix(#""tests":0,"failedTests":0}"# + "\n"))
    }

    @Test func warningsFailOnlyAStrictCheck() throws {
        let laurel = try Laurel(
            rules: Laurel.rules.replacing("count: line.spoken}", with: "count: line.spoken, where: local.hour > 23}")
        )
        let outcome = try laurel.run("rules", "check", "rules.yaml")
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                rules.yaml:4:38: warning: `local.hour > 23` is never true: `local.hour` is from 0 to 23
                  4 |   lines: {count: line.spoken, where: local.hour > 23}
                    |                                      ^~~~~~~~~~~~~~~
                rules.yaml: ok, 0 tests passed

                """
        )
        #expect(outcome.messages == ["1 file, 0 errors, 1 warning, 0 tests, 0 failed"])
        let strict = try laurel.run("rules", "check", "--strict", "rules.yaml")
        #expect(strict.status == 1)
        #expect(!strict.output.contains(": ok"))
    }
}
