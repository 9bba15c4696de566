// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import LaurelEvents
import LaurelPostgreSQL
import Testing

@testable import LaurelStore

/// Statements are prepared only if all transactions have the same session.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLPreparingTests {
    private func prepared(_ test: TestStore) throws -> Int64 {
        let store = try #require(test.store as? PostgreSQLStore)
        let sql = "SELECT count(*) FROM pg_prepared_statements"
        return try store.slots.withOne {
            try $0.withConnection { try $0.rows(sql)[0].integer(0) }
        }
    }

    private func write(_ events: ClosedRange<Int>, _ test: TestStore) throws {
        for id in events { #expect(try test.outcomes(TestEvent(id: "\(id)")) == [.stored]) }
    }

    @Test func `what a server is sent again is prepared, unless the address says otherwise`() throws {
        let (test, other) = (try Backend.postgresqlSingle.make(), try Backend.postgresqlUnprepared.make())
        for test in [test, other] { try write(1...5, test) }
        #expect(try prepared(test) > 5)
        #expect(try prepared(other) == 0)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test func `nobody notices that prepared statements are gone`() throws {
        let test = try Backend.postgresqlSingle.make()
        try write(1...5, test)
        let store = try #require(test.store as? PostgreSQLStore)
        try store.slots.withOne {
            try $0.withConnection { _ = try $0.rows("DEALLOCATE ALL") }
        }
        try store.withConnection { _ = try $0.rows("DEALLOCATE ALL") }
        try write(6...9, test)
        #expect(try prepared(test) == 0, "none is kept where others have the session, too")
        #expect(try test.store.read { try $0.statistics() }.events == 9)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// A statement whose preparation fails is not recorded as prepared.
    @Test func `a statement that failed is sent anew`() throws {
        let test = try Backend.postgresqlSingle.make()
        let database = try Database(try #require(test.location))
        database.connection.preparesStatements = true
        let sql = "SELECT count(*) FROM late_table"
        for _ in 0..<3 { #expect(throws: DatabaseError.self) { try database.number(sql) } }
        try database.execute("CREATE TABLE late_table(a int)")
        for _ in 0..<4 { #expect(try database.number(sql) == 0) }
        #expect(try database.number("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%late%'") == 1)
    }

    /// If prepared statements are enabled behind such a pooler, answers are right, or an error says what to change.
    @Test(.enabled(if: ConnectionPooler.program != nil, "pgbouncer is not installed"))
    func `statements prepared behind a pooler do no harm`() throws {
        let server = try DatabaseServer(try #require(DatabaseServer.binaries), settings: ["fsync=on"])
        let pooler = try ConnectionPooler(before: server, sessions: 4)
        defer { withExtendedLifetime(pooler) {} }
        let location = server.location(schema: "prepared", port: pooler.port)
        try PostgreSQLStore.create(location, partitions: 2)
        let stores = try (0..<2).map { _ in try PostgreSQLStore(location + "&statements=prepared", mode: .readWrite) }
        let failures = Failures()
        var threads = Threads()
        for (number, store) in stores.enumerated() {
            threads.start {
                for round in 0..<40 {
                    let event = TestEvent(subject: "s\(round % 4)", id: "\(number)-\(round)")
                    let error = storeError { try store.write { _ = try $0.append([event]) } }
                    if let error, !error.message.contains("Take statements=prepared out of the address") {
                        failures.note { throw error }
                    }
                    // A refused event is stored when it is sent again.
                    if error != nil { failures.note { try store.write { _ = try $0.append([event]) } } }
                }
            }
        }
        threads.join()
        #expect(failures.errors == [])
        let plain = try PostgreSQLStore(location, mode: .readWrite)
        #expect(
            try plain.slots.withOne { try $0.withConnection(\.preparesStatements) }
                == false
        )
        #expect(try plain.read { try $0.statistics() }.events == 80)
        #expect(try plain.read { try $0.verify { _, _ in } } == [])
        for store in stores + [plain] { store.close() }
    }
}
