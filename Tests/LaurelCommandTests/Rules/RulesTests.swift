// SPDX-License-Identifier: Apache-2.0

import Testing

/// The exact output of `rules diff`, `apply`, `history` and `show`.
@Suite struct RulesTests {
    private static let harder = Laurel.rules.replacing("award: 10}", with: "award: 4}")
        .replacing("at_least: [2, 4]", with: "at_least: [3, 4]").replacing("name: small", with: "name: harder")

    private func store() throws -> Laurel {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(RulesTests.harder, to: "new.yaml")
        return laurel
    }

    private static let report = """
        “small” → new.yaml
        2 learners, 9 events, as of 2026-02-06T00:00:00Z

          ~ the rules: `name` was “small”, is “harder”
            no effect: nothing is computed from it
          ~ XP rule `line`: `award` was `10`, is `4`
          ~ achievement `talker`: `at_least` was 2, 4, is 3, 4

          Learners    [------------------------........................]
                      - lose 1  . no change 1
          Level       the same for everyone
          XP          median -6, -12 of those whose XP changes, largest loss -12, in sum -12 (-17.1%)
          Streak      now: the same; longest: the same

          achievement  held                then                won  lost  earlier  later
          talker          1  [#####.....]     0  [..........]          1
          1 more as before

          most affected  level  XP       streak  longest  CEFR  achievements
          anna (Anna)           70 → 58                         -talker

        """

    @Test func diffIsAReport() throws {
        let laurel = try store()
        let outcome = try laurel.run("rules", "diff", "new.yaml", "--at", "2026-02-06T00:00:00Z")
        #expect(outcome == .init(output: RulesTests.report))
        #expect(try laurel.run("rules", "history").errors == "laurel: 1 version\n")
    }

