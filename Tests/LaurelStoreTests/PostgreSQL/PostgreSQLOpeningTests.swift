// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import Testing

@testable import LaurelStore

/// Requests that are refused before anything is read or written, and the messages of errors.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLOpeningTests {
    private func newLocation() throws -> String { try #require(DatabaseServer.shared).newLocation() }

    @Test(arguments: [StoreMode.readOnly, .readWrite]) func `no store is told so, with what makes one`(mode: StoreMode)
        throws
    {
        let location = try newLocation()
        let error = storeError { _ = try PostgreSQLStore(location, mode: mode) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("laurel store create") == true)
        #expect(error?.message.contains(Database.schema(location)) == true)
        #expect(try PostgreSQLStore.status(location).format == nil)
    }

    @Test func `a store is made once, whoever makes it`() throws {
        let location = try newLocation()
        let made = Failures()
        var threads = Threads()
        for _ in 0..<4 {
            threads.start { made.note { try PostgreSQLStore.create(location) } }
        }
        threads.join()
        #expect(made.successes == 1 && made.errors.count == 3)
        #expect(made.errors.allSatisfy { $0.contains("already") }, "\(made.errors)")
        let test = TestStore(store: try PostgreSQLStore(location, mode: .readWrite), path: nil, location: location)
        try test.append([TestEvent(id: "1"), TestEvent(subject: "bo", id: "1")])
        let status = try PostgreSQLStore.status(location)
        #expect(status.format == PostgreSQLSchema.format && status.learners == 2 && status.events == 2)
        #expect(
            status.writes == 2 && status.partitions == 256 && status.bytes > 0 && !status.isReadOnly && status.fsync
        )
    }

    @Test func `who only reads does not write`() throws {
        let test = try Backend.postgresql.make()
        try test.append([TestEvent(id: "1")])
        let reader = try PostgreSQLStore(try #require(test.location), mode: .readOnly)
        defer { reader.close() }
        #expect(try reader.read { try $0.statistics() }.events == 1)
        #expect(storeError { try reader.write { _ in } }?.code == .readOnly)
    }

    @Test func `a later format is refused, also by who has it open`() throws {
        let test = try Backend.postgresql.make()
        let location = try #require(test.location)
        try test.append([TestEvent(id: "1")])
        try Database(location).execute("UPDATE meta SET value = 99 WHERE name = 'format'")
        for attempt in [
            { _ = try PostgreSQLStore(location, mode: .readOnly) }, { try test.append([TestEvent(id: "2")]) },
            { _ = try test.store.read { try $0.statistics() } },
        ] {
            let error = storeError(attempt)
            #expect(error?.code == .newerFormat)
            #expect(error?.message.contains("format 99") == true)
        }
    }

    @Test func `a server that may lose what it acknowledges is refused`() throws {
        let binaries = try #require(DatabaseServer.binaries)
        let server = try DatabaseServer(binaries, settings: ["fsync=off"])
        let location = server.newLocation()
        let refused = storeError { try PostgreSQLStore.create(location) }
        #expect(refused?.message.contains("fsync = off") == true)
        #expect(refused?.message.contains("durability=unchecked") == true)
        let told = location + "&durability=unchecked"
        try PostgreSQLStore.create(told)
        #expect(storeError { _ = try PostgreSQLStore(location, mode: .readWrite) } != nil)
        // A reader has nothing to lose.
        _ = try PostgreSQLStore(location, mode: .readOnly)
        let store = try PostgreSQLStore(told, mode: .readWrite)
        _ = try store.write { try $0.append([TestEvent(id: "1")]) }
        store.close()
        var options = StoreOptions()
        options.acceptsLossyServer = true
        _ = try PostgreSQLStore(location, mode: .readWrite, options: options)
    }

    @Test(arguments: [
        "postgresql://ana:s3cret@127.0.0.1:1/db", "postgresql://ana:s3cret@/db?host=/nowhere",
        "postgresql://ana@127.0.0.1:1/db?password=s3cret", "postgresql://ana:s3cret@[::1/db",
        "postgresql://ana:s3cret@h:port/db", "postgresql://ana:s3cret@127.0.0.1:1/db?nonsense=1",
        "postgresql://ana:s3%63ret@127.0.0.1:1/db?sslpassword=s3cret&schema=s",
        "postgresql://ana:s3cret@127.0.0.1:1/db?schema=Not+One", "postgresql://ana:s3cret@127.0.0.1:1/db?durability=no",
        "postgresql://ana:s3cret@127.0.0.1:1/db?statements=named",
    ])
    func `no error tells a password`(location: String) throws {
        for attempt in [
            { _ = try PostgreSQLStore(location, mode: .readWrite) }, { try PostgreSQLStore.create(location) },
            { _ = try PostgreSQLStore.status(location) },
        ] {
            let error = storeError(attempt)
            #expect(error != nil)
            #expect(error?.message.contains("s3cret") == false && error?.message.contains("s3%63ret") == false)
        }
    }

    @Test(arguments: [
        ("postgresql://u:p@h/db", "postgresql://u@h/db", "laurel", "postgresql://u:p@h/db"),
        ("postgres://h:5/db?schema=s_1", "postgres://h:5/db?schema=s_1", "s_1", "postgres://h:5/db"),
        (
            "postgresql:///db?host=/tmp&schema=laurel&password=x&user=u", "postgresql:///db?host=/tmp&user=u", "laurel",
            "postgresql:///db?host=/tmp&password=x&user=u"
        ),
    ])
    func `our own parameters never reach libpq`(_ row: (given: String, name: String, schema: String, address: String))
        throws
    {
        let place = try PostgreSQLLocation(row.given)
        #expect(place.name == row.name && place.schema == row.schema && place.address == row.address)
    }
}

/// The errors of several threads.
final class Failures: @unchecked Sendable {
    private let gate = Lock()
    private(set) var successes = 0
    private(set) var errors: [String] = []

    func note(_ body: () throws -> Void) {
        do {
            try body()
            gate.withLock { successes += 1 }
        } catch {
            gate.withLock { errors.append("\(error)") }
        }
    }
}
