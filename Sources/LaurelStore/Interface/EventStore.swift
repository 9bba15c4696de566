// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

/// Where events, and the progress that follows from them, are kept.
///
/// Events are the only truth; projections and snapshots are caches that the caller writes in the same transaction.
package protocol EventStore: AnyObject, Sendable {
    /// Runs `body` over one consistent state. Never waits for a writer, nor makes one wait.
    ///
    /// The reader is for the calling thread and for the time of `body` only.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T

    /// Runs `body` over one consistent state that several threads may read at once.
    /// - Throws: ``StoreError`` of code `busy` where the store never rests long enough for all of them to find the same one.
    func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T

    /// How many partitions there are.
    var partitions: Int { get }

    /// Runs `body` alone in some partitions, all or nothing: what it wrote is durable when this returns, and gone where it throws.
    /// It reads all of the store, and writes what is of the partitions' learners, and records of a service. Of two that write
    /// the same record at once, in different partitions, the later stands.
    /// - Parameter partitions: at least one, ascending, each once.
    /// - Throws: ``StoreError``, or what `body` threw.
    func write<T>(in partitions: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T

    /// As ``write(in:_:)``, alone in the whole store. All who write wait for it, so it is for what concerns everybody.
    func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T

    /// How many events an ingest may write in one transaction, about; `.max` where the more the better.
    var eventsPerTransaction: Int { get }

    /// Runs `body` as the only one, among all processes, that may build a shadow. What it leaves of one is gone
    /// afterwards, in writes of bounded length; had the process ended before, later writes would do it.
    /// - Throws: ``StoreError`` of code `busy` where another is at it, or what `body` threw.
    func withShadow<T>(_ body: () throws -> T) throws -> T

    /// Whether this store, of all over the same events, has a duty for some seconds from now: work that only one process is
    /// to do. It keeps it as long as it asks in time. A store on one machine has whatever it asks for.
    func hasDuty(_ name: String, seconds: Double) throws -> Bool

    /// What takes longer than a request.
    var jobs: any JobStore { get }

    /// Does what writes have left to be done later, where there is any of it and it is time. Writes to a file do it by
    /// themselves.
    /// - Throws: also the latest failure of such work since this was last called.
    func tidyUp() throws

    /// Whether ``mergeGenerations(_:)`` has something to do.
    func isMergingDue() throws -> Bool

    /// Writes anew blocks that hold too few events of each learner, where writes have left that to be done. Nobody waits for it.
    /// - Parameter progress: told the share that is done, again and again; whatever it throws ends the work.
    /// - Returns: how many generations of blocks have become part of others.
    func mergeGenerations(_ progress: (Double) throws -> Void) throws -> Int

    /// To be filled on any thread, and written by ``StoreTransaction/write(_:)``.
    func newBatch() -> any ProjectionBatch

    /// The state that a partition is in, as ``StoreTransaction/versions`` name it: what is read while it stays the same is of it.
    /// nil where it is not known yet.
    /// - Complexity: some microseconds.
    func version(of partition: Int) throws -> StoreVersion?

    /// Told of every write of this store, in this process.
    var commits: CommitSignal { get }
    func newProbe() throws -> any CommitProbe

    /// Gives back what is only kept to be faster the next time.
    func giveBackMemory()
    /// Closes the files, which the next call opens again. Also done when the last reference goes.
    func close()
}

extension EventStore {
    package func write<T>(in partition: Int, _ body: (any StoreTransaction) throws -> T) throws -> T {
        try write(in: [partition], body)
    }

    package func hasDuty(_ name: String, seconds: Double) throws -> Bool { true }
    package func tidyUp() {}
    package func isMergingDue() -> Bool { false }
    package func mergeGenerations(_ progress: (Double) throws -> Void) -> Int { 0 }
}

/// One consistent state of a store, for several threads, and for the time of the call that gave it.
package protocol StoreState: AnyObject, Sendable {
    /// As ``EventStore/read(_:)``, of this state. More threads than there are processors wait for one another; a body may
    /// wait for others that read, but not read again itself.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T
}

/// Projections gathered to be written at one go: whoever fills it does most of the work of writing. Used by one thread at a
/// time.
package protocol ProjectionBatch: AnyObject, Sendable {
    /// In place of what is stored of a learner.
    /// - Parameters:
    ///   - days: `.all` replaces all of the learner's days; `.listed` only those that the tracks list, all others stay.
    ///   - learner: once, and above those before.
    func append(_ projection: LearnerProjection, days: ReplacedDays, of learner: Int64)
    /// What has changed, where it is known what is stored: the days that the tracks list are replaced, and what stays as it was is
    /// not written.
    /// - Parameters:
    ///   - old: what is stored, of the days some or none.
    ///   - learner: once, and above those before.
    func append(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64)
    /// Keeps its memory.
    func removeAll()
}

extension ProjectionBatch {
    /// In place of all that is stored of a learner, days included.
    package func append(_ projection: LearnerProjection, of learner: Int64) {
        append(projection, days: .all, of: learner)
    }
}
