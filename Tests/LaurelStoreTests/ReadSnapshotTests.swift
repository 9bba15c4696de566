// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelStore
import Synchronization
import Testing

/// Several threads read one state, whatever is written meanwhile.
@Suite struct SharedStateTests {
    private static let readings = 400

    /// The numbers of events that the threads of one reading found.
    private func counts(_ store: any EventStore) throws -> Set<Int> {
        let found = Mutex<Set<Int>>([])
        try store.readTogether { state in
            try Array(0..<12).mapInParallel { _ in
                try state.read { try $0.statistics().events }
            } receive: { events in
                found.withLock { _ = $0.insert(events) }
            }
        }
        return found.withLock { $0 }
    }

    @Test(arguments: Backend.allCases) func `all threads see one state while others write`(backend: Backend) throws {
        let test = try backend.make()
        try test.append([TestEvent(id: "e0")])
        // A writer with its own connection, as another process has.
        let other = try test.path.map { try SQLiteStore(path: $0, mode: .readWrite, options: test.options) }
        let writers: [any EventStore] = other.map { [test.store, $0] } ?? [test.store]
        let isOver = Atomic(false)
        var threads = Threads()
        for (number, writer) in writers.enumerated() {
            threads.start {
                var event = 0
                while !isOver.load(ordering: .relaxed) {
                    event += 1
                    let id = "w\(number)-\(event)"
                    _ = try? writer.write { try $0.append([TestEvent(subject: "bo", id: id)]) }
                }
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            threads.join()
            other?.close()
        }
        var seen: Set<Int> = []
        for reading in 0..<SharedStateTests.readings {
            let counts = try counts(test.store)
            #expect(counts.count == 1, "reading \(reading): \(counts.sorted())")
            seen.formUnion(counts)
        }
        #expect(seen.count > 1, "nothing was written meanwhile")
    }

    /// A leaderboard, for example, looks up single learners while others are folded.
    @Test(arguments: Backend.allCases) func `one may wait for what others read`(backend: Backend) throws {
        let test = try backend.make()
        try test.append([TestEvent(id: "e0")])
        let counts = try test.store.readTogether { state in
            try state.read { reader in
                var counts = [try reader.statistics().events]
                try [1, 2, 3].mapInParallel { _ in
                    try state.read { try $0.statistics().events }
                } receive: {
                    counts.append($0)
                }
                return counts
            }
        }
        #expect(counts == [1, 1, 1, 1])
    }

    @Test(arguments: Backend.allCases) func `what was written before is seen, what comes after is not`(
        backend: Backend
    ) throws {
        let test = try backend.make()
        try test.append([TestEvent(id: "e0")])
        try test.store.readTogether { state in
            try test.append([TestEvent(id: "e1")])
            #expect(try state.read { try $0.statistics().events } == 1)
        }
        #expect(try test.store.readTogether { try $0.read { try $0.statistics().events } } == 2)
    }
}
