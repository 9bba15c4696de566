// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Laurel
import LaurelEvents
import LaurelStore
import Testing

/// `Tests/Fixtures/format-7.db.zst` is a store of format 7: three simulated learners, two of them with UUIDs, the last
/// 338 events in the tail, a snapshot, a checkpoint, one refused line, two keys and a webhook (see `FormerServiceTests`).
@Suite struct MigrationTests {
    private static let events = 16518
    /// A time after all events.
    private static let now = "2031-01-01T00:00:00Z"
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("old.db")
        let fixture = "/\(#filePath.split(separator: "/").dropLast(3).joined(separator: "/"))/Fixtures/format-7.db.zst"
        try #require(system("zstd -dq '\(fixture)' -o '\(store)'") == 0)
    }

    @Test func `an old store is read as it is`() throws {
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try version() == 7)
    }

    @Test func `the first write brings it to the present format, and nothing changes`() throws {
        let events = try laurel("export", "--store", store).output
        #expect(events.split(separator: "\n").count == Self.events)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        // Every identity is still known, with counter ids and others.
        let again = try laurel(
            "ingest",
            "--now",
            MigrationTests.now,
            "--json",
            "--store",
            store,
            input: folder.write(events, to: "events.ndjson")
        )
        #expect(again.output.contains(#""stored":0,"duplicates":\#(Self.events)"#), "\(again.output)\(again.errors)")
        #expect(try Int(version()) == SQLiteStore.newestFormat)
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
        #expect(try laurel("quarantine", "export", "--store", store).output == "broken\n")
        let fresh = try freshStore(folder.file("events.ndjson"))
        #expect(try laurel("fingerprint", "--store", fresh).output == fingerprint)
    }

    @Test func `events after the move are told apart from those before`() throws {
        let events = try laurel("export", "--store", store).output.split(separator: "\n")
        try laurel(
            "ingest",
            "--now",
            MigrationTests.now,
            "--store",
            store,
            input: folder.write(String(events[0]), to: "one")
        )
        let changed = events.filter { $0.contains(#""type":"line.spoken""#) }.map {
            $0.replacing(#""type":"line.spoken""#, with: #""type":"line.skipped""#)
        }
        let file = try folder.write(changed.joined(separator: "\n"), to: "changed")
        let outcome = try laurel("ingest", "--now", MigrationTests.now, "--json", "--store", store, input: file)
        #expect(
            outcome.output.contains(#""stored":0,"duplicates":0,"conflicts":\#(changed.count)"#),
            "\(outcome.output)"
        )
    }

    /// Only events after the old format's snapshot can use it.
    @Test func `an event before all others, and one after them`() throws {
        let events = try laurel("export", "--store", store).output
        let more = ["2019-01-01T00:00:00Z", "2030-01-01T00:00:00Z"].map {
            line($0, at: $0, by: "learner-0001", source: "late")
        }
        for line in more {
            try laurel("ingest", "--now", MigrationTests.now, "--store", store, folder.write(line, to: "one"))
        }
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        let fresh = try freshStore(folder.write(events + more.joined(separator: "\n"), to: "all"))
        let fingerprint = try laurel("fingerprint", "--store", fresh).output
        #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
    }

    @Test func `queries find the learner's id, by one name in each view`() throws {
        let one = try folder.write(line("a"), to: "one")
        try laurel("ingest", "--now", MigrationTests.now, "--store", store, one)
        for table in ["learner_profiles", "progress", "daily", "achievements"] {
            let answer = folder.file("answer")
            let query = "SELECT count(*) > 0, min(learner <> '') FROM \(table)"
            try #require(system("sqlite3 '\(store)' \"\(query)\" > '\(answer)'") == 0)
            #expect(try String(decoding: contents(answer), as: UTF8.self) == "1|1\n", "\(table)")
            for former in ["subject", "learner_id"] {
                #expect(system("sqlite3 '\(store)' 'SELECT \(former) FROM \(table)' > /dev/null 2>&1") != 0, "\(table)")
            }
        }
    }

    @Test func `a migrated store takes notes`() throws {
        let engine = try ProgressEngine.openForReading(store, rules: nil)
        #expect(try engine.notes(of: "learner-0001") == [], "a file that is only read is not migrated")
        engine.close()
        let writer = try ProgressEngine.openForWriting(store, rules: nil, clock: 0)
        defer { writer.close() }
        let (actor, date) = (AuditActor(name: "a test"), Date(timeIntervalSince1970: 1_770_000_000))
        _ = try writer.addNote("speaks well", about: "learner-0001", by: actor, at: date)
        #expect(try writer.notes(of: "learner-0001")?.map(\.text) == ["speaks well"])
        #expect(try writer.verify().problems == [])
    }

    @Test(arguments: [
        (99, "99, this program knows up to \(SQLiteStore.newestFormat): use a newer one"),
        (
            6,
            "6, this program knows 7 and later: `laurel export` its events with Laurel 0.2, then `laurel ingest` them with"
                + " this version"
        ),
    ])
    func `a store of a format that is not known is refused with what to do, and stays as it is`(
        format: Int,
        message: String
    ) throws {
        // Without `VACUUM`, the page's checksum would not match.
        try #require(system("sqlite3 '\(store)' 'PRAGMA user_version = \(format); VACUUM'") == 0)
        let bytes = try contents(store)
        for words in [["learners"], ["verify"], ["replay"], ["ingest", try folder.write(line("a"), to: "one")]] {
            let outcome = try Program(laurel: words + ["--store", store]).wait()
            #expect(outcome.status == 3 && outcome.output == "")
            #expect(outcome.errors.contains("has store format \(message)"), "\(outcome)")
        }
        #expect(try contents(store) == bytes)
    }

    /// A new store with these events, under the rules of the old one.
    private func freshStore(_ events: String) throws -> String {
        let (fresh, rules) = (folder.file("fresh.db"), folder.file("rules.yaml"))
        try laurel("rules", "show", "--store", store, "--out", rules)
        try laurel("ingest", "--now", MigrationTests.now, "--store", fresh, "--rules", rules, events)
        return fresh
    }

    /// The `user_version` in the file's header.
    private func version() throws -> UInt8 { try contents(store)[63] }
}
