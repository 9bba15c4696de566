// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct QuarantineTests {
    private static let refused = "nonsense\n{\"id\":\"7\"}\n\u{1}\r\n"

    private func laurel() throws -> Laurel {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(Self.refused, to: "bad.ndjson")
        try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", "bad.ndjson")
        return laurel
    }

    @Test func listsWhatWasRefusedAndWhy() throws {
        let outcome = try laurel().run("quarantine")
        #expect(outcome.status == 0)
        let rows = outcome.output.split(separator: "\n")
        #expect(rows.count == 4)
        #expect(rows[0].hasPrefix("id  where         learner  reason"))
        #expect(rows[1].hasPrefix(" 1  bad.ndjson:1           not valid JSON"))
        #expect(rows[2].hasSuffix("2026-03-01 00:00"))
        #expect(outcome.messages.first?.hasPrefix("3 lines in quarantine: ") == true)
    }

    @Test func limitsWhatItLists() throws {
        let outcome = try laurel().run("quarantine", "list", "--limit", "2")
        #expect(outcome.output.split(separator: "\n").count == 3)
        #expect(outcome.messages.last == "2 shown; --limit N shows more")
    }

    @Test func jsonHasEveryLine() throws {
        let laurel = try laurel()
        let list = try laurel.run("quarantine", "list", "--json")
        #expect(list.status == 0 && list.errors == "")
        #expect(list.output.hasPrefix("[\n{\"id\":1,\"reason\":"))
        #expect(list.output.hasSuffix("\n]\n"))
        #expect(
            list.output.contains(
                #""file":"bad.ndjson","line":1,"receivedAt":"2026-03-01T00:00:00.000Z","eventId":null"#
            )
        )
        try laurel.run("quarantine", "drop", "--all")
        #expect(try laurel.run("quarantine", "list", "--json").output == "[]\n")
    }

    @Test func exportGivesTheOriginalLines() throws {
        let laurel = try laurel()
        #expect(try laurel.run("quarantine", "export", "2", "1").output == "{\"id\":\"7\"}\nnonsense\n")
        let outcome = try laurel.run("quarantine", "export", "--out", "repair.ndjson")
        #expect(outcome == .init(errors: "laurel: 3 lines written to repair.ndjson\n"))
        #expect(try laurel.read("repair.ndjson").hasPrefix("nonsense\n{\"id\":\"7\"}\n\u{1}"))
    }

    @Test func dropsOnlyWhatIsThere() throws {
        let laurel = try laurel()
        let unknown = try laurel.run("quarantine", "drop", "1", "99")
        #expect(unknown.status == 2)
        #expect(unknown.messages == ["there is no line 99 in quarantine", "`laurel quarantine list` lists them"])
        #expect(try laurel.run("quarantine", "drop", "1") == .init(output: "1 line dropped\n"))
        #expect(try laurel.run("quarantine", "drop", "--all") == .init(output: "2 lines dropped\n"))
        #expect(try laurel.run("quarantine") == .init(errors: "laurel: nothing is in quarantine\n"))
    }

    @Test func aFullQuarantineKeepsNoMoreAndSaysSo() throws {
        let laurel = try Laurel(events: Laurel.events)
        let lines = (0..<400).map { "{broken \($0 &* 7919)" }.joined(separator: "\n")
        try laurel.write(lines, to: "broken.ndjson")
        let text = try laurel.run("ingest", "--quarantine-limit", "20K", "broken.ndjson")
        #expect(text.status == 1)
        #expect(text.output.hasPrefix("read 400, stored 0, duplicates 0, conflicts 0, refused 400 in"))
        let kept = try laurel.run("quarantine", "export").output.split(separator: "\n").count
        #expect(50 < kept && kept < 200, "\(kept)")
        #expect(text.messages.contains { $0.hasPrefix("\(kept) lines in quarantine: see") }, "\(text)")
        #expect(
            text.messages.contains { $0.hasPrefix("\(400 - kept) lines not kept, for quarantine is full") },
            "\(text)"
        )
        let json = try laurel.run("ingest", "--json", "--quarantine-limit", "20K", "broken.ndjson")
        #expect(json.status == 1)
        #expect(
            json.output
                == #"{"read":400,"stored":0,"duplicates":0,"conflicts":0,"refused":400,"notKept":400}"# + "\n"
        )
        try laurel.run("quarantine", "drop", "--all")
        let all = try laurel.run("ingest", "--json", "--quarantine-limit", "1M", "broken.ndjson")
        #expect(!all.output.contains("notKept"))
        let wrong = try laurel.run("ingest", "--quarantine-limit", "much", "broken.ndjson")
        #expect(wrong.status == 2)
        #expect(try laurel.run("verify").status == 0)
    }
}
