// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

/// Behind pgbouncer, each transaction may have another session.
@Suite(.enabled(if: DatabaseServer.shared != nil && ConnectionPooler.program != nil, "pgbouncer is not installed"))
struct PostgreSQLPoolerTests {
    /// The test has its own server, because an erasure waits for all older read snapshots on the server, including
    /// those of other tests.
    @Test func `all of it works with sessions that change`() throws {
        let server = try DatabaseServer(try #require(DatabaseServer.binaries), settings: ["fsync=on"])
        // The sessions of a writer, of the shadow's observer, and of the parallel readers.
        let pooler = try ConnectionPooler(before: server, sessions: 2 + max(2, Threads.processors))
        defer { withExtendedLifetime(pooler) {} }
        let direct = server.newLocation()
        let location = server.location(schema: Database.schema(direct), port: pooler.port)
        try PostgreSQLStore.create(location, partitions: 4)
        let test = TestStore(store: try PostgreSQLStore(location, mode: .readWrite), path: nil, location: direct)
        let other = try PostgreSQLStore(location, mode: .readWrite)
        defer { other.close() }
        let failures = Failures()
        var threads = Threads()
        for (number, store) in [test.store, other].enumerated() {
            for part in 0..<3 {
                threads.start {
                    for round in 0..<15 {
                        let event = TestEvent(subject: "s\(round % 4)", id: "\(number)-\(part)-\(round)")
                        failures.note { _ = try store.write { try $0.append([event]) } }
                        failures.note { _ = try store.read { try $0.statistics() } }
                    }
                }
            }
        }
        threads.join()
        #expect(failures.errors == [])
        let projection = DerivedStateTests.projection(seed: 2)
        let learner = try test.store.write { transaction in
            let learner = try transaction.learnerID(for: Array("s1".utf8))
            try transaction.project(DerivedStateTests.projection(seed: 1), of: learner, days: .all)
            return learner
        }
        try other.withShadow {
            try other.write { try $0.beginShadow() }
            try other.write { try $0.project(projection, of: learner, days: .all, in: .shadow) }
            try other.write { try $0.adoptShadow(.everything) }
        }
        let counts = try test.store.readTogether { state in
            try (0..<4).map { _ in try state.read { try $0.statistics().events } }
        }
        #expect(counts == [90, 90, 90, 90])
        #expect(try test.store.read { try $0.projection(of: learner) }?.tracks == projection.normalised.tracks)
        #expect(try other.write { try $0.erase(subject: Array("s2".utf8)) })
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        // Nothing is left in a session.
        let plain = try Database(server.location(schema: "public", port: pooler.port))
        #expect(try plain.number("SELECT count(*) FROM pg_prepared_statements") == 0)
        #expect(try plain.text("SHOW lock_timeout") == "0")
        #expect(try plain.text("SHOW idle_in_transaction_session_timeout") == "0")
    }
}
