// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct IngestTests {
    @Test func tellsWhatBecameOfEveryLine() throws {
        let laurel = try Laurel()
        try laurel.write(Laurel.events, to: "events.ndjson")
        let first = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", "events.ndjson")
        #expect(first == .init(output: #"{"read":9,"stored":9,"duplicates":0,"conflicts":0,"refused":0}"# + "\n"))
        let second = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", input: Laurel.events)
        #expect(second == .init(output: #"{"read":9,"stored":0,"duplicates":9,"conflicts":0,"refused":0}"# + "\n"))
    }

    @Test func refusedLinesAndConflictsAreToldAndStopNothing() throws {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(
            """
            nonsense
            {"id":"1","source":"app","type":"learner.updated","subject":"anna","time":"2026-02-04T17:00:00Z"}
            {"id":"9","source":"app","type":"line.spoken","subject":"anna","time":"2026-02-06T17:00:00Z"}

            """,
            to: "more.ndjson"
        )
        let outcome = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", "more.ndjson")
        #expect(outcome.status == 1)
        #expect(outcome.output == #"{"read":3,"stored":1,"duplicates":0,"conflicts":1,"refused":1}"# + "\n")
        #expect(outcome.messages.count == 3)
        #expect(outcome.messages[0].hasPrefix("more.ndjson:1: "))
        #expect(outcome.messages[1].hasPrefix("more.ndjson:2: "))
        #expect(outcome.messages[2] == "2 lines in quarantine: see `laurel quarantine list`")
    }

    @Test func theSummaryForPeopleHasTheSameNumbers() throws {
        let outcome = try Laurel().run("ingest", "--now", "2026-03-01T00:00:00Z", "-", input: Laurel.events)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("read 9, stored 9, duplicates 0, conflicts 0, refused 0 in "))
    }

    @Test func aMissingFileStopsAllBeforeAnythingIsWritten() throws {
        let laurel = try Laurel()
        try laurel.write(Laurel.events, to: "events.ndjson")
        let outcome = try laurel.run("ingest", "events.ndjson", "none.ndjson")
        #expect(outcome.status == 2)
        #expect(outcome.messages == ["cannot open none.ndjson: No such file or directory"])
        #expect(!laurel.exists("laurel.db"))
    }

    @Test(arguments: [
        ("a table of reviews", "card_id,review_time,review_rating\n1,2,3\n"),
        ("a database", "SQLite format 3\0" + String(repeating: "\0", count: 500)),
    ])
    func `a refused file leaves no store behind`(name: String, content: String) throws {
        let laurel = try Laurel()
        try laurel.write(content, to: "other")
        #expect(try laurel.run("ingest", "other").status == 2, "\(name)")
        #expect(!laurel.exists("laurel.db") && !laurel.exists("laurel.db-wal"), "\(name)")
        try laurel.write(Laurel.events, to: "events.ndjson")
        #expect(
            try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", "other", "events.ndjson").status == 1,
            "\(name)"
        )
        #expect(try laurel.run("ingest", "other").status == 2, "\(name)")
        #expect(laurel.exists("laurel.db"), "\(name): a store with events stays")
    }

    @Test func invalidRulesAreAWrongRequest() throws {
        let laurel = try Laurel(rules: "version: 1\nxpp: []\n")
        let outcome = try laurel.run("ingest", "--rules", "rules.yaml", input: Laurel.events)
        #expect(outcome.status == 2)
        #expect(outcome.messages.first?.hasPrefix("rules.yaml:2:1: error: ") == true)
        #expect(outcome.messages.last == "these rules cannot be used")
        #expect(!laurel.exists("laurel.db"))
    }

    @Test func theStoreComesFromTheEnvironmentWhereNoneIsNamed() throws {
        let laurel = try Laurel()
        try laurel.write(Laurel.events, to: "events.ndjson")
        let ingest = "laurel ingest --now 2026-03-01T00:00:00Z events.ndjson"
        #expect(try laurel.shell(ingest, environment: ["LAUREL_STORE": "other.db"]).status == 0)
        #expect(laurel.exists("other.db") && !laurel.exists("laurel.db"))
        #expect(try laurel.run("learners", "--store", "other.db").messages == ["2 learners"])
    }
}
