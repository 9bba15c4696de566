// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A store in memory. It is the reference for comparing other stores, so it is simple rather than fast.
package final class MemoryStore: EventStore {
    /// For each partition, the lock that is held during a write.
    private let writing: [TimedLock]
    /// The lock that is held while a shadow is built.
    private let shadowing = Lock()
    private let lock = Lock()
    /// Access it only while `lock` is held.
    nonisolated(unsafe) private var state: MemoryState
    package let commits = CommitSignal()
    package let jobs: any JobStore = MemoryJobs()
    package let eventsPerTransaction: Int

    package init(partitions: Int = 1, eventsPerTransaction: Int = .max) {
        self.eventsPerTransaction = eventsPerTransaction
        writing = (0..<partitions).map { _ in TimedLock() }
        state = MemoryState(partitions: partitions)
    }

    package var partitions: Int { writing.count }

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        let copy = lock.withLock { state }
        return try body(MemorySession(copy))
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        try body(MemorySnapshot(lock.withLock { state }))
    }

    package func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        try write(partitions) { try body($0) }
    }

    package func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        try write(Array(writing.indices)) { try body($0) }
    }

    private func write<T>(_ own: [Int], _ body: (MemorySession) throws -> T) throws -> T {
        try own.map { writing[$0] }.withAll(
            before: Deadline(seconds: 3600),
            else: { StoreError(.busy, "the store is being written") }
        ) {
            let session = MemorySession(lock.withLock { state }, writing: own)
            let result = try body(session)
            session.finish()
            lock.withLock { state.take(session.state, own, session.newRecords) }
            commits.send()
            return result
        }
    }

    package func newProbe() -> any CommitProbe { MemoryProbe(self) }

    package func releaseMemory() {}

    package func close() {}

    package func version(of partition: Int) -> StoreVersion? { lock.withLock { state.parts[partition].version } }

    fileprivate var versions: [StoreVersion] { lock.withLock { state.parts.map(\.version) } }

    package func newBatch() -> any ProjectionBatch { MemoryProjections() }

    package func withShadow<T>(_ body: () throws -> T) throws -> T {
        try shadowing.withLock {
            let result = Result(catching: body)
            try write(Array(writing.indices)) { $0.forgetShadow() }
            return try result.get()
        }
    }
}

private final class MemoryProbe: CommitProbe, @unchecked Sendable {
    private let store: MemoryStore
    private var seen: [StoreVersion]

    init(_ store: MemoryStore) {
        self.store = store
        seen = store.versions
    }

    func hasNewCommits() -> Bool {
        let versions = store.versions
        defer { seen = versions }
        return versions != seen
    }

    func close() {}
}

/// A state of the store that later writes do not change.
private final class MemorySnapshot: StoreState, @unchecked Sendable {
    private let state: MemoryState

    init(_ state: MemoryState) { self.state = state }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T { try body(MemorySession(state)) }
}
