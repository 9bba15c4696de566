// SPDX-License-Identifier: Apache-2.0

import Testing

/// Rules in force from a date, and periods, in the command line.
@Suite struct RulesInTimeTests {
    private static let harder = Laurel.rules.replacing("award: 10}", with: "award: 4}")
        .replacing("at_least: [2, 4]", with: "at_least: [3, 4]").replacing("name: small", with: "name: harder")

    private func store() throws -> Laurel {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(Self.harder, to: "new.yaml")
        return laurel
    }

    @Test func fromADateThePastStays() throws {
        let laurel = try store()
        let at = ["--at", "2026-02-06T00:00:00Z"]
        let diff = try laurel.run(["rules", "diff", "new.yaml", "--from", "2026-02-05"] + at)
        #expect(diff.status == 0 && diff.output.hasPrefix("“small” → new.yaml from 2026-02-05\n2 learners, 9 events"))
        #expect(diff.output.contains("largest loss -6, in sum -6 (-8.6%)\n"), "\(diff)")
        let applied = try laurel.run(["rules", "apply", "new.yaml", "--from", "2026-02-05", "--yes"] + at)
        let told = diff.output + "\nversion 2 is in force from 2026-02-05; 2 learners folded in "
        #expect(applied.status == 0 && applied.errors.isEmpty && applied.output.hasPrefix(told), "\(applied)")
        let progress = try laurel.run("progress", "anna", "--json").output
        #expect(
            progress.contains(#""totalXP":64,"#) && progress.contains(#""rules":{"name":"harder","from":"2026-02-05"}"#)
        )
        #expect(try laurel.run(["progress", "anna"] + at).output.contains("  Rules       harder, from 2026-02-05\n"))
        // As of the day before, the earlier rules apply.
        let before = try laurel.run("progress", "anna", "--json", "--at", "2026-02-04T23:00:00Z").output
        #expect(
            before.contains(#""totalXP":60,"#) && before.contains(#""rules":{"name":"small","from":null}"#),
            "\(before)"
        )
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    @Test func aDateThatIsYetToComeChangesNothing() throws {
        let laurel = try store()
        let fingerprint = try laurel.run("fingerprint").output
        let applied = try laurel.run("rules", "apply", "new.yaml", "--from", "2999-12-24", "--yes", "--json")
        #expect(
            applied.output.hasPrefix(#"{"version":2,"from":"2999-12-24","method":"replay","learners":2,"#),
            "\(applied)"
        )
        #expect(applied.output.contains(#""noChange":2,"#), "\(applied)")
        #expect(try laurel.run("fingerprint").output == fingerprint)
        #expect(try laurel.run("progress", "anna", "--json").output.contains(#""totalXP":70,"#))
        let withdrawn = try laurel.run("rules", "withdraw", "2999-12-24")
        #expect(withdrawn == .init(output: "the version from 2999-12-24 is withdrawn; version 1 is the latest now\n"))
        #expect(try laurel.run("fingerprint").output == fingerprint)
        let again = try laurel.run("rules", "withdraw", "2999-12-24")
        #expect(
            again.status == 2 && again.errors.hasPrefix("laurel: no version of the rules is in force from 2999-12-24")
        )
    }

