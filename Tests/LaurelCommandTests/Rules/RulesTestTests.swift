// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct RulesTestTests {
    private static let tests = """
        tests:
          - name: a line is worth ten
            events: [{type: line.spoken, time: "2026-02-05T18:00:00Z", data: {durationMs: 2000}}]
            expect: {totalXP: 10, total.seconds: 2}
          - name: Two lines make a talker
            events:
              - &line {type: line.spoken, time: "2026-02-05T18:00:00Z"}
              - *line
            expect:
              totalXP: 21
              achievements: {talker: {tier: 1}}
              total.lines: 2

        """

    @Test func eachTestIsShownWithWhatItExpectedAndGot() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.tests)
        let outcome = try laurel.run("rules", "test", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                rules.yaml
                  ok      a line is worth ten
                  FAILED  Two lines make a talker
                rules.yaml:25:7: error: test “Two lines make a talker”: `totalXP`: expected 21, got 20
                  25 |       totalXP: 21
                     |       ^~~~~~~~~~~
                    - totalXP: 21
                    + totalXP: 20
                      achievements.talker.tier: 1
                      total.lines: 2

                """
        )
        #expect(outcome.messages == ["1 file, 2 tests, 1 passed, 1 failed"])
    }

    @Test func testsCanBeChosenByName() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.tests)
        let outcome = try laurel.run("rules", "test", "--name", "WORTH", "rules.yaml")
        #expect(
            outcome
                == .init(
                    output: "rules.yaml\n  ok      a line is worth ten\n",
                    errors: "laurel: 1 file, 1 test, 1 passed, 0 failed\n"
                )
        )
        let none = try laurel.run("rules", "test", "--name", "quest", "rules.yaml")
        #expect(none.status == 2)
        #expect(none.messages.first == "--name: “quest” is in no test's name")
    }

    @Test func jsonHoldsEachExpectation() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.tests)
        let outcome = try laurel.run("rules", "test", "--json", "--name", "talker", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix(
                #"{"tests":[{"file":"rules.yaml","line":20,"column":11,"name":"Two lines make a talker","passed":false,"#
                    + #""expected":[{"path":"totalXP","line":25,"column":7,"expected":21,"got":20,"passed":false},"#
            ),
            "\(outcome.output)"
        )
        #expect(outcome.output.contains(#"],"passed":0,"failed":1,"diagnostics":[{"severity":"error","#))
    }

    struct Expected: Sendable, CustomTestStringConvertible {
        let path: String
        let message: String
        var testDescription: String { path }
    }

    @Test(arguments: [
        Expected(path: "totalxp", message: "`totalxp` is no field of the progress; did you mean `totalXP`?"),
        Expected(path: "streak", message: "`streak` is no field of the progress; did you mean `currentStreak`?"),
        Expected(path: "total.linez", message: "there is no metric `linez`; did you mean `lines`?"),
        Expected(
            path: "session.lines",
            message: "`session` is no field of the progress: a test sees the totals of metrics, as `total.lines`"
        ),
        Expected(path: "xpBreakdown.line", message: "no rule books XP under `line`; did you mean `lines`?"),
        Expected(path: "achievements.talkr.tier", message: "there is no achievement `talkr`; did you mean `talker`?"),
        Expected(path: "achievements.talker.teir", message: "an achievement has no `teir`; did you mean `tier`?"),
        Expected(
            path: "achievements.talker",
            message: "an achievement has tier, tiers, unlockedAt, progress: say which"
        ),
        Expected(path: "totalXP.x", message: "`totalXP` is one value: nothing can stand after it"),
        Expected(path: "vocabulary", message: "`vocabulary` has several values: name one of them"),
    ])
    func whatCannotBeExpectedIsTold(_ expected: Expected) throws {
        let test = "tests: [{name: t, expect: {\(expected.path): 1}}]\n"
        let outcome = try Laurel(rules: Laurel.rules + test).run("rules", "test", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(": error: test “t”: \(expected.message)"), "\(outcome.output)")
    }

    @Test func anEventThatIsRefusedIsToldWhereItStands() throws {
        let test = "tests: [{name: t, events: [{type: line.spoken, time: \"2026-02-05\"}], expect: {totalXP: 0}}]\n"
        let outcome = try Laurel(rules: Laurel.rules + test).run("rules", "test", "rules.yaml")
        #expect(outcome.output.contains("rules.yaml:16:35: error: test “t”: event 1 is refused: "))
    }

    @Test func coverageNamesWhatNoTestNotices() throws {
        let laurel = try Laurel(rules: Laurel.rules + Self.tests.replacing("totalXP: 21", with: "totalXP: 20"))
        let outcome = try laurel.run("rules", "test", "--coverage", "rules.yaml")
        #expect(outcome.status == 1)
        let missed = outcome.output.split(separator: "\n").filter { $0.hasPrefix("rules.yaml:") }
        #expect(
            missed == [
                "rules.yaml:6:10: error: no test notices without the streak",
                "rules.yaml:9:10: error: no test notices without the XP rule `session`",
                "rules.yaml:11:3: error: no test notices without the CEFR estimate",
                "rules.yaml:14:66: error: no test notices without `at_least: 4` of the achievement `talker`",
                "rules.yaml:15:69: error: no test notices without `at_least: 5` of the achievement `marathon`",
            ]
        )
        #expect(outcome.messages == ["1 file, 2 tests, 2 passed, 0 failed, 5 not covered"])
    }
}
