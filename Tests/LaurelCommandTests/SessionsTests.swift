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
                Words       1, 1 new
                Errors      1, 0 corrected
                XP          60 (lines 10, sessions 50)

                time (UTC)  line  role  text                translation       accuracy  errors
                18:00:30    c1          Un café, por favor  A coffee, please       95%       1

                """
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
