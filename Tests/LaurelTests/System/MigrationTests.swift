// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// `Tests/Fixtures/format-N.db.zst` are stores of older formats, of a simulated class each, with one refused line. Format 1 has
/// 708 events, some with ids that count and some with UUIDs. Format 2 has two learners, one of whom has a snapshot. Format 3
/// has the last 200 events in the tail. Format 4 has events of every type and a checkpoint. Formats 5 and 6 have three
/// learners, one of whom has a snapshot. Format 7 has three learners, two of them with UUIDs, the last 338 events in the
/// tail, a snapshot, a checkpoint, two keys and a webhook (see `FormerServiceTests`).
@Suite struct MigrationTests {
    private struct Old: CustomTestStringConvertible {
        let format: UInt8
        let events: Int

        var testDescription: String { "format \(format)" }
    }

    private static let all = [
        Old(format: 1, events: 708), Old(format: 2, events: 4427), Old(format: 3, events: 4700),
        Old(format: 4, events: 9372), Old(format: 5, events: 9037), Old(format: 6, events: 9297),
        Old(format: 7, events: 16518),
    ]
    /// After all events.
    private static let now = "2031-01-01T00:00:00Z"
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("old.db")
    }

    private func unpack(_ old: Old) throws {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let source = UnpackingSource(try FileSource(path: "/\(tests)/Fixtures/format-\(old.format).db.zst"))
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try chunk.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        try folder.write(bytes, to: "old.db")
    }

    @Test(arguments: all) private func `an old store is read as it is`(old: Old) throws {
        try unpack(old)
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try version() == old.format)
    }

    @Test(arguments: all)
    private func `the first write brings it to the present format, and nothing changes`(old: Old) throws {
        try unpack(old)
        let events = try laurel("export", "--store", store).output
        #expect(events.split(separator: "\n").count == old.events)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        // Every identity is still known: those that count, and those that do not.
        let again = try laurel(
            "ingest",
            "--now",
            MigrationTests.now,
            "--json",
            "--store",
            store,
            input: folder.write(events, to: "events.ndjson")
        )
        #expect(again.output.contains(#""stored":0,"duplicates":\#(old.events)"#), "\(again.output)\(again.errors)")
        #expect(try version() == 8)
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
        #expect(try laurel("quarantine", "export", "--store", store).output == "broken\n")
        let fresh = try freshStore(folder.file("events.ndjson"))
        #expect(try laurel("fingerprint", "--store", fresh).output == fingerprint)
    }

    @Test(arguments: all) private func `events after the move are told apart from those before`(old: Old) throws {
        try unpack(old)
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

    /// The snapshot of the old format serves those that follow it, and no other.
    @Test(arguments: all) private func `an event before all others, and one after them`(old: Old) throws {
        try unpack(old)
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

    @Test(arguments: all) private func `queries find the learner's id, by its former name, too`(old: Old) throws {
        try unpack(old)
        let one = try folder.write(line("a"), to: "one")
        try laurel("ingest", "--now", MigrationTests.now, "--store", store, one)
        for table in ["learners", "progress", "daily", "achievements"] {
            let answer = folder.file("answer")
            let query = "SELECT count(*) > 0, min(learner_id = subject AND learner_id <> '') FROM \(table)"
            try #require(system("sqlite3 '\(store)' \"\(query)\" > '\(answer)'") == 0)
            #expect(try String(decoding: contents(answer), as: UTF8.self) == "1|1\n", "\(table)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
    private func `pages get their checksums once there is room for them`() throws {
        let disk = folder.file("disk")
        try #require(mkdir(disk, 0o700) == 0)
        guard system("mount -t tmpfs -o size=2m tmpfs '\(disk)' 2> /dev/null") == 0 else { return }
        defer { _ = system("umount '\(disk)'") }
        try unpack(MigrationTests.all[3])
        let small = disk + "/laurel.db"
        try #require(system("cp '\(store)' '\(small)'") == 0)
        let one = try folder.write(line("a"), to: "one")
        for isRoomy in [false, true] {
            if isRoomy { try #require(system("mount -o remount,size=64m '\(disk)'") == 0) }
            #expect(try laurel("ingest", "--store", small, one).status == 0)
            let verified = try laurel("verify", "--store", small)
            #expect(verified.status == 0)
            #expect(verified.errors.contains("have no checksums yet") == !isRoomy, "\(verified)")
            #expect(try laurel("replay", "--check", "--store", small).status == 0)
        }
    }

    @Test func `a store of a newer format is refused with what to do, and stays as it is`() throws {
        try unpack(Self.all[0])
        var bytes = try contents(store)
        bytes[63] = 99
        try folder.write(bytes, to: "old.db")
        for words in [["learners"], ["verify"], ["replay"], ["ingest", try folder.write(line("a"), to: "one")]] {
            let outcome = try Program(laurel: words + ["--store", store]).wait()
            #expect(outcome.status == 3 && outcome.output == "")
            #expect(
                outcome.errors.contains("has store format 99, this program knows up to 8: use a newer one"),
                "\(outcome)"
            )
        }
        #expect(try contents(store) == bytes)
    }

    /// A new store of these events, under the rules of the old one.
    private func freshStore(_ events: String) throws -> String {
        let (fresh, rules) = (folder.file("fresh.db"), folder.file("rules.yaml"))
        try laurel("rules", "show", "--store", store, "--out", rules)
        try laurel("ingest", "--now", MigrationTests.now, "--store", fresh, "--rules", rules, events)
        return fresh
    }

    /// `user_version` in the file's header.
    private func version() throws -> UInt8 { try contents(store)[63] }
}
