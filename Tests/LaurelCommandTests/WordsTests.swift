import Testing

@Suite struct WordsTests {
    private let laurel: Laurel
    private let at = "2026-02-05T20:00:00Z"

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func dueWordsComeFirst() throws {
        let outcome = try laurel.run("words", "anna", "--at", at)
        #expect(outcome.errors == "laurel: 2 words\n")
        #expect(
            outcome.output == """
                language  word     text   translation  mastery  reviews  correct  interval  ease  next review (UTC)
                es        cafe                         .....          0        0       1 d  2.50  2026-02-04 18:00   due
                es        w-arbol  Árbol  tree         *....          1        1       2 d  2.50  2026-02-07 18:02

                """
        )
    }

    @Test func jsonHasTheSchedule() throws {
        let outcome = try laurel.run("words", "anna", "--language", "es", "--json", "--at", at)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                [
                {"language":"es","word":"cafe","text":null,"translation":null,"partOfSpeech":null,"category":null,"bucket":"new","mastery":0,"reviews":0,"correct":0,"intervalDays":1,"easeFactor":2.5,"nextReviewAt":"2026-02-04T18:00:40.000Z","learned":false,"due":true,"firstSeenAt":"2026-02-04T18:00:40.000Z","lastReviewedAt":null,"learnedAt":null,"encounters":1},
                {"language":"es","word":"w-arbol","text":"Árbol","translation":"tree","partOfSpeech":null,"category":null,"bucket":"learning","mastery":1,"reviews":1,"correct":1,"intervalDays":2,"easeFactor":2.5,"nextReviewAt":"2026-02-07T18:02:00.000Z","learned":false,"due":false,"firstSeenAt":"2026-02-05T18:01:00.000Z","lastReviewedAt":"2026-02-05T18:02:00.000Z","learnedAt":null,"encounters":0}
                ]

                """
        )
    }

    @Test(arguments: [("ar", 1), ("ÁR", 1), ("ａｒ", 1), ("W-", 1), ("café", 1), ("x", 0), ("", 2)])
    func prefixesIgnoreCaseAndDiacritics(prefix: String, count: Int) throws {
        let outcome = try laurel.run("words", "anna", "--prefix", prefix, "--json", "--at", at)
        #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("{") } == count)
    }

    @Test func filtersAndLimits() throws {
        let due = try laurel.run("words", "anna", "--due", "--at", at)
        #expect(due.messages == ["1 word, of 2 known"])
        let limited = try laurel.run("words", "anna", "--limit", "1", "--at", at)
        #expect(limited.messages == ["1 of 2 words"])
        let unknown = try laurel.run("words", "anna", "--language", "fr", "--at", at)
        #expect(unknown.status == 2)
        #expect(unknown.messages == ["anna has no events in “fr” as of 2026-02-05T20:00:00Z; languages: es"])
    }

    @Test(arguments: [
        (["--learned"], ["w1"]), (["--bucket", "new"], ["w1", "w3"]), (["--bucket", "learning"], ["w2"]),
        (["--bucket", "mastered"], []), (["--category", "nature"], ["w1", "w2"]), (["--category", "Nature"], []),
        (["--category", "nature", "--learned", "--due"], ["w1"]),
    ])
    func filtersByPlaceAndCategory(options: [String], words: [String]) throws {
        let laurel = try Laurel(events: Laurel.categorised)
        let outcome = try laurel.run(["words", "anna", "--json", "--at", at] + options)
        let found = outcome.output.split(separator: "\n").filter { $0.hasPrefix("{") }
            .compactMap { $0.firstMatch(of: /"word":"(.*?)"/)?.1 }
        #expect(found.map(String.init).sorted() == words, "\(outcome)")
    }

    @Test func aWrongBucketIsToldTheRightOnes() throws {
        let outcome = try laurel.run("words", "anna", "--bucket", "master")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages.first
                == "--bucket: “master” is none of new, learning, reviewing, mastered; did you mean mastered?"
        )
    }

    @Test func underFSRSWordsHaveStabilityAndDifficulty() throws {
        let laurel = try Laurel(events: Laurel.events, rules: "version: 1\nname: f\nmastery: {scheduler: fsrs}\n")
        let outcome = try laurel.run("words", "anna", "--prefix", "w", "--json", "--at", at)
        #expect(outcome.output.contains(#""intervalDays":2,"stability":2.3065,"difficulty":2.11810"#))
        #expect(!outcome.output.contains("easeFactor"))
    }
}
