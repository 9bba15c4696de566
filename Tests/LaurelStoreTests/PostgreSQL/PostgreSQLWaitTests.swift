// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Synchronization
import Testing

@testable import LaurelStore

/// Waits of a writer for other threads of its process. Each wait has an end.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct PostgreSQLWaitTests {
    private func location() throws -> String {
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 4)
        return location
    }

    @Test func `threads that store new names at once share the wait for a lock`() throws {
        let location = try location()
        var options = StoreOptions()
        options.lockTimeout = 0.4
        let server = PostgreSQLServer(location: try PostgreSQLLocation(location), mode: .readWrite, options: options)
        let names = StoredNames(server, ReaderPool(server, partitions: 4))
        let other = try Database(location)
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE languages IN SHARE ROW EXCLUSIVE MODE")
        let waits = Mutex<[(code: StoreError.Code?, seconds: Duration)]>([])
        var threads = Threads()
        for index in 0..<8 {
            threads.start {
                let start = ContinuousClock.now
                let error = storeError { _ = try names.add([Array("l\(index)".utf8)], to: .languages) }
                waits.withLock { $0.append((error?.code, start.duration(to: .now))) }
            }
        }
        threads.join()
        let found = waits.withLock(\.self)
        #expect(found.map(\.code) == Array(repeating: .busy, count: 8))
        #expect(found.allSatisfy { $0.seconds < .seconds(2) }, "\(found)")
        try other.execute("ROLLBACK")
        #expect(try names.add([Array("l0".utf8)], to: .languages).count == 1)
    }

    @Test func `a writer does not wait for another thread's clean-up`() throws {
        let location = try location()
        var options = StoreOptions()
        options.readerTimeout = 0.2
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: nil, location: location, options: options)
        try test.append([TestEvent(id: "1"), TestEvent(subject: "bo", id: "1")])
        let other = try Database(location)
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE languages IN ACCESS EXCLUSIVE MODE")
        let error = storeError { try store.write { _ = try $0.erase(subject: Array("ana".utf8)) } }
        #expect(error?.code == .erasureIncomplete)
        try other.execute("ROLLBACK")
        let failure = { StoreError(.misuse, "the lock is free") }
        try store.cleaning.withLock(before: Deadline(seconds: 1), else: failure) {
            for write in 0..<20 {
                let start = ContinuousClock.now
                try test.append([TestEvent(subject: "bo", id: "during-\(write)")])
                #expect(start.duration(to: .now) < .seconds(1))
                usleep(100_000)
            }
        }
        #expect(try other.number("SELECT sum(erasure_pending::int) FROM buckets") == 1)
        // The skipped clean-up is not an error, and a later write does it.
        try store.runDeferredWork()
    }
}
