// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct SessionsTests {
    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func oneLineEach() throws {
        let outcome = try laurel.run("sessions", "anna")
        #expect(outcome.errors == "laurel: 1 session\n")
        let heading = "session  started (UTC)          length  language  mode  scenario  partner"
        let row = "s1       2026-02-04 18:00  12 min 00 s  es        solo  cafe             "
        #expect(
            outcome.output == """
                \(heading)  lines  words  new  errors  corrected  XP
                \(row)      1      1    1       1          0  60

                """
        )
    }

    @Test func oneSessionWithItsLines() throws {
        let outcome = try laurel.run("sessions", "anna", "--session", "s1", "--json")
        #expect(
            outcome.output
                == [
                    #"{"sessionId":"s1","language":"es","startedAt":"2026-02-04T18:00:00.000Z","endedAt":"2026-02-04T18:12:00.000Z","#,
                    #""mode":"solo","scenarioId":"cafe","partner":null,"durationMs":720000,"linesSpoken":1,"wordsEncountered":1,"#,
                    #""newVocabulary":1,"errorsDetected":1,"errorsCorrected":0,"xpEarned":60,"#,
                    #""xpBreakdown":{"lines":10,"sessions":50},"#,
                    #""accuracy":0.95,"linesSkipped":0,"reviews":0,"hintsUsed":0,"repairsMade":0,"helpGiven":0,"#,
                    #""newWords":[{"word":"cafe","text":null,"translation":null}],"mistakes":[],"#,
                    #""lines":[{"time":"2026-02-04T18:00:30.000Z","line":"c1","role":null,"text":"Un café, por favor","#,
                    #""translation":"A coffee, please","accuracy":0.95,"errors":1,"skipped":false}]}"#, "\n",
                ].joined()
        )
    }

    @Test func oneSessionForPeople() throws {
        let outcome = try laurel.run("sessions", "anna", "--session", "s1")
        #expect(
            outcome.output == """
                Session     s1
                Language    es
                Started     2026-02-04 18:00 UTC
                Ended       2026-02-04 18:12 UTC
                Length      12 min 00 s
                Mode        solo
                Scenario    cafe
                Lines       1
                Accuracy    95%
                Words       1, 1 new
                Errors      1, 0 corrected
                XP          60 (lines 10, sessions 50)

                new word  text  translation
                cafe

                time (UTC)  line  role  text                translation       accuracy  errors
                18:00:30    c1          Un café, por favor  A coffee, please       95%       1

                """
        )
    }

    @Test func theReportOfASession() throws {
        func event(_ type: String, _ second: Int, _ data: String) -> String {
            #"{"id":"\#(type)-\#(second)","source":"app","type":"\#(type)","subject":"bo","session":"x","#
                + #""time":"2026-02-04T18:00:\#(second)Z","data":{\#(data)}}"#
        }
        let laurel = try Laurel(
            events: [
                event("line.spoken", 10, #""line":"l1","accuracy":1"#),
                event("line.spoken", 11, #""line":"l2","accuracy":0.5"#), event("line.skipped", 12, #""line":"l3""#),
                event("error.detected", 13, #""kind":"verb","original":"soy","corrected":"estoy","line":"l2""#),
                event("error.corrected", 14, #""kind":"verb","line":"l2""#),
                event("word.added", 15, #""word":"w","text":"queso","translation":"cheese""#),
                event("review.graded", 16, #""word":"w","grade":"good""#), event("hint.used", 17, ""),
                event("repair.made", 18, ""), event("repair.made", 19, #""helped":false"#), event("help.given", 20, ""),
                "",
            ].joined(separator: "\n")
        )
        let json = try laurel.run("sessions", "bo", "--session", "x", "--json").output
        let members = [
            #""accuracy":0.75,"linesSkipped":1,"reviews":1,"hintsUsed":1,"repairsMade":1,"helpGiven":1,"#,
            #""newWords":[{"word":"w","text":"queso","translation":"cheese"}],"#,
            #""mistakes":[{"time":"2026-02-04T18:00:13.000Z","kind":"verb","original":"soy","corrected":"estoy","line":"l2","correction":false},"#,
            #"{"time":"2026-02-04T18:00:14.000Z","kind":"verb","original":null,"corrected":null,"line":"l2","correction":true}],"#,
        ]
        #expect(json.contains(members.joined()))
        let text = try laurel.run("sessions", "bo", "--session", "x").output
        #expect(
            text.contains(
                """
                Lines       2, 1 skipped
                Accuracy    75%
                Words       0, 1 new
                Errors      1, 1 corrected
                Reviews     1
                Hints       1
                Repairs     1
                Help given  1
                XP          20 (lines 20)

                new word  text   translation
                w         queso  cheese

                time (UTC)  mistake          original  corrected  line
                18:00:13    verb             soy       estoy      l2
                18:00:14    verb, put right                       l2

                """
            ),
            "\(text)"
        )
    }

    @Test func anUnknownSessionIsAWrongRequest() throws {
        let outcome = try laurel.run("sessions", "anna", "--session", "s2", "--at", "2026-02-06T00:00:00Z")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages == [
                "anna has no session “s2” as of 2026-02-06T00:00:00Z", "`laurel sessions anna` lists them",
            ]
        )
    }
}
