// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

/// Editions are built beside readers and writers, adopted at once, and dropped when no reader uses them.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLShadowTests {
    private static let one = DerivedStateTests.projection(seed: 1)
    private static let two = DerivedStateTests.projection(seed: 2, languages: [nil, "fr"])

    private func store() throws -> (TestStore, ana: Int64, Database) {
        let test = try Backend.postgresql.make()
        let ana = try test.store.write { transaction in
            _ = try transaction.append([TestEvent(id: "1")])
            let ana = try transaction.learnerID(for: Array("ana".utf8))
            try transaction.project(PostgreSQLShadowTests.one, of: ana, days: .all)
            return ana
        }
        return (test, ana, try Database(try #require(test.location)))
    }

    private func build(_ test: TestStore, _ ana: Int64) throws {
        try test.store.withShadow {
            try test.store.write { try $0.beginShadow() }
            try test.store.write { try $0.project(Self.two, of: ana, days: .all, in: .shadow) }
            try test.store.write { try $0.adoptShadow(.everything) }
        }
    }

    private func editions(_ database: Database) throws -> Int64 {
        let tables = try database.number(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'progress_rows'::regclass"
        )
        #expect(try database.number("SELECT count(*) FROM editions") == tables)
        return tables
    }

    /// The tables of an edition are not dropped while a reader uses it, even before its first query.
    @Test func `who reads goes on reading the edition that was`() throws {
        let (test, ana, database) = try store()
        let other = try #require(try test.another())
        defer { other.close() }
        try other.read { reader in
            try build(test, ana)
            for _ in 0..<3 {
                _ = try test.append([TestEvent(id: "\(UInt64.random(in: 0 ... .max))")])
            }
            #expect(try editions(database) == 2)
            #expect(try reader.projection(of: ana) == Self.one.normalised)
            #expect(try test.store.read { try $0.projection(of: ana) }?.tracks == Self.two.normalised.tracks)
        }
        // A later write drops it.
        var writes = 0
        while try editions(database) > 1, writes < 150 {
            try test.append([TestEvent(id: "late-\(writes)")])
            usleep(100_000)
            writes += 1
        }
        #expect(try editions(database) == 1)
        #expect(try other.read { try $0.projection(of: ana) }?.tracks == Self.two.normalised.tracks)
    }

    @Test func `two at once are refused, one after the other are not`() throws {
        let (test, _, _) = try store()
        let other = try #require(try test.another())
        defer { other.close() }
        try test.store.withShadow {
            let error = #expect(throws: StoreError.self) { try other.withShadow {} }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("the store's rules are being changed by process \(getpid())") == true)
        }
        try other.withShadow {}
    }

    /// The state after a killed process.
    @Test func `what a dead process was building goes`() throws {
        struct Killed: Error {}
        let (test, ana, database) = try store()
        let other = try #require(try test.another())
        defer { other.close() }
        #expect(throws: Killed.self) {
            try test.store.withShadow {
                try test.store.write { transaction in
                    try transaction.beginShadow()
                    try transaction.project(Self.two, of: ana, days: .all, in: .shadow)
                }
                #expect(try editions(database) == 2)
                // While the builder renews its lease, other processes leave the edition alone, and note changes.
                _ = try other.write { try $0.append([TestEvent(id: "2")]) }
                #expect(try editions(database) == 2)
                #expect(try database.number("SELECT count(*) FROM shadow_changed") == 1)
                try database.execute("UPDATE leases SET until = now() - interval '1 second'")
                usleep(1_100_000)
                _ = try other.write { try $0.append([TestEvent(id: "3")]) }
                usleep(1_100_000)
                _ = try other.write { try $0.append([TestEvent(id: "4")]) }
                #expect(try editions(database) == 1)
                #expect(try database.number("SELECT count(*) FROM shadow_changed") == 0)
                throw Killed()
            }
        }
        #expect(try test.store.read { try $0.projection(of: ana) } == Self.one.normalised)
        try build(test, ana)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// Folding and waiting for writers take time.
    @Test func `who has the lease keeps it while nothing is written`() throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location)
        var options = StoreOptions()
        options.leaseTimeout = 1
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: nil, location: location, options: options)
        let other = try #require(try test.another())
        defer { other.close() }
        let database = try Database(location)
        try test.append([TestEvent(id: "1")])
        try test.store.withShadow {
            try test.store.write { try $0.beginShadow() }
            let end = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < end {
                #expect(storeError { try other.withShadow {} }?.code == .busy)
                usleep(200_000)
            }
            try test.store.write { try $0.adoptShadow(.everything) }
        }
        #expect(try database.number("SELECT count(*) FROM leases") == 0)
        try other.withShadow {}
    }

    @Test func `who lost the lease adopts nothing`() throws {
        let (test, ana, database) = try store()
        #expect(throws: StoreError.self) {
            try test.store.withShadow {
                try test.store.write { try $0.beginShadow() }
                try test.store.write { try $0.project(Self.two, of: ana, days: .all, in: .shadow) }
                // The lease has expired, and another process has started.
                try database.execute("UPDATE leases SET token = token - 1")
                try test.store.write { try $0.adoptShadow(.everything) }
            }
        }
        #expect(try test.store.read { try $0.projection(of: ana) } == Self.one.normalised)
    }

    @Test func `a shadow is built by who has the lease only`() throws {
        let (test, _, _) = try store()
        let error = #expect(throws: StoreError.self) { try test.store.write { try $0.beginShadow() } }
        #expect(error?.code == .misuse)
    }

    /// The views show the same as those of a file with the same progress.
    @Test func `views show the edition that is read`() throws {
        let (test, ana, database) = try store()
        let file = try Backend.sqlite.make()
        try file.store.write { transaction in
            _ = try transaction.append([TestEvent(id: "1")])
            try transaction.project(Self.one, of: transaction.learnerID(for: Array("ana".utf8)), days: .all)
        }
        // Read only.
        let connection = try Connection(path: try #require(file.path), flags: 1)
        let questions = [
            "SELECT count(*) FROM progress WHERE learner = 'ana'", "SELECT count(*) FROM daily",
            "SELECT count(*) FROM daily WHERE language = '*'", "SELECT count(*) FROM achievements",
            "SELECT count(*) FROM achievements WHERE language = '*' AND unlocked_at IS NOT NULL",
            "SELECT CAST(sum(CAST(xp * 1000 AS bigint)) AS bigint) FROM progress",
            "SELECT CAST(sum(minutes) AS bigint) FROM (SELECT practice_ms / 60000 AS minutes FROM daily) d",
        ]
        for question in questions {
            let (found, expected) = (try database.number(question), try connection.number(question))
            // One database rounds, the other cuts off.
            #expect(abs(found - (expected ?? 0)) <= Int64(Self.one.tracks.count), "\(question)")
        }
        try build(test, ana)
        let rows = try database.number(questions[0])
        #expect(rows == Int64(Self.two.normalised.tracks.count))
    }
}
