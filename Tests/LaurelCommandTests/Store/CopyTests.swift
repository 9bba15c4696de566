// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import Testing

/// `laurel copy` from one kind of store to another, and onward.
struct CopyTests {
    private func report(_ outcome: Laurel.Outcome) throws -> CopyReport {
        try #require(outcome.status == 0, "\(outcome)")
        return try LaurelJSON.decode(CopyReport.self, from: Data(outcome.output.utf8))
    }

    @Test(arguments: Laurel.places, Laurel.places)
    func `everything arrives, is there once, and can go on from there`(_ first: String, _ second: String) throws {
        let laurel = try Laurel.full()
        let (one, two) = (try laurel.newPlace(first, "one"), try laurel.newPlace(second, "two"))
        let report = try report(laurel.run("copy", "laurel.db", one, "--json"))
        #expect(report.events == 9 && report.copiedEvents == 9 && report.learners == 2)
        #expect(report.copiedRules == 4 && report.copiedLines == 3)
        #expect(report.secretsLeft == 1 && report.webhooks == 0)
        #expect(try laurel.run("keys", "list", "--json", "--store", one).output == "[]\n")
        let again = try self.report(laurel.run("copy", "laurel.db", one, "--json", "--with-keys"))
        #expect(again.copiedEvents == 0 && again.copiedRules == 0 && again.copiedLines == 0)
        #expect(again.fingerprint == report.fingerprint)
        #expect(
            try self.report(laurel.run("copy", one, two, "--json", "--with-keys")).fingerprint == report.fingerprint
        )
        for words in [
            ["export"], ["learners", "--json"], ["rules", "history", "--json"], ["keys", "list", "--json"],
            ["quarantine", "export"], ["fingerprint"],
        ] {
            let expected = try laurel.run(words)
            #expect(try laurel.run(words + ["--store", two]).output == expected.output, "\(words)")
        }
        for place in [one, two] {
            #expect(try laurel.run("verify", "--store", place).status == 0)
            #expect(try laurel.run("replay", "--check", "--store", place).status == 0)
        }
    }

    @Test(arguments: Laurel.places) func `what comes later is brought over, rules too`(_ kind: String) throws {
        let laurel = try Laurel.full()
        let place = try laurel.newPlace(kind, "copy")
        _ = try report(laurel.run("copy", "laurel.db", place, "--json", "--with-keys"))
        try laurel.write(Laurel.categorised.replacing("\"app\"", with: "\"other\""), to: "more.ndjson")
        try laurel.run("ingest", "--now", "2026-03-03T00:00:00Z", "more.ndjson")
        #expect(try laurel.run("rules", "apply", "--yes", "rules.yaml").status == 0)
        try laurel.run(
            "keys",
            "revoke",
            try #require(laurel.run("keys", "list").output.split(separator: "\n").last).prefix(12).description
        )
        let report = try report(laurel.run("copy", "laurel.db", place, "--json", "--with-keys"))
        #expect(report.copiedEvents == 7 && report.copiedRules == 1)
        #expect(try laurel.run("keys", "list", "--json", "--store", place).output == "[]\n")
        #expect(try laurel.run("replay", "--check", "--store", place).status == 0)
    }

    /// A copy cannot tell an erased learner of the source from a learner of its own.
    @Test(arguments: Laurel.places)
    func `who was erased in the source goes when that is asked for`(_ kind: String) throws {
        let laurel = try Laurel.full()
        let place = try laurel.newPlace(kind, "copy")
        let first = try report(laurel.run("copy", "laurel.db", place, "--json"))
        try laurel.run("erase", "anna", "--yes")
        // The learner is erased, and has other events again: fewer of them, and one with a known id.
        let again = Laurel.categorised.replacing("nature", with: "culture")
        try laurel.write(again, to: "again.ndjson")
        try laurel.run("ingest", "--now", "2026-03-03T00:00:00Z", "again.ndjson")
        try laurel.run("erase", "さくら", "--yes")
        let refused = try laurel.run("copy", "laurel.db", place)
        #expect(refused.status == 2 && refused.messages[0].contains("laurel copy --erase"), "\(refused)")
        #expect(refused.messages[0].contains("2 learners, such as “anna”"), "\(refused)")
        #expect(try laurel.run("learners", "--store", place).output.contains("桜"))
        let outcome = try laurel.run("copy", "--erase", "laurel.db", place, "--json")
        let report = try report(outcome)
        #expect(report.erasedLearners == 2 && report.copiedEvents == 7 && report.fingerprint != first.fingerprint)
        for words in [["export"], ["learners", "--json"], ["fingerprint"], ["quarantine", "export"]] {
            let expected = try laurel.run(words)
            #expect(try laurel.run(words + ["--store", place]).output == expected.output, "\(words)")
        }
        #expect(try laurel.run("verify", "--store", place).status == 0)
        try laurel.run("quarantine", "drop", "--all")
        #expect(try self.report(laurel.run("copy", "laurel.db", place, "--json")).droppedLines == 0)
        #expect(try self.report(laurel.run("copy", "--erase", "laurel.db", place, "--json")).droppedLines == 2)
        #expect(try laurel.run("quarantine", "export", "--store", place).output == "")
    }

    @Test(.enabled(if: DatabaseServer.binaries != nil)) func `a database under another spelling is the same store`()
        throws
    {
        let laurel = try Laurel.full()
        let place = try laurel.newPlace("database", "copy")
        let before = try report(laurel.run("copy", "laurel.db", place, "--json"))
        let parts = place.split(separator: "?")
        let other = "\(parts[0])?" + parts[1].split(separator: "&").reversed().joined(separator: "&")
        #expect(other != place)
        let same = try laurel.run("copy", place, other)
        #expect(same.status == 2 && same.messages[0].contains("are the same store"), "\(same)")
        #expect(try report(laurel.run("copy", place, "back.db", "--json")).fingerprint == before.fingerprint)
        // A dump is another store, whatever its content.
        let server = try #require(DatabaseServer.shared)
        let schema = place.split(separator: "schema=")[1].prefix { $0 != "&" }
        let dump =
            "pg_dump -h \(server.folder) -U \(server.user) -n \(schema) postgres | sed 's/\(schema)/\(schema)_b/g'"
            + " | psql -q -h \(server.folder) -U \(server.user) postgres"
        let path = "\(try #require(DatabaseServer.binaries)):/usr/bin:/bin"
        let dumped = try laurel.shell("PATH=\(path); \(dump)")
        #expect(dumped.status == 0, "\(dumped)")
        let second = place.replacing(schema, with: "\(schema)_b")
        #expect(try report(laurel.run("copy", place, second, "--json")).copiedEvents == 0)
    }

    @Test func `a destination with anything of its own is refused`() throws {
        let laurel = try Laurel.full()
        let other =
            #"{"id":"1","source":"a","type":"line.spoken","subject":"bob","time":"2026-02-04T17:00:00Z","language":"es"}"#
        try laurel.write(other, to: "other.ndjson")
        try laurel.run("copy", "laurel.db", "copy.db")
        try laurel.run("ingest", "--store", "copy.db", "--now", "2026-03-01T00:00:00Z", "other.ndjson")
        let events = try laurel.run("copy", "laurel.db", "copy.db")
        #expect(events.status == 2 && events.messages[0].contains("of learner “bob”"), "\(events)")
        try laurel.run("ingest", "--store", "rules.db", "--rules", "dearest.yaml", "other.ndjson")
        let rules = try laurel.run("copy", "laurel.db", "rules.db")
        #expect(rules.status == 2 && rules.messages[0].contains("has rules that the source has not"), "\(rules)")
        let same = try laurel.run("copy", "laurel.db", "./laurel.db")
        #expect(same.status == 2 && same.messages[0].contains("are the same store"), "\(same)")
        let none = try laurel.run("copy", "none.db", "new.db")
        #expect(none.status == 2 && !laurel.exists("new.db"), "\(none)")
    }
}
