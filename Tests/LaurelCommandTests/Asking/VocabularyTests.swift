// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct VocabularyTests {
    private let laurel: Laurel
    private let at = "2026-02-05T20:00:00Z"

    init() throws { laurel = try Laurel(events: Laurel.categorised) }

    @Test func bucketsAndCategories() throws {
        let outcome = try laurel.run("vocabulary", "anna", "--at", at)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                known       3
                learned     1
                due         3
                new         2
                learning    1
                reviewing   0
                mastered    0

                language  category  known  learned       due
                es        nature        2        1  50%    2
                fr        (none)        1        0   0%    1

                """
        )
    }

    @Test func json() throws {
        let outcome = try laurel.run("vocabulary", "anna", "--language", "es", "--json", "--at", at)
        #expect(
            outcome.output
                == [
                    #"{"language":"es","known":2,"learned":1,"due":2,"new":1,"learning":1,"reviewing":0,"mastered":0,"#,
                    #""categories":[{"language":"es","category":"nature","known":2,"learned":1,"due":2}]}"#, "\n",
                ].joined()
        )
    }

    @Test func studyTimeInTotalAndPerDay() throws {
        let outcome = try laurel.run("study-time", "anna", "--at", at)
        #expect(outcome.errors == "laurel: 13 min 34 s in 2 sessions; 2 days\n")
        #expect(
            outcome.output
                == """
                day                time  XP  lines  reviews  correct  new words  learned words
                2026-02-02  1 min 00 s  50      0        1        1          0              0
                2026-02-01  12 min 34 s  50      0        0        0          3              1

                """.replacing("2026-02-02  1 min", with: "2026-02-02   1 min")
        )
        let one = try laurel.run("study-time", "anna", "--limit", "1", "--json", "--language", "fr", "--at", at)
        #expect(
            one.output
                == #"{"language":"fr","totalMs":60000,"sessions":1,"days":[{"day":"2026-02-02","ms":60000,"xp":50,"lines":0,"reviews":0,"correctReviews":0,"newWords":0,"learnedWords":0,"active":false}]}"#
                + "\n"
        )
    }

    @Test func sessionsOfOneLanguage() throws {
        let outcome = try laurel.run("sessions", "anna", "--language", "fr", "--at", at)
        #expect(outcome.errors == "laurel: 1 session\n")
        #expect(outcome.output.contains("s2") && !outcome.output.contains("s1"))
        #expect(try laurel.run("sessions", "anna", "--language", "de", "--at", at).status == 2)
    }
}
