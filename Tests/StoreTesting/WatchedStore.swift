// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore

/// A store that counts who reads, and lets something happen right after a commit, before whoever wrote goes on.
final class WatchedStore: EventStore, @unchecked Sendable {
    private let store: any EventStore
    /// How often somebody has read.
    private(set) var reads = 0
    var didCommit: () throws -> Void = {}

    init(_ store: any EventStore) { self.store = store }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        reads += 1
        return try store.read(body)
    }

    func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        let result = try store.write(in: partitions, body)
        try didCommit()
        return result
    }

    func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        let result = try store.writeAll(body)
        try didCommit()
        return result
    }

    // MARK: As it is

    func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T { try store.readTogether(body) }
    func withShadow<T>(_ body: () throws -> T) throws -> T { try store.withShadow(body) }
    var partitions: Int { store.partitions }
    var eventsPerTransaction: Int { store.eventsPerTransaction }
    var jobs: any JobStore { store.jobs }
    var commits: CommitSignal { store.commits }
    func newBatch() -> any ProjectionBatch { store.newBatch() }
    func version(of partition: Int) throws -> StoreVersion? { try store.version(of: partition) }
    func newProbe() throws -> any CommitProbe { try store.newProbe() }
    func giveBackMemory() { store.giveBackMemory() }
    func close() { store.close() }
}
