// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress
package import LaurelStore
internal import Synchronization

/// A store that counts reads, can let them fail, and can run code right after a commit, before the writer continues.
package final class WatchedStore: EventStore {
    private struct State {
        var reads = 0
        var willRead: @Sendable () throws -> Void = {}
        var willWrite: @Sendable () throws -> Void = {}
        var didCommit: @Sendable () throws -> Void = {}
    }

    private let store: any EventStore
    private let state = Mutex(State())

    package init(_ store: any EventStore) { self.store = store }

    /// The number of reads.
    package var reads: Int { state.withLock(\.reads) }

    /// Called before each read. Its error is thrown to the reader.
    package var willRead: @Sendable () throws -> Void {
        get { state.withLock(\.willRead) }
        set { state.withLock { $0.willRead = newValue } }
    }

    /// Called before each write, like ``willRead``.
    package var willWrite: @Sendable () throws -> Void {
        get { state.withLock(\.willWrite) }
        set { state.withLock { $0.willWrite = newValue } }
    }

    package var didCommit: @Sendable () throws -> Void {
        get { state.withLock(\.didCommit) }
        set { state.withLock { $0.didCommit = newValue } }
    }

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        state.withLock { $0.reads += 1 }
        try willRead()
        return try store.read(body)
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        try willRead()
        return try store.readTogether(body)
    }

    package func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        try willWrite()
        let result = try store.write(in: partitions, body)
        try didCommit()
        return result
    }

    package func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        try willWrite()
        let result = try store.writeAll(body)
        try didCommit()
        return result
    }

    // MARK: As it is

    package func withShadow<T>(_ body: () throws -> T) throws -> T { try store.withShadow(body) }
    package var partitions: Int { store.partitions }
    package var eventsPerTransaction: Int { store.eventsPerTransaction }
    package var jobs: any JobStore { store.jobs }
    package var commits: CommitSignal { store.commits }
    package func newBatch() -> any ProjectionBatch { store.newBatch() }
    package func version(of partition: Int) throws -> StoreVersion? { try store.version(of: partition) }
    package func newProbe() throws -> any CommitProbe { try store.newProbe() }
    package func releaseMemory() { store.releaseMemory() }
    package func close() { store.close() }
}
