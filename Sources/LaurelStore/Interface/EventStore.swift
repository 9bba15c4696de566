// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

/// Stores events, and the progress computed from them.
///
/// Only events are original data. Projections and snapshots are caches that the caller writes in the same
/// transaction.
package protocol EventStore: AnyObject, Sendable {
    /// Runs `body` over one consistent state. Readers and writers never wait for each other.
    ///
    /// Use the reader only on the calling thread, and only within `body`.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T

    /// Runs `body` over one consistent state that several threads may read at once.
    /// - Throws: ``StoreError`` of code `busy` if writes follow each other so closely that the threads cannot open the
    ///   same state.
    func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T

    /// The number of partitions.
    var partitions: Int { get }

    /// Runs `body` as the only writer of some partitions, all or nothing. The writes are durable when the call returns,
    /// and undone if the call throws. The body may read the whole store. The body may write service records, and the
    /// data of the partitions' learners. If two writes in different partitions set the same service record at once, the
    /// later one wins.
    /// - Parameter partitions: at least one, ascending, without duplicates.
    /// - Throws: ``StoreError``, or the error that `body` threw.
    func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T

    /// Runs `body` as the only writer of the whole store. All writers wait for the call, so use it only for data of all
    /// learners.
    func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T

    /// The approximate number of events that an ingest should write in one transaction; `.max` if there is no limit.
    var eventsPerTransaction: Int { get }

    /// Runs `body` while no other process may build a shadow (see ``StoreAdministration/beginShadow()``). Afterwards
    /// the rows that remain of a shadow are deleted, in several short writes. If the process ends earlier, later writes
    /// delete these rows.
    /// - Throws: ``StoreError`` of code `busy` if another process is building a shadow, or the error that `body` threw.
    func withShadow<T>(_ body: () throws -> T) throws -> T

    /// Returns true if this process holds a duty for some seconds from now. A duty is work that one process per store
    /// should do. The process keeps the duty by calling again in time. In a store on one machine, every call returns
    /// true.
    func hasDuty(_ name: String, seconds: Double) throws -> Bool

    /// Work that takes longer than a request.
    var jobs: any JobStore { get }

    /// Does the work that writes have deferred, if some is due. A store in a file does this work within its writes.
    /// - Throws: an error of this work, or the latest error of deferred work since the last call.
    func runDeferredWork() throws

    /// Returns true if ``mergeGenerations(_:)`` has something to do.
    func isMergingDue() throws -> Bool

    /// Merges blocks that contain too few events of each learner, if writes have left that work. No writer waits for
    /// the merge.
    /// - Parameter progress: called repeatedly with the share that is done, 0 … 1. An error that it throws ends the
    ///   work.
    /// - Returns: the number of generations that were merged into others.
    func mergeGenerations(_ progress: (Double) throws -> Void) throws -> Int

    /// Creates a batch. Any thread may fill it; ``StoreTransaction/write(_:)`` writes it.
    func newBatch() -> any ProjectionBatch

    /// The version of a partition's current state; nil if the version is not known yet. If the version is the same
    /// before and after a read, the read saw the state of that version. Compare the version with
    /// ``StoreTransaction/versions``.
    /// - Complexity: some microseconds.
    func version(of partition: Int) throws -> StoreVersion?

    /// Signals every write to this store by this process.
    var commits: CommitSignal { get }
    func newProbe() throws -> any CommitProbe

    /// Frees memory that only makes later calls faster.
    func releaseMemory()
    /// Closes the files. The next call opens them again. Releasing the store also closes them.
    func close()
}

extension EventStore {
    package func write<T>(in partition: Int, _ body: (any StoreTransaction) throws -> T) throws -> T {
        try write(in: [partition], body)
    }

    package func hasDuty(_ name: String, seconds: Double) throws -> Bool { true }
    package func runDeferredWork() {}
    package func isMergingDue() -> Bool { false }
    package func mergeGenerations(_ progress: (Double) throws -> Void) -> Int { 0 }
}

/// One consistent state of a store, for several threads. The state is valid until the call that passed it returns.
package protocol StoreState: AnyObject, Sendable {
    /// Does the same as ``EventStore/read(_:)``, over this state. No more threads can read at once than there are
    /// processors; further threads wait. A body may wait for other reading threads, but must not call this method.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T
}

/// Projections to be written together. Most of the work is done when the batch is filled. Use it from one thread at a
/// time.
package protocol ProjectionBatch: AnyObject, Sendable {
    /// Replaces the stored projection of a learner.
    /// - Parameters:
    ///   - days: `.all` replaces all of the learner's days; `.listed` only the days that the tracks list.
    ///   - learner: each learner once, in ascending order.
    func append(_ projection: LearnerProjection, days: ReplacedDays, of learner: Int64)
    /// Writes the changes to a known stored projection. The days that the tracks list are replaced, and unchanged rows
    /// are not written.
    /// - Parameters:
    ///   - old: the stored projection, with any of its days.
    ///   - learner: each learner once, in ascending order.
    func append(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64)
    /// Empties the batch, but keeps its memory.
    func removeAll()
}

extension ProjectionBatch {
    /// Replaces the whole stored projection of a learner, days included.
    package func append(_ projection: LearnerProjection, of learner: Int64) {
        append(projection, days: .all, of: learner)
    }
}
