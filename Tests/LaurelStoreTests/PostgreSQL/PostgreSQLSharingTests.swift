// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import LaurelProgress
import SeededRandom
import StoreTesting
import Testing

@testable import LaurelStore

/// Several stores over one schema, as in several processes.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLSharingTests {
    private static let learners = (0..<12).map { "learner-\($0)" }

    /// The stored data of all learners, as text.
    private func content(_ store: any EventStore) throws -> [String: [String]] {
        try store.read { reader in
            var content: [String: [String]] = [:]
            try reader.forEachLearner { learner in
                content[String(decoding: learner.subject, as: UTF8.self)] = merged(try reader.events(of: learner.id))
            }
            return content
        }
    }

    @Test(arguments: [Backend.postgresql, .postgresqlTiny]) func `two that write at once store each event once`(
        backend: Backend
    ) throws {
        let seed = UInt64.random(in: 0...9999)
        let test = try backend.make()
        let stores = [test.store, try #require(try test.another()), try #require(try test.another())]
        let failures = Failures()
        var threads = Threads()
        for (number, store) in stores.enumerated() {
            threads.start {
                var random = SeededGenerator(seed: seed + UInt64(number))
                for _ in 0..<25 {
                    // Most of them are sent by others, too.
                    let events = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                        Self.event(Int.random(in: 0..<400, using: &random))
                    }
                    failures.note { _ = try store.write { try $0.append(events) } }
                }
            }
        }
        threads.join()
        #expect(failures.errors == [], "seed \(seed)")
        // The same events, one after another.
        let reference = MemoryStore()
        for number in 0..<stores.count {
            var random = SeededGenerator(seed: seed + UInt64(number))
            for _ in 0..<25 {
                let events = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                    Self.event(Int.random(in: 0..<400, using: &random))
                }
                _ = try reference.write { try $0.append(events) }
            }
        }
        let expected = try content(reference)
        for store in stores {
            #expect(try content(store) == expected, "seed \(seed)")
            #expect(try store.read { try $0.verify { _, _ in } } == [])
        }
        stores.dropFirst().forEach { $0.close() }
    }

    private static func event(_ number: Int) -> TestEvent {
        TestEvent(
            subject: learners[number % learners.count],
            id: number % 3 == 0 ? "hashed-\(number &* 7919)-x" : "\(number)",
            milliseconds: 1_770_310_800_000 + Int64(number * 977 % 100_000),
            data: [("text", .text("text \(number)"))]
        )
    }

    @Test func `each sees that another has written`() throws {
        let test = try Backend.postgresql.make()
        let other = try #require(try test.another())
        defer { other.close() }
        let probe = try test.store.newProbe()
        defer { probe.close() }
        let home = test.store.partition(of: Array("ana".utf8))
        let start = try #require(try test.store.version(of: home))
        #expect(try test.store.version(of: home) == start)
        #expect(try !probe.hasNewCommits())
        let own = try test.store.write { transaction in
            _ = try transaction.append([TestEvent(id: "1")])
            return transaction.versions[home]
        }
        // The versions before and after a write describe the whole state.
        #expect(try test.store.version(of: home) == own.after)
        #expect(try probe.hasNewCommits() && !probe.hasNewCommits())
        let next = try test.store.write { transaction in
            _ = try transaction.append([TestEvent(id: "2")])
            return transaction.versions[home]
        }
        #expect(next.before == own.after)
        _ = try other.write { try $0.append([TestEvent(subject: "bo", id: "1")]) }
        #expect(try test.store.version(of: home) != next.after)
        #expect(try probe.hasNewCommits())
        let later = try test.store.write { transaction in
            _ = try transaction.append([TestEvent(subject: "bo", id: "2")])
            return transaction.versions[home]
        }
        #expect(later.before != next.after)
        // A write without changes gives no new version.
        let quiet = try test.store.version(of: home)
        _ = try probe.hasNewCommits()
        try other.write { _ = try $0.learner(named: [65]) }
        #expect(try test.store.version(of: home) == quiet)
        #expect(try !probe.hasNewCommits())
        let changes = try test.store.read { try $0.changes(since: [0], limit: 10) }
        #expect(Set(changes.learners.map { String(decoding: $0, as: UTF8.self) }) == ["ana", "bo"])
    }

    @Test func `a duty is one's, until that one is gone or silent`() throws {
        let test = try Backend.postgresql.make()
        let other = try #require(try test.another())
        defer { other.close() }
        #expect(try test.store.hasDuty("tell", seconds: 30) && !other.hasDuty("tell", seconds: 30))
        #expect(try test.store.hasDuty("tell", seconds: 0.3) && other.hasDuty("sweep", seconds: 30))
        #expect(try !test.store.hasDuty("sweep", seconds: 30))
        usleep(500_000)
        #expect(try other.hasDuty("tell", seconds: 30) && !test.store.hasDuty("tell", seconds: 30))
        // The version of other learners stays the same.
        let version = try test.store.version(of: 0)
        #expect(try other.hasDuty("tell", seconds: 30) && test.store.version(of: 0) == version)
        other.close()
        #expect(try test.store.hasDuty("tell", seconds: 30) && test.store.hasDuty("sweep", seconds: 30))
        #expect(try Backend.sqlite.make().store.hasDuty("tell", seconds: 30))
    }

    @Test func `a name's number is found by all, and goes with the last who had it`() throws {
        let test = try Backend.postgresql.make()
        let other = try #require(try test.another())
        defer { other.close() }
        let projection = DerivedStateTests.projection(seed: 4, languages: [nil, "tlh"])
        for (subject, store) in [("ana", test.store), ("bo", other)] {
            try store.write { transaction in
                _ = try transaction.append([TestEvent(subject: subject, id: "1")])
                let learner = try transaction.learnerID(for: Array(subject.utf8))
                try transaction.project(projection, of: learner, days: .all)
            }
        }
        let database = try Database(try #require(test.location))
        #expect(try database.number("SELECT count(*) FROM languages WHERE tag = 'tlh'") == 1)
        for (left, subject) in [(1, "ana"), (0, "bo")] {
            #expect(try test.store.write { try $0.erase(subject: Array(subject.utf8)) })
            #expect(try database.number("SELECT count(*) FROM languages WHERE tag = 'tlh'") == Int64(left))
        }
        // The other store had cached it.
        try other.write { transaction in
            _ = try transaction.append([TestEvent(subject: "cy", id: "1")])
            try transaction.project(projection, of: transaction.learnerID(for: Array("cy".utf8)), days: .all)
        }
        let found = try test.store.read { reader in
            try reader.projection(of: try #require(try reader.learner(named: Array("cy".utf8))).id)
        }
        #expect(found == projection.normalised)
    }

    @Test func `whoever is erased is in no table any more`() throws {
        let test = try Backend.postgresqlTiny.make()
        for round in 0..<6 {
            try test.store.write { transaction in
                _ = try transaction.append(
                    (0..<8).map { TestEvent(subject: $0 % 2 == 0 ? "ana" : "bo", id: "\(round)-\($0)") }
                )
                let ana = try transaction.learnerID(for: Array("ana".utf8))
                var projection = DerivedStateTests.projection(seed: 1)
                projection.joinedGroups = ["blue"]
                try transaction.project(projection, of: ana, days: .all)
                try transaction.saveSnapshot([1, 2], of: ana)
                try transaction.remember(RememberedCopy(name: "c", data: [1]), of: ana)
                try transaction.write([NoteRecord(id: "n", milliseconds: 1, author: "a", text: "t")], of: ana)
                try transaction.quarantine(QuarantineTests.line("r", subject: "ana"), bytes: [1])
            }
        }
        let ana = try #require(try test.store.read { try $0.learner(named: Array("ana".utf8)) }).id
        #expect(try test.store.write { try $0.erase(subject: Array("ana".utf8)) })
        let database = try Database(try #require(test.location))
        for table in [
            "learners", "copies", "notes", "group_learners", "runs", "tail", "identities", "identity_leaves",
            "progress_rows",
            "daily_rows", "achievement_rows", "snapshots", "checkpoints", "shadow_changed",
        ] {
            #expect(try database.number("SELECT count(*) FROM \(table) WHERE learner = \(ana)") == 0, "\(table)")
        }
        #expect(try database.number("SELECT count(*) FROM quarantine") == 0)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// Texts that PostgreSQL cannot store unencoded.
    @Test func `texts come back, in the order of their bytes`() throws {
        let seed = UInt64.random(in: 0...9999)
        var random = SeededGenerator(seed: seed)
        var texts: [[UInt8]] = [
            [], [0], [1], [0, 1], [1, 0], [1, 1], [1, 2], [0xFF], [0xC3], [0xC3, 0xA9], [0xED, 0xA0, 0x80],
        ]
        for _ in 0..<2000 {
            texts.append(
                (0..<Int.random(in: 1...8, using: &random)).map { _ in
                    UInt8(
                        [0, 1, 2, 3, 0x31, 0x7F, 0x80, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80].randomElement(
                            using: &random
                        )!
                    )
                }
            )
        }
        for text in texts {
            let stored = StoredText.stored(text)
            #expect(StoredText.read(stored) == text, "seed \(seed)")
            #expect(!stored.contains(0) && String(validating: stored, as: UTF8.self) != nil, "\(text), seed \(seed)")
        }
        let valid = texts.filter { String(validating: $0, as: UTF8.self) != nil }
        let ordered = valid.sorted { $0.lexicographicallyPrecedes($1) }.map { StoredText.stored($0) }
        #expect(zip(ordered, ordered.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }, "seed \(seed)")
    }

    /// Each round trip to a distant server takes time.
    @Test func `a small append asks seldom`() throws {
        let test = try Backend.postgresqlSingle.make()
        func counted(_ store: any EventStore) throws -> Int {
            let slots = try #require(store as? PostgreSQLStore).slots
            return try slots.withOne { try $0.withConnection(\.roundTrips) }
        }
        try test.append([TestEvent(id: "1")])
        func roundTrips(_ body: () throws -> Void) throws -> Int {
            let before = try counted(test.store)
            try body()
            return try counted(test.store) - before
        }
        #expect(try roundTrips { try test.append([TestEvent(id: "2")]) } <= 3)
        let crowd = (0..<500).map { TestEvent(subject: "s\($0)", id: "1") }
        #expect(try roundTrips { _ = try test.store.write { try Self.append(crowd, to: $0) } } <= 6)
        let again = (0..<500).map { TestEvent(subject: "s\($0)", id: "2") }
        try test.reopen()
        _ = try counted(test.store)
        _ = try test.store.write { try Self.append(again, to: $0) }
        #expect(try counted(test.store) <= 10)
    }

    private static func append(_ events: [TestEvent], to transaction: any StoreTransaction) throws -> AppendResult {
        let ids = try transaction.learnerIDs(for: events.map { Array($0.subject.utf8) })
        let groups = ids.enumerated().map { LearnerRows(learner: $1, rows: [$0]) }
        return try transaction.append(EventTable(events), groups: groups)
    }
}
