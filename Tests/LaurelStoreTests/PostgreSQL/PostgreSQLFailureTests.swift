// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Dispatch
import Foundation
import Glibc
import LaurelEvents
import LaurelPostgreSQL
import Synchronization
import Testing

@testable import LaurelStore

/// Failures of the server, or of the connection, during a write. No event is lost or stored twice, and errors say what
/// happened.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLFailureTests {
    /// A store, and a separate connection.
    private func store(
        _ change: (inout StoreOptions) -> Void = { _ in },
        at location: String? = nil
    ) throws -> (TestStore, Database) {
        let location = try location ?? #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 4)
        var options = StoreOptions()
        change(&options)
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        return (TestStore(store: store, path: nil, location: location, options: options), try Database(location))
    }

    private func process(_ transaction: any StoreTransaction) throws -> Int64 {
        try #require(transaction.connection).rows("SELECT pg_backend_pid()")[0].integer(0)
    }

    @Test func `a session that ends in the middle of a write leaves nothing of it`() throws {
        let (test, database) = try store()
        try test.append([TestEvent(id: "1")])
        let error = storeError {
            try test.store.write { transaction in
                _ = try transaction.append([TestEvent(id: "2")])
                try database.execute("SELECT pg_terminate_backend(\(process(transaction)))")
                _ = try transaction.append([TestEvent(subject: "bo", id: "3")])
            }
        }
        #expect(error?.code == .unavailable, "\(String(describing: error))")
        #expect(try test.store.read { try $0.statistics() }.events == 1)
        #expect(try test.outcomes(TestEvent(id: "2"), TestEvent(id: "1")) == [.stored, .duplicate])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test func `nobody notices sessions that end between two calls`() throws {
        let (test, database) = try store()
        let schema = Database.schema(try #require(test.location))
        for round in 0..<5 {
            try test.append([TestEvent(id: "\(round)")])
            #expect(try test.store.read { try $0.statistics() }.events == round + 1)
            // The sessions of this store, which queried its tables last.
            try database.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle'
                    AND pid IN (\(try process(of: test)))
                """
            )
            _ = schema
        }
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// The server process of an idle connection.
    private func process(of test: TestStore) throws -> String {
        let store = try #require(test.store as? PostgreSQLStore)
        var processes: [Int64] = []
        try store.slots.withOne {
            try $0.withConnection { processes.append(try $0.rows("SELECT pg_backend_pid()")[0].integer(0)) }
        }
        try store.withConnection { processes.append(try $0.rows("SELECT pg_backend_pid()")[0].integer(0)) }
        return processes.map(String.init).joined(separator: ", ")
    }

    /// Events that are sent again are stored once, even if the first attempt stored them.
    @Test func `a connection that breaks during a commit leaves it open whether it was done`() throws {
        let (test, database) = try store()
        try test.append([TestEvent(id: "1")])
        try database.execute(
            """
            CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$
            """
        )
        try database.execute(
            """
            CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON tail DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            EXECUTE FUNCTION linger()
            """
        )
        let location = try #require(test.location)
        var killer = Threads()
        let error = storeError {
            try test.store.write { transaction in
                _ = try transaction.append([TestEvent(id: "2")])
                let process = try process(transaction)
                killer.start {
                    usleep(500_000)
                    try? Database(location).execute("SELECT pg_terminate_backend(\(process))")
                }
            }
        }
        killer.join()
        #expect(error?.code == .outcomeUnknown)
        #expect(error?.message.contains("sending the same events again is safe") == true)
        try database.execute("DROP TRIGGER linger ON tail")
        _ = try test.outcomes(TestEvent(id: "2"))
        #expect(try test.outcomes(TestEvent(id: "2")) == [.duplicate])
        #expect(try test.store.read { try $0.statistics() }.events == 2)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// If the wait for a standby is cancelled, the server commits nevertheless.
    @Test func `a warning with the commit is not taken for success`() throws {
        let (test, database) = try store()
        try database.execute(
            """
            CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication'; RETURN NULL; END $$
            """
        )
        try database.execute(
            """
            CREATE CONSTRAINT TRIGGER warn AFTER INSERT ON tail DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            EXECUTE FUNCTION warn()
            """
        )
        let error = storeError { try test.append([TestEvent(id: "1")]) }
        #expect(error?.code == .outcomeUnknown && error?.message.contains("synchronous replication") == true)
        try database.execute("DROP TRIGGER warn ON tail")
        #expect(try test.outcomes(TestEvent(id: "1")) == [.duplicate])
    }

    /// If one server process is killed, the server ends all others with a notice. libpq cannot write then, does not
    /// wait for answers, and does not report the connection as lost.
    @Test(.timeLimit(.minutes(1))) func `a server that takes nothing any more is not waited for`() throws {
        let folder = String(cString: try #require(mkdtemp(strdup("/tmp/laurel-fake-XXXXXX"))))
        defer { _ = system("rm -rf \(folder)") }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder)/.s.PGSQL.5432".utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 1) == 0)
        var server = Threads()
        let isOver = DispatchSemaphore(value: 0)
        server.start {
            let client = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = read(client, &bytes, bytes.count)
            func say(_ kind: Character, _ body: [UInt8]) {
                let length = UInt32(body.count + 4)
                let message = [kind.asciiValue!] + (0..<4).map { UInt8(length >> (24 - 8 * $0) & 0xFF) } + body
                _ = write(client, message, message.count)
            }
            say("R", [0, 0, 0, 0])
            say("S", Array("server_version\0".utf8) + Array("15.0\0".utf8))
            // Before the client is told that it may send a query.
            shutdown(client, Int32(SHUT_RD))
            say("Z", [UInt8(ascii: "I")])
            usleep(300_000)
            say(
                "N",
                Array("SWARNING\0C57P02\0Mterminating connection because of crash of another server process\0\0".utf8)
            )
            isOver.wait()
            close(client)
        }
        let connection = try DatabaseConnection([("host", folder), ("user", "u"), ("dbname", "d")])
        let error = #expect(throws: DatabaseError.self) { try connection.rows("SELECT 1") }
        #expect(error?.isConnectionLost == true && connection.isLost && !connection.isIdle)
        #expect(!connection.rollBack())
        isOver.signal()
        server.join()
    }

    /// The event is only on the primary. A duplicate is acknowledged after the standby has the event.
    @Test func `what was stored without its standby is not acknowledged as a duplicate`() throws {
        let server = try DatabaseServer(try #require(DatabaseServer.binaries), settings: ["fsync=on"])
        let location = server.newLocation()
        try PostgreSQLStore.create(location)
        let store = try PostgreSQLStore(location, mode: .readWrite)
        let test = TestStore(store: store, path: nil, location: location)
        try test.append([TestEvent(id: "1")])
        let admin = try Database(location)
        func follow(_ standbys: String) throws {
            try admin.execute("ALTER SYSTEM SET synchronous_standby_names = '\(standbys)'")
            try admin.execute("SELECT pg_reload_conf()")
        }
        func waiting() throws -> Int64? {
            for _ in 0..<100 {
                let rows = try admin.connection.rows("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                if let row = rows.first { return row.integer(0) }
                usleep(50_000)
            }
            return nil
        }
        try follow("nobody")
        // The server applies the setting after a while. Until then, writes do not wait.
        let isHeeded = Atomic(false)
        var probe = Threads()
        probe.start {
            while !isHeeded.load(ordering: .relaxed) {
                try? Database(location).execute("COMMENT ON DATABASE postgres IS 'probe'")
            }
        }
        let probing = try waiting()
        isHeeded.store(true, ordering: .relaxed)
        try admin.execute("SELECT pg_cancel_backend(\(try #require(probing)))")
        probe.join()
        let outcome = Mutex<(first: StoreError?, again: [AppendResult.Outcome])>((nil, []))
        nonisolated(unsafe) let appended = test
        var threads = Threads()
        threads.start {
            let error = storeError { try appended.append([TestEvent(id: "2")]) }
            outcome.withLock { $0.first = error }
            let again = try? appended.outcomes(TestEvent(id: "2"))
            outcome.withLock { $0.again = again ?? [] }
        }
        try admin.execute("SELECT pg_cancel_backend(\(try #require(try waiting())))")
        usleep(300_000)
        let second = try waiting()
        #expect(second != nil && outcome.withLock { $0.again } == [])
        #expect(outcome.withLock { $0.first }?.code == .outcomeUnknown)
        try follow("")
        threads.join()
        #expect(outcome.withLock { $0.again } == [.duplicate])
    }

    @Test func `whoever waits too long for the partition is told so`() throws {
        let (test, database) = try store { $0.lockTimeout = 0.4 }
        try database.execute("BEGIN")
        try database.execute("SELECT 1 FROM buckets FOR UPDATE")
        let start = ContinuousClock.now
        let error = storeError { try test.append([TestEvent(id: "1")]) }
        #expect(error?.code == .busy)
        #expect((.milliseconds(350)...(.seconds(5))).contains(start.duration(to: .now)))
        // Readers never wait.
        #expect(try test.store.read { try $0.statistics() }.events == 0)
        try database.execute("ROLLBACK")
        #expect(try test.outcomes(TestEvent(id: "1")) == [.stored])
    }

    @Test func `threads of one process wait no longer than other processes`() throws {
        let (test, _) = try store { $0.lockTimeout = 0.4 }
        let waits = Mutex<[(code: StoreError.Code?, seconds: Duration)]>([])
        var threads = Threads()
        let store = test.store
        try store.write(in: [0, 1, 2, 3]) { _ in
            for index in 0..<4 {
                threads.start {
                    let start = ContinuousClock.now
                    let error = storeError {
                        if index == 0 { return try store.writeAll { _ in } }
                        _ = try store.write { try $0.append([TestEvent(id: "\(index)")]) }
                    }
                    waits.withLock { $0.append((error?.code, start.duration(to: .now))) }
                }
            }
            threads.join()
        }
        let found = waits.withLock(\.self)
        #expect(found.map(\.code) == Array(repeating: .busy, count: 4))
        #expect(found.allSatisfy { (.milliseconds(350)...(.seconds(2))).contains($0.seconds) }, "\(found)")
        #expect(try test.outcomes(TestEvent(id: "1")) == [.stored])
    }

    @Test func `whoever was overtaken stores nothing`() throws {
        let (test, _) = try store()
        let schema = Database.schema(try #require(test.location))
        try test.append([TestEvent(id: "1")])
        let error = storeError {
            try test.store.write { transaction in
                _ = try transaction.append([TestEvent(id: "2")])
                // As if a pooler had given the transaction's session to another client.
                try transaction.connection?.send("UPDATE \(schema).buckets SET version = version + 1")
            }
        }
        #expect(error?.code == .unavailable && error?.message.contains("another process has written") == true)
        #expect(try test.outcomes(TestEvent(id: "2")) == [.stored])
        #expect(try test.store.read { try $0.statistics() }.events == 2)
    }

    @Test func `a body's own error takes everything back`() throws {
        struct Enough: Error {}
        let (test, _) = try store()
        #expect(throws: Enough.self) {
            try test.store.write { transaction in
                _ = try transaction.append([TestEvent(id: "1")])
                throw Enough()
            }
        }
        #expect(try test.outcomes(TestEvent(id: "1")) == [.stored])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test func `an erasure that cannot tidy up is finished later`() throws {
        let (test, database) = try store({ $0.readerTimeout = 0.2 }, at: #require(DatabaseServer.shared).newDatabase())
        try test.append([TestEvent(id: "1"), TestEvent(subject: "bo", id: "1")])
        // A process that uses names blocks their removal.
        let other = try Database(try #require(test.location))
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE languages IN ACCESS EXCLUSIVE MODE")
        let error = storeError { try test.store.write { _ = try $0.erase(subject: Array("ana".utf8)) } }
        #expect(error?.code == .erasureIncomplete)
        #expect(try database.number("SELECT sum(erasure_pending::int) FROM buckets") == 1)
        try other.execute("ROLLBACK")
        try finishErasure(test, database)
        #expect(try test.events(of: "ana") == [])
    }

    /// Writes of any process finish the work that an erasure has left. Not every write looks for it.
    private func finishErasure(_ test: TestStore, _ database: Database) throws {
        let pending = "SELECT sum(erasure_pending::int) FROM buckets"
        for write in 0..<100 where try database.number(pending) > 0 {
            try test.append([TestEvent(subject: "bo", id: "late-\(write)")])
            usleep(100_000)
        }
        #expect(try database.number(pending) == 0)
    }

    /// While an old state is read, the server cannot remove rows in it, and VACUUM does not report that.
    @Test(arguments: [true, false]) func `an erasure is not complete while an old state is read`(isOwnRole: Bool) throws
    {
        let server = try #require(DatabaseServer.shared)
        let mine = try server.newDatabase()
        let admin = try Database(mine)
        try admin.execute("CREATE EXTENSION pgstattuple WITH SCHEMA public")
        let role = "eraser_\(getpid())_\(isOwnRole)"
        try admin.execute("CREATE ROLE \(role) LOGIN")
        try admin.execute("GRANT CREATE ON DATABASE \(DatabaseServer.database(of: mine)) TO \(role)")
        let location = mine.replacing("user=\(server.user)", with: "user=\(role)")
        try PostgreSQLStore.create(location, partitions: 1)
        var options = StoreOptions()
        options.readerTimeout = 0.3
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: nil, location: location, options: options)
        try test.append([TestEvent(id: "1"), TestEvent(subject: "bo", id: "1")])
        // Of another role's session, only its existence is visible.
        let schema = Database.schema(location)
        let reader = try Database(isOwnRole ? location : mine)
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try reader.execute("SELECT 1 FROM learners")
        let error = storeError { try test.store.write { _ = try $0.erase(subject: Array("ana".utf8)) } }
        #expect(error?.code == .erasureIncomplete && error?.message.contains("still reads the state before") == true)
        #expect(try test.events(of: "ana") == [])
        let dead = "SELECT dead_tuple_count FROM public.pgstattuple('\(schema).learners')"
        #expect(try admin.number(dead) > 0)
        try test.append([TestEvent(subject: "bo", id: "2")])
        #expect(try admin.number("SELECT erasure_pending::int FROM \(schema).buckets") == 1)
        // The write that tried again says nothing of it.
        #expect(storeError { try test.store.runDeferredWork() }?.code == .erasureIncomplete)
        try reader.execute("ROLLBACK")
        try finishErasure(test, Database(mine))
        // Each of these updates wrote bo's row anew.
        try admin.execute("VACUUM \(schema).learners")
        #expect(try admin.number(dead) == 0)
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        #expect(try admin.number(dead) == 0)
    }
}
