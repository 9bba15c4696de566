// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress
package import LaurelStore

/// A store that counts who reads, lets them fail, and lets something happen right after a commit, before whoever wrote goes on.
package final class WatchedStore: EventStore, @unchecked Sendable {
    private let store: any EventStore
    /// How often somebody has read.
    package private(set) var reads = 0
    /// Whatever it throws is what who reads is told.
    package var willRead: () throws -> Void = {}
    package var didCommit: () throws -> Void = {}

    package init(_ store: any EventStore) { self.store = store }

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        reads += 1
        try willRead()
        return try store.read(body)
    }

    package func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        let result = try store.write(in: partitions, body)
        try didCommit()
        return result
    }

    package func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        let result = try store.writeAll(body)
        try didCommit()
        return result
    }

    // MARK: As it is

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        try willRead()
        return try store.readTogether(body)
    }
    package func withShadow<T>(_ body: () throws -> T) throws -> T { try store.withShadow(body) }
    package var partitions: Int { store.partitions }
    package var eventsPerTransaction: Int { store.eventsPerTransaction }
    package var jobs: any JobStore { store.jobs }
    package var commits: CommitSignal { store.commits }
    package func newBatch() -> any ProjectionBatch { store.newBatch() }
    package func version(of partition: Int) throws -> StoreVersion? { try store.version(of: partition) }
    package func newProbe() throws -> any CommitProbe { try store.newProbe() }
    package func giveBackMemory() { store.giveBackMemory() }
    package func close() { store.close() }
}
