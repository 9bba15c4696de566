// SPDX-License-Identifier: Apache-2.0

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
                {"language":"es","word":"cafe","text":null,"translation":null,"partOfSpeech":null,"category":null,"tags":[],"favourite":false,"bucket":"new","mastery":0,"reviews":0,"correct":0,"intervalDays":1,"easeFactor":2.5,"nextReviewAt":"2026-02-04T18:00:40.000Z","learned":false,"due":true,"firstSeenAt":"2026-02-04T18:00:40.000Z","lastReviewedAt":null,"learnedAt":null,"encounters":1},
                {"language":"es","word":"w-arbol","text":"Árbol","translation":"tree","partOfSpeech":null,"category":null,"tags":[],"favourite":false,"bucket":"learning","mastery":1,"reviews":1,"correct":1,"intervalDays":2,"easeFactor":2.5,"nextReviewAt":"2026-02-07T18:02:00.000Z","learned":false,"due":false,"firstSeenAt":"2026-02-05T18:01:00.000Z","lastReviewedAt":"2026-02-05T18:02:00.000Z","learnedAt":null,"encounters":0}
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

    @Test(arguments: [
        (["--tag", "food"], ["n", "q"]), (["--tag", "Food"], []), (["--favourite"], ["q", "z"]),
        (["--favorite"], ["q", "z"]), (["--tag", "food", "--favourite"], ["q"]), (["--tag", "old"], []),
    ])
    func filtersByTagAndFavourite(options: [String], words: [String]) throws {
        let laurel = try Laurel(events: Self.tagged)
        let outcome = try laurel.run(["words", "anna", "--json", "--at", at] + options)
        let found = outcome.output.matches(of: /"word":"(.*?)"/).map { String($0.1) }
        #expect(found.sorted() == words, "\(outcome)")
    }

    @Test func tagsAndFavouritesAreShown() throws {
        let laurel = try Laurel(events: Self.tagged)
        let json = try laurel.run("words", "anna", "--tag", "food", "--favourite", "--json", "--at", at).output
        #expect(json.contains(#""category":null,"tags":["food","sweet"],"favourite":true,"bucket""#))
        let table = try laurel.run("words", "anna", "--tag", "food", "--at", at).output
        let heading = "language  word  text   translation  mastery  reviews  correct  interval  ease"
        #expect(
            table == """
                \(heading)  next review (UTC)                  tags
                es        n     nube                .....          0        0       1 d  2.50  2026-02-01 10:00   due             food
                es        q     queso               .....          0        0       1 d  2.50  2026-02-01 10:00   due, favourite  food, sweet

                """
        )
    }

    @Test func aPrefixListsInTheOrderOfTheWords() throws {
        let laurel = try Laurel(events: Self.tagged)
        func texts(_ options: String...) throws -> [String] {
            let outcome = try laurel.run(["words", "anna", "--json", "--at", at] + options)
            return outcome.output.matches(of: /"text":"(.*?)"/).map { String($0.1) }
        }
        #expect(try texts("--prefix", "n") == ["nadar", "Ñandú", "ñu", "nube"])
        #expect(try texts("--prefix", "") == ["nadar", "Ñandú", "ñu", "nube", "queso", "zumo"])
        #expect(try texts("--prefix", "n", "--limit", "2") == ["nadar", "Ñandú"])
        // Without a prefix, the word that is longest overdue comes first.
        #expect(try texts() == ["nube", "queso", "zumo", "Ñandú", "ñu", "nadar"])
    }

    @Test func aPrefixFindsTwentyWhereNobodySays() throws {
        let laurel = try Laurel(
            events: (10..<40).map { Self.word("w\($0)", "palabra \($0)", minute: 0) }.joined(separator: "\n") + "\n"
        )
        #expect(try laurel.run("words", "anna", "--prefix", "pal", "--at", at).messages == ["20 of 30 words"])
        let all = try laurel.run("words", "anna", "--prefix", "pal", "--limit", "100", "--at", at)
        #expect(all.messages == ["30 words"])
        #expect(try laurel.run("words", "anna", "--at", at).messages == ["30 words"])
    }

    private static func word(_ id: String, _ text: String, minute: Int, _ more: String = "") -> String {
        #"{"id":"\#(id)","source":"app","type":"word.added","subject":"anna","language":"es","#
            + #""time":"2026-02-01T10:\#(minute < 10 ? "0" : "")\#(minute):00Z","data":{"word":"\#(id)","text":"\#(text)"\#(more)}}"#
    }

    /// Words later in the alphabet are due first.
    private static let tagged = [
        word("n", "nube", minute: 0, #","tags":["old"]"#),
        word("q", "queso", minute: 0, #","tags":["food","sweet"],"favorite":true"#),
        word("z", "zumo", minute: 1, #","favourite":true"#), word("a", "Ñandú", minute: 2, #","favourite":true"#),
        word("u", "ñu", minute: 3), word("d", "nadar", minute: 4),
        #"{"id":"t","source":"app","type":"word.updated","subject":"anna","language":"es","time":"2026-02-01T11:00:00Z","data":{"word":"n","tags":["food"]}}"#,
        #"{"id":"f","source":"app","type":"word.updated","subject":"anna","language":"es","time":"2026-02-01T11:00:00Z","data":{"word":"a","favourite":false}}"#,
        "",
    ].joined(separator: "\n")

    @Test func aWrongBucketIsToldTheRightOnes() throws {
        let outcome = try laurel.run("words", "anna", "--bucket", "master")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages.first
                == "--bucket: “master” is not one of new, learning, reviewing, mastered; did you mean mastered?"
        )
    }

    @Test func underFSRSWordsHaveStabilityAndDifficulty() throws {
        let laurel = try Laurel(events: Laurel.events, rules: "version: 1\nname: f\nmastery: {scheduler: fsrs}\n")
        let outcome = try laurel.run("words", "anna", "--prefix", "w", "--json", "--at", at)
        #expect(outcome.output.contains(#""intervalDays":2,"stability":2.3065,"difficulty":2.11810"#))
        #expect(!outcome.output.contains("easeFactor"))
    }
}