    @Test func whatIsInForceSomewhereCannotBeWithdrawn() throws {
        let laurel = try store()
        try laurel.run("rules", "apply", "new.yaml", "--from", "2026-02-05", "--yes")
        let outcome = try laurel.run("rules", "withdraw", "2026-02-05")
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.messages.first?.contains("is in force already") == true, "\(outcome)")
    }

    @Test func replacingTakesAllVersionsAway() throws {
        let laurel = try store()
        try laurel.run("rules", "apply", "new.yaml", "--from", "2026-02-05", "--yes")
        // The latest rules for all days differ from those in force.
        let applied = try laurel.run("rules", "apply", "new.yaml", "--yes")
        #expect(applied.output.contains("\nversion 3 is in force; 2 learners folded in "), "\(applied)")
        let progress = try laurel.run("progress", "anna", "--json").output
        #expect(progress.contains(#""totalXP":58,"#) && !progress.contains(#""rules""#))
    }

    /// A store with several versions differs from any single file, even that of the latest version.
    @Test func severalVersionsRefuseEveryFile() throws {
        let laurel = try store()
        try laurel.run("rules", "apply", "new.yaml", "--from", "2026-02-05", "--yes")
        for file in ["rules.yaml", "new.yaml"] {
            let outcome = try laurel.run("ingest", "--rules", file, "events.ndjson")
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
            let versions = "version 1 (“small”), version 2 (“harder” from 2026-02-05)"
            #expect(
                outcome.errors.hasPrefix("laurel: the store has other rules, \(versions), and rules are given to a new")
            )
        }
        #expect(try laurel.run("ingest", "events.ndjson").output.contains("stored 0, duplicates 9"))
    }

    @Test func aTerminalIsAsked() throws {
        let laurel = try store()
        let question = "Apply new.yaml from 2026-02-05 to laurel.db? [y/N]"
        let command = "script -qec 'laurel rules apply new.yaml --from 2026-02-05' /dev/null"
        let no = try laurel.shell("echo n | " + command)
        #expect(
            no.status == 1 && no.output.contains(question) && no.output.contains("laurel: nothing was applied"),
            "\(no)"
        )
        #expect(try laurel.run("rules", "history").errors == "laurel: 1 version\n")
        let yes = try laurel.shell("echo y | " + command)
        #expect(yes.status == 0 && yes.output.contains("version 2 is in force from 2026-02-05"), "\(yes)")
        let nobody = try laurel.run("rules", "apply", "new.yaml", "--from", "2026-02-05")
        #expect(nobody.status == 2 && nobody.output.isEmpty)
        #expect(
            nobody.messages.first
                == "rules apply asks first, but there is no terminal; --yes applies without asking"
        )
    }

    static let wrongDates: [(words: [String], message: String)] = [
        (
            ["rules", "apply", "new.yaml", "--yes", "--from", "soon"],
            "--from: “soon” is not a date, such as 2026-12-24"
        ),
        (
            ["rules", "diff", "new.yaml", "--from", "2026-02-30"],
            "--from: “2026-02-30” is not a date, such as 2026-12-24"
        ),
        (["rules", "withdraw", "x"], "rules withdraw: “x” is not a date, such as 2026-12-24"),
    ]

    @Test(arguments: wrongDates) func wrongDatesAreRefused(words: [String], message: String) throws {
        let outcome = try store().run(words)
        #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.messages.first == message, "\(outcome)")
    }

    @Test func whatIsKeptFromADate() throws {
        let laurel = try store()
        let words = ["rules", "apply", "new.yaml", "--from", "2026-02-05", "--yes", "--keep-xp", "--keep-achievements"]
        let applied = try laurel.run(words).output
        #expect(
            applied.hasSuffix("1 achievement kept by achievement.granted\nXP of 2 tracks kept by xp.declared\n"),
            "\(applied)"
        )
        #expect(try laurel.run("progress", "anna", "--json").output.contains(#""totalXP":70,"#))
        #expect(
            try laurel.run("achievements", "anna", "--unlocked", "--json").output.contains(
                #""unlockedAt":"2026-02-05T18:00:00.000Z""#
            )
        )
        #expect(try laurel.run("replay", "--check").status == 0)
    }

    /// A weekend of double XP for everyone, each by their own clock.
    @Test func aDoubleXPWeekend() throws {
        let laurel = try store()
        let bonus =
            "  - {id: weekend, bucket: bonus, on: line.spoken, from: 2026-02-07, through: 2026-02-08, award: earned}\n"
        let rules = Laurel.rules.replacing("cefr:", with: bonus + "cefr:").replacing(
            "name: small",
            with: "name: weekend"
        )
        try laurel.write(rules, to: "weekend.yaml")
        #expect(try laurel.run("rules", "check", "weekend.yaml").status == 0)
        #expect(try laurel.run("rules", "diff", "weekend.yaml", "--from", "2026-02-07").output.contains("no change 2"))
        #expect(try laurel.run("rules", "apply", "weekend.yaml", "--from", "2026-02-07", "--yes").status == 0)
        let line = { (id: Int, time: String) in
            #"{"id":"w\#(id)","source":"app","type":"line.spoken","subject":"anna","time":"\#(time)"}"# + "\n"
        }
        // Friday and Saturday of a traveller, Sunday, Monday.
        let times = [
            "2026-02-06T23:50:00-05:00", "2026-02-07T00:10:00-05:00", "2026-02-08T23:50:00Z", "2026-02-09T00:10:00Z",
        ]
        try laurel.write(zip(1..., times).map(line).joined(), to: "more.ndjson")
        #expect(try laurel.run("ingest", "more.ndjson", "--now", "2026-03-01T00:00:00Z").status == 0)
        #expect(try laurel.run("progress", "anna", "--json").output.contains(#""bonus":20"#))
        let saturday = try laurel.run("explain", "anna", "--xp", "--day", "2026-02-07").output
        #expect(saturday.contains("      +10  weekend (bonus)  1 line gave 10 XP\n"), "\(saturday)")
        let monday = try laurel.run("explain", "anna", "--xp", "--day", "2026-02-09").output
        let resting = "        0  weekend (bonus)  1 line gave nothing: not after 2026-02-08\n"
        #expect(monday.contains(resting), "\(monday)")
        #expect(try laurel.run("replay", "--check").status == 0)
    }
}