    @Test func diffAsDocuments() throws {
        let laurel = try store()
        let csv = try laurel.run("rules", "diff", "new.yaml", "--csv", "--at", "2026-02-06T00:00:00Z")
        #expect(
            csv.output == """
                learner,language,totalXPBefore,totalXPAfter,currentLevelBefore,currentLevelAfter,currentStreakBefore,\
                currentStreakAfter,longestStreakBefore,longestStreakAfter,totalWordsLearnedBefore,totalWordsLearnedAfter,\
                estimatedCEFRBefore,estimatedCEFRAfter,won,lost,moreTiers,fewerTiers,earlier,later
                anna,*,70,58,1,1,2,2,2,2,0,0,,,,talker,,,,
                anna,es,70,58,1,1,2,2,2,2,0,0,A1,A1,,,,,,

                """
        )
        let all = try laurel.run("rules", "diff", "new.yaml", "--csv", "--all")
        #expect(all.output.split(separator: "\n").count == 4)
        let json = try laurel.run("rules", "diff", "new.yaml", "--json", "--at", "2026-02-06T00:00:00Z")
        #expect(json.output.hasPrefix(#"{"at":"2026-02-06T00:00:00Z","events":9,"changes":[{"part":"rules","#))
        #expect(
            json.output.contains(
                #"{"learner":"anna","displayName":"Anna","tracks":[{"language":null,"before":{"totalXP":70,"#
            )
        )
        #expect(
            json.output.contains(
                #""achievements":[{"id":"talker","outcome":"lost","tierBefore":1,"tierAfter":0,"#
                    + #""unlockedBefore":"2026-02-05T18:00:00.000Z","unlockedAfter":null}]"#
            )
        )
        let out = try laurel.run(
            "rules",
            "diff",
            "new.yaml",
            "--csv",
            "--out",
            "diff.csv",
            "--at",
            "2026-02-06T00:00:00Z"
        )
        #expect(out.output.isEmpty)
        #expect(try laurel.read("diff.csv") == csv.output)
    }

    @Test func aDiffForSpreadsheetsHasNoFormulas() throws {
        let laurel = try Laurel(events: Laurel.events.replacing(#""subject":"anna""#, with: #""subject":"=cmd|x""#))
        try laurel.write(RulesTests.harder, to: "new.yaml")
        let csv = try laurel.run("rules", "diff", "new.yaml", "--csv", "--at", "2026-02-06T00:00:00Z")
        #expect(csv.output.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("'=cmd|x,") })
        #expect(csv.output.contains("'=cmd|x,*,70,58,1,1,2,2,"))
    }

    @Test func aSampleTellsItsError() throws {
        let laurel = try store()
        let outcome = try laurel.run("rules", "diff", "new.yaml", "--sample", "1")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("1 learner of 2, a sample"))
        #expect(outcome.output.contains("95% confidence interval (Wilson score interval, corrected"))
        #expect(outcome.output.contains("  Level       the same for everyone in the sample\n"), "\(outcome)")
        let json = try laurel.run("rules", "diff", "new.yaml", "--sample", "1", "--json")
        #expect(json.output.contains(#""compared":1,"population":2,"sample":{"confidence":0.95,"#))
        #expect(json.output.contains(#""medianLow":null,"medianHigh":null,"sumChangeLow":null,"sumChangeHigh":null"#))
    }

    @Test func aSampleOfOneCannotTellItsError() throws {
        let lines = ["ana", "bo"].map { subject in
            #"{"id":"1","source":"app","type":"line.spoken","subject":"\#(subject)","time":"2026-02-05T18:00:00Z"}"#
        }
        let laurel = try Laurel(events: lines.joined(separator: "\n"))
        try laurel.write(RulesTests.harder, to: "new.yaml")
        let outcome = try laurel.run("rules", "diff", "new.yaml", "--sample", "1")
        let error = "(the sample is too small to say how far off)"
        #expect(
            outcome.output.contains(
                "\n  XP          median -6 \(error), largest loss -6, in sum about -12 \(error)\n"
            ),
            "\(outcome)"
        )
    }

    static let wrong: [(words: [String], message: String)] = [
        (["rules", "diff"], "rules diff: which rules? Name a file, or a version with --version"),
        (
            ["rules", "diff", "new.yaml", "--version", "1"],
            "rules diff: a file and --version are two rule sets; give one"
        ),
        (["rules", "diff", "--version", "0"], "rules diff: “0” is no version; versions are whole numbers from 1"),
        (["rules", "diff", "--version"], "--version N: the value is missing"),
        (["rules", "diff", "new.yaml", "--json", "--csv"], "--json and --csv are two forms; give one"),
        (["rules", "diff", "new.yaml", "--sample", "0"], "--sample: “0” is not a whole number from 1 on"),
        (["rules", "show", "7"], "rules version 7 was never applied; there is only version 1"),
        (["rules", "show", "x"], "rules show: “x” is no version; versions are whole numbers from 1"),
        (
            ["rules", "apply", "new.yaml"],
            "rules apply asks first, but there is no terminal; --yes applies without asking"
        ),
        (["rules", "apply", "--version", "3", "--yes"], "rules version 3 was never applied; there is only version 1"),
        (["rules", "diff", "none.yaml"], "none.yaml: No such file or directory"),
    ]

    @Test(arguments: wrong) func wrongRequestsAreRefused(words: [String], message: String) throws {
        let laurel = try store()
        let outcome = try laurel.run(words)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.messages.first == message)
    }

    @Test func brokenRulesChangeNothing() throws {
        let laurel = try store()
        try laurel.write(RulesTests.harder.replacing("award: 4", with: "award: 4 +"), to: "broken.yaml")
        for words in [["rules", "diff", "broken.yaml"], ["rules", "apply", "broken.yaml", "--yes"]] {
            let outcome = try laurel.run(words)
            #expect(outcome.status == 2 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("broken.yaml:8:58: error: "), "\(outcome)")
        }
        #expect(try laurel.run("rules", "history").errors == "laurel: 1 version\n")
    }

    @Test func applyShowsAppliesAndTells() throws {
        let laurel = try store()
        let applied = try laurel.run("rules", "apply", "new.yaml", "--yes", "--at", "2026-02-06T00:00:00Z")
        #expect(applied.status == 0 && applied.errors.isEmpty, "\(applied)")
        #expect(applied.output.hasPrefix(RulesTests.report + "\nversion 2 is in force; 2 learners folded in "))
        #expect(try laurel.run("progress", "anna", "--json").output.contains(#""totalXP":58,"#))
        let again = try laurel.run("rules", "apply", "new.yaml", "--yes")
        #expect(again == .init(output: "version 2 is in force already: these are its rules\n"))
        #expect(try laurel.run("rules", "show").output == RulesTests.harder)
        #expect(try laurel.run("rules", "show", "1").output == Laurel.rules)

        let back = try laurel.run("rules", "apply", "--version", "1", "--yes", "--json")
        #expect(
            back.output.hasPrefix(
                #"{"version":3,"from":null,"method":"replay","learners":2,"events":9,"granted":0,"declared":0,"seconds":"#
            )
        )
        #expect(back.output.contains(#""diff":{"changes":[{"part":"rules","#))
        #expect(try laurel.run("rules", "show", "--json").output.hasPrefix(#"{"version":3,"name":"small","hash":""#))
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    @Test func keptAchievementsAreToldAndStay() throws {
        let laurel = try store()
        let applied = try laurel.run("rules", "apply", "new.yaml", "--yes", "--keep-achievements")
        #expect(applied.output.contains("\nWhat is lost of them is kept, with all its tiers\n\n"))
        #expect(applied.output.hasSuffix("1 achievement kept by achievement.granted\n"), "\(applied)")
        let export = try laurel.run("export", "--learner", "anna")
        #expect(
            export.output.contains(
                #""id":"keep:talker","source":"laurel/rules-apply","type":"achievement.granted","subject":"anna","#
                    + #""time":"2026-02-05T18:00:00Z","data":{"achievement":"talker","reason":"kept when the rules changed"}"#
            ),
            "\(export.output)"
        )
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    @Test func keptXPIsToldAndStays() throws {
        let laurel = try store()
        let applied = try laurel.run("rules", "apply", "new.yaml", "--yes", "--keep-xp", "--keep-achievements")
        #expect(
            applied.output.contains(
                "\nWhat is lost of them is kept, with all its tiers\nWhat is lost of XP is kept\n\n"
            )
        )
        let told = "1 achievement kept by achievement.granted\nXP of 2 tracks kept by xp.declared\n"
        #expect(applied.output.hasSuffix(told), "\(applied)")
        for language in [[], ["--language", "es"]] {
            let progress = try laurel.run(["progress", "anna", "--json"] + language).output
            #expect(progress.contains(#""totalXP":70,"#), "\(progress)")
        }
        let declared = try laurel.run("export", "--learner", "anna").output.split(separator: "\n").filter {
            $0.contains("xp.declared") && $0.contains(#""total":70}"#) && $0.contains(#""time":"2026-02-05T18:02:00Z""#)
        }
        #expect(declared.count == 2, "\(declared)")
        #expect(try laurel.run("replay", "--check").status == 0)
        // Learners who already have as much get no event.
        let again = try laurel.run("rules", "apply", "--version", "1", "--yes", "--keep-xp", "--json").output
        #expect(again.contains(#""granted":0,"declared":0,"#), "\(again)")
    }

    @Test func fewerTiersAreNoLossOfWhatIsHeld() throws {
        let laurel = try store()
        let talker = "value: total.lines, at_least: [2, 4]"
        try laurel.write(Laurel.rules.replacing(talker, with: "value: total.lines, at_least: [1, 2]"), to: "two.yaml")
        try laurel.write(Laurel.rules.replacing(talker, with: "value: total.lines, at_least: 1"), to: "one.yaml")
        let more = try laurel.run("rules", "apply", "two.yaml", "--yes", "--at", "2026-02-06T00:00:00Z")
        let columns = "won  lost  more tiers  earlier  later\n"
        #expect(more.output.contains(columns) && more.output.contains("talker tier 1 → 2\n"), "\(more)")
        let json = try laurel.run("rules", "diff", "one.yaml", "--json")
        #expect(json.output.contains(#""id":"talker","outcome":"fewerTiers","tierBefore":2,"tierAfter":1,"#))
        #expect(json.output.contains(#""won":0,"lost":0,"moreTiers":0,"fewerTiers":1,"earlier":0,"later":0}"#))
        let fewer = try laurel.run("rules", "apply", "one.yaml", "--yes", "--keep-achievements")
        #expect(fewer.output.contains("talker tier 2 → 1\n"), "\(fewer)")
        #expect(fewer.output.contains("\nThe new rules have fewer tiers, and no more to keep: talker\n\n"), "\(fewer)")
        #expect(fewer.output.hasSuffix("0 achievements kept by achievement.granted\n"))
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    @Test func whatIsGoneCannotBeKept() throws {
        let laurel = try store()
        try laurel.write(
            RulesTests.harder.split(separator: "\n").filter { !$0.contains("id: talker") }.joined(separator: "\n"),
            to: "without.yaml"
        )
        let applied = try laurel.run("rules", "apply", "without.yaml", "--yes", "--keep-achievements")
        #expect(applied.output.contains("\nThe new rules have no such achievement to keep: talker\n"), "\(applied)")
        #expect(applied.output.hasSuffix("0 achievements kept by achievement.granted\n"))
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    @Test func historySaysWhatChanged() throws {
        let laurel = try store()
        try laurel.run("rules", "apply", "new.yaml", "--yes")
        let history = try laurel.run("rules", "history")
        let lines = history.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "version 1  “small”")
        #expect(lines[1] == "  applied 2026-03-01 00:00 UTC")
        #expect(lines[2].hasPrefix("  hash    ") && lines[2].count == 74)
        #expect(lines[4] == "version 2  “harder”, in force")
        #expect(
            lines[7...] == [
                "  - the rules: `name` was “small”, is “harder”", "  - XP rule `line`: `award` was `10`, is `4`",
                "  - achievement `talker`: `at_least` was 2, 4, is 3, 4", "",
            ]
        )
        #expect(history.errors == "laurel: 2 versions\n")
        let json = try laurel.run("rules", "history", "--json")
        #expect(
            json.output.contains(
                #""appliedAt":"2026-03-01T00:00:00.000Z","inForce":false,"from":null,"changes":[],"problem":null}"#
            )
        )
        let empty = try Laurel()
        #expect(try empty.run("rules", "history").status == 2)
    }
}
