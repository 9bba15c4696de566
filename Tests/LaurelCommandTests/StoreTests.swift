// SPDX-License-Identifier: Apache-2.0

import Testing

/// Commands about the store as a whole.
@Suite struct StoreTests {
    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func learnersAreAlignedByCellsAndCannotSteerTheTerminal() throws {
        let outcome = try laurel.run("learners")
        #expect(outcome.errors == "laurel: 2 learners\n")
        #expect(
            outcome.output == #"""
                learner  name  cohort       level  XP  streak  words learned  events  last practice (UTC)
                anna     Anna                   1  70       2              0       8  2026-02-05 18:00
                さくら   桜    b\u{1B}[31m      1   0       0              0       1

                """#
        )
    }

    @Test func learnersAsJSON() throws {
        #expect(
            try laurel.run("learners", "--json").output == #"""
                [
                {"learner":"anna","displayName":"Anna","cohort":null,"currentLevel":1,"totalXP":70,"currentStreak":2,"totalWordsLearned":0,"events":8,"lastEventAt":"2026-02-05T18:02:00.000Z","lastPracticeAt":"2026-02-05T18:00:00.000Z"},
                {"learner":"さくら","displayName":"桜","cohort":"b\u001b[31m","currentLevel":1,"totalXP":0,"currentStreak":0,"totalWordsLearned":0,"events":1,"lastEventAt":"2026-02-04T00:00:00.000Z","lastPracticeAt":null}
                ]

                """#
        )
    }

    @Test func replayAndItsCheckGiveTheFingerprint() throws {
        let fingerprint = try laurel.run("fingerprint").output
        #expect(fingerprint.count == 65)
        for arguments in ["replay", "replay --check"] {
            let outcome = try laurel.shell("laurel \(arguments)")
            #expect(outcome.status == 0)
            let rows = outcome.output.split(separator: "\n")
            #expect(
                rows.map { $0.split(separator: "  ")[0] } == [
                    "learners", "events", "seconds", "events per second", "fingerprint",
                ]
            )
            #expect(rows[1] == "events             9")
            #expect(rows[4] == "fingerprint        \(fingerprint.dropLast())")
        }
        let json = try laurel.run("replay", "--check", "--json").output
        #expect(json.hasPrefix(#"{"learners":2,"events":9,"seconds":"#))
        #expect(json.hasSuffix(#","fingerprint":"\#(fingerprint.dropLast())","differences":[]}"# + "\n"))
    }

    @Test func verifyTellsWhatItChecked() throws {
        let outcome = try laurel.run("verify")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("ok: 9 events, 2 learners, "))
    }

    @Test func exportGivesTheEventsBack() throws {
        let outcome = try laurel.run("export", "--learner", "さくら")
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(outcome.output.contains(#""displayName":"桜""#))
        let file = try laurel.run("export", "--out", "all.ndjson")
        #expect(file == .init(errors: "laurel: 9 events written to all.ndjson\n"))
        let again = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", "all.ndjson")
        #expect(again.output == #"{"read":9,"stored":0,"duplicates":9,"conflicts":0,"refused":0}"# + "\n")
    }

    @Test func exportDoesNotOverwriteTheStoreNorAnythingForAnUnknownLearner() throws {
        let store = try laurel.run("export", "--out", "./laurel.db")
        #expect(store.status == 2)
        #expect(store.messages.first == "--out: “./laurel.db” is the store itself; name another file")
        try laurel.write("precious", to: "old.ndjson")
        let unknown = try laurel.run("export", "--learner", "bert", "--out", "old.ndjson")
        #expect(unknown.status == 2)
        #expect(try laurel.read("old.ndjson") == "precious")
        let folder = try laurel.run("export", "--out", "none/all.ndjson")
        #expect(folder.status == 2)
        #expect(folder.messages == ["cannot write none/all.ndjson: No such file or directory"])
    }

    @Test func eraseNeedsAnAnswerOrYes() throws {
        let unasked = try laurel.run("erase", "anna")
        #expect(unasked.status == 2)
        #expect(
            unasked.messages.first == "erase asks first, but there is no terminal; --yes erases without asking"
        )
        #expect(try laurel.run("erase", "anna", "--yes") == .init(output: "“anna” is erased\n"))
        #expect(try laurel.run("learners").messages == ["1 learner"])
        let again = try laurel.run("erase", "anna", "--yes")
        #expect(again.status == 2)
        #expect(again.messages.first == "there is no learner “anna” in the store")
    }

    @Test func aFileThatIsNoStoreFailsWithStatus3() throws {
        let outcome = try laurel.run("learners", "--store", "rules.yaml")
        #expect(outcome.status == 3)
        #expect(outcome.messages.first?.contains("rules.yaml") == true)
    }
}
