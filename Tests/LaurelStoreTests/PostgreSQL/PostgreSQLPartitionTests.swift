// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import LaurelProgress
import SeededRandom
import StoreTesting
import Synchronization
import Testing

@testable import LaurelStore

/// Each partition has its own writers, which never wait for those of other partitions.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLPartitionTests {
    /// Each writer waits inside its transaction, with a new name, until the other one is inside, too.
    @Test func `two nodes write to two partitions at the same time, with the same new names`() throws {
        let test = try Backend.postgresql.make()
        let other = try #require(try test.another())
        defer { other.close() }
        let projection = DerivedStateTests.projection(seed: 3, languages: [nil, "qya", "tlh"])
        let inside = Mutex(0)
        let failures = Failures()
        var threads = Threads()
        for (store, subject) in [(test.store, "ana"), (other, "cy")] {
            threads.start {
                failures.note {
                    try store.write(in: store.partition(of: Array(subject.utf8))) { transaction in
                        _ = try transaction.append([TestEvent(subject: subject, id: "1")])
                        let learner = try transaction.learnerID(for: Array(subject.utf8))
                        try transaction.project(projection, of: learner, days: .all)
                        inside.withLock { $0 += 1 }
                        let end = ContinuousClock.now + .seconds(5)
                        while inside.withLock({ $0 }) < 2, .now < end { usleep(1000) }
                        guard inside.withLock({ $0 }) == 2 else { throw StoreError(.busy, "the other did not come") }
                    }
                }
            }
        }
        threads.join()
        #expect(failures.errors == [])
        let database = try Database(try #require(test.location))
        #expect(try database.number("SELECT count(*) FROM languages") == 2)
        for subject in ["ana", "cy"] {
            let found = try test.store.read { reader in
                try reader.projection(of: try #require(try reader.learner(named: Array(subject.utf8))).id)
            }
            #expect(found == projection.normalised, "\(subject)")
        }
    }

    /// As with several servers, where each statement goes to one of them.
    @Test func `what is written to several partitions may be written partition by partition`() throws {
        let test = try Backend.postgresql.make()
        try Database(try #require(test.location)).execute(
            "INSERT INTO meta VALUES ('distributed', 1) ON CONFLICT DO NOTHING"
        )
        try test.reopen()
        let subjects = ["ana", "cy", "di"]
        let partitions = Set(subjects.map { test.store.partition(of: Array($0.utf8)) }).sorted()
        for id in ["1", "2", "1"] {
            let events = subjects.map { TestEvent(subject: $0, id: id) }
            _ = try test.store.write(in: partitions) { try $0.append(events) }
        }
        #expect(try subjects.map { try test.events(of: $0).count } == [2, 2, 2])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// Threads of two nodes write to single partitions and to all of them, and report what they stored.
    @Test(arguments: [Backend.postgresql, .postgresqlTiny, .postgresqlSingle])
    func `whoever writes where, all there is is what a store in memory has`(backend: Backend) throws {
        let seed = UInt64.random(in: 0...9999)
        let test = try backend.make()
        let stores = [test.store, try #require(try test.another())]
        defer { stores[1].close() }
        @Sendable func steps(_ thread: Int) -> [[TestEvent]] {
            var random = SeededGenerator(seed: seed + UInt64(thread))
            return (0..<20).map { _ in
                let isOfOne = Bool.random(using: &random)
                let first = Int.random(in: 0..<30, using: &random)
                return (0..<Int.random(in: 1...25, using: &random)).map { _ in
                    let learner = isOfOne ? first : Int.random(in: 0..<30, using: &random)
                    let number = Int.random(in: 0..<60, using: &random)
                    return TestEvent(
                        subject: "learner-\(learner)",
                        id: number % 3 == 0 ? "x\(number &* 7919)-y" : "\(number)",
                        milliseconds: 1_770_310_800_000 + Int64(number * 977 % 5000)
                    )
                }
            }
        }
        let failures = Failures()
        var threads = Threads()
        for thread in 0..<6 {
            let store = stores[thread % 2]
            threads.start {
                for (number, events) in steps(thread).enumerated() {
                    failures.note {
                        if number % 5 == 0 { return _ = try store.writeAll { try $0.append(events) } }
                        let rows = Dictionary(grouping: events) { store.partition(of: Array($0.subject.utf8)) }
                        for (partition, events) in rows { _ = try store.write(in: partition) { try $0.append(events) } }
                    }
                }
            }
        }
        threads.join()
        #expect(failures.errors == [], "seed \(seed)")
        let reference = MemoryStore()
        for thread in 0..<6 { for events in steps(thread) { _ = try reference.write { try $0.append(events) } } }
        for store in stores {
            #expect(try content(store) == content(reference), "seed \(seed)")
            #expect(try store.read { try $0.verify { _, _ in } } == [], "seed \(seed)")
        }
    }

    private func content(_ store: any EventStore) throws -> [String: [String]] {
        try store.read { reader in
            var content: [String: [String]] = [:]
            try reader.forEachLearner { learner in
                content[String(decoding: learner.subject, as: UTF8.self)] = merged(try reader.events(of: learner.id))
            }
            return content
        }
    }

    @Test func `tidying up after one erasure is not tidying up after the next`() throws {
        let test = try Backend.postgresql.make()
        try test.append(["ana", "bo", "cy"].map { TestEvent(subject: $0, id: "1") })
        let database = try Database(try #require(test.location))
        try #expect(test.store.write(in: home(test, "ana")) { try $0.erase(subject: Array("ana".utf8)) })
        #expect(try database.number("SELECT count(*) FROM buckets WHERE erasure_pending") == 0)
        #expect(try database.number("SELECT count(*) FROM meta WHERE name LIKE 'erased/%'") == 0)
        // The state after two processes were killed before cleaning up.
        let partition = Int64(home(test, "cy"))
        try database.execute(
            "UPDATE buckets SET erasure_pending = true, version = version + 1 WHERE bucket = \(partition)"
        )
        try database.execute("INSERT INTO meta VALUES ('erased/\(partition)', 7)")
        func end(_ version: Int64) throws -> Int64 {
            try PostgreSQLStore.endErasure(partition, version, database.connection)
            return try database.number("SELECT count(*) FROM buckets WHERE erasure_pending")
        }
        #expect(try end(6) == 1)
        #expect(try end(7) == 0)
    }

    private func home(_ test: TestStore, _ subject: String) -> Int { test.store.partition(of: Array(subject.utf8)) }

    @Test func `quarantine has one limit for all partitions`() throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 8)
        var options = StoreOptions()
        options.quarantineLimit = 3000
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: nil, location: location, options: options)
        var random = SeededGenerator(seed: 1)
        let bytes = (0..<800).map { _ in UInt8.random(in: 0...255, using: &random) }
        let kept = try ["ana", "cy", "di", "eve", "fay", "gus"].filter { subject in
            try store.write(in: home(test, subject)) {
                try $0.quarantine(QuarantineTests.line("r", subject: subject), bytes: bytes) != nil
            }
        }
        #expect(kept.count == 3)
        try store.writeAll { try $0.dropAllQuarantined() }
        // The partitions of one transaction share the limit, too.
        let homes = Set(["ana", "cy", "di", "eve", "fay", "gus"].map { home(test, $0) }).sorted()
        #expect(homes.count > 3)
        let together = try store.write(in: homes) { transaction in
            try ["ana", "cy", "di", "eve", "fay", "gus"].filter { subject in
                try transaction.quarantine(QuarantineTests.line("r", subject: subject), bytes: bytes) != nil
            }
        }
        #expect(together.count == 3)
        #expect(try store.read { try $0.verify { _, _ in } } == [])
        try store.writeAll { try $0.dropAllQuarantined() }
        #expect(try store.read { try $0.statistics() }.quarantined == 0)
        #expect(try store.read { try $0.verify { _, _ in } } == [])
        let again = try store.write(in: home(test, "gus")) {
            try $0.quarantine(QuarantineTests.line("r", subject: "gus"), bytes: bytes)
        }
        #expect(again != nil)
    }

    /// A change of all partitions is visible at once, or not at all.
    @Test func `all partitions take up an edition together`() throws {
        let test = try Backend.postgresql.make()
        let subjects = (0..<20).map { "s\($0)" }
        try test.append(subjects.map { TestEvent(subject: $0, id: "1") })
        let (one, two) = (DerivedStateTests.projection(seed: 1), DerivedStateTests.projection(seed: 2))
        let ids = try test.store.read { reader in try subjects.map { try reader.learner(named: Array($0.utf8))!.id } }
        try test.store.writeAll { transaction in
            for id in ids.sorted() { try transaction.project(one, of: id, days: .all) }
        }
        try test.store.withShadow {
            try test.store.writeAll { try $0.beginShadow() }
            for id in ids {
                try test.store.write(in: Partition.of(learner: id)) { transaction in
                    try transaction.project(two, of: id, days: .all, in: .shadow)
                }
            }
            // Changes by other writers are noted, in every partition.
            try test.append([TestEvent(subject: "s3", id: "2"), TestEvent(subject: "s4", id: "2")])
            #expect(try test.store.read { try $0.learners(where: .changedBesideShadow) } == [ids[3], ids[4]].sorted())
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try test.store.writeAll { transaction in
                    try transaction.adoptShadow(.everything)
                    throw Stop()
                }
            }
            for id in ids { #expect(try test.store.read { try $0.projection(of: id) } == one.normalised) }
            try test.store.writeAll { try $0.adoptShadow(.everything) }
        }
        for id in ids { #expect(try test.store.read { try $0.projection(of: id) }?.tracks == two.normalised.tracks) }
        let database = try Database(try #require(test.location))
        #expect(try database.number("SELECT count(DISTINCT edition) FROM buckets") == 1)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: [0, -1, 1025]) func `there are as many partitions as may be`(count: Int) throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        #expect(storeError { try PostgreSQLStore.create(location, partitions: count) }?.code == .misuse)
        #expect(try PostgreSQLStore.status(location).format == nil)
    }
}
