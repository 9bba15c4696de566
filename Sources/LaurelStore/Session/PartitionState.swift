// SPDX-License-Identifier: Apache-2.0

/// A session's cached data of a partition that it writes. Some data come from earlier transactions of the session, so
/// that a small append need not read those rows.
///
/// Cached rows are valid while no other process writes to the partition. They are discarded when a transaction fails,
/// and when another process has written since the previous transaction.
final class PartitionState {
    /// The number of events in the tail, and the sequence number of the event appended last.
    struct Tail {
        var events: Int64
        var sequence: Int64
    }

    let partition: Int
    /// The partition's versions before and after the current transaction. Between transactions, they are the versions
    /// before and after the latest transaction.
    private(set) var step: VersionStep
    var tail: Tail?
    var changes: ChangeLog?
    var openLearners = LearnerCountCache()
    /// The highest ids of learners who have rows of progress, or snapshots. Learners with higher ids have no rows to
    /// replace.
    var lastWritten: [DerivedTarget: Int64] = [:]
    var lastSnapshot: [DerivedTarget: Int64] = [:]

    // MARK: The current transaction

    var hasNewBlocks = false
    /// The number of events that blocks of this transaction contain and that were not stored before.
    var eventsInNewBlocks = 0
    /// The learners that the transaction changes; nil until it changes one.
    var pendingChanges: PendingChanges?

    init(_ partition: Int = 0) {
        self.partition = partition
        let version = StoreVersion(partition: partition)
        step = VersionStep(before: version, after: version)
    }

    /// Must be called when a writing transaction has begun. The transaction gets a commit number even if it is never
    /// committed.
    /// - Parameters:
    ///   - others: a number that changes whenever another process has written to the partition.
    ///   - before: the version of the state at the beginning; nil for the state that the last transaction has left.
    ///   - history: the history of the state that the transaction will leave.
    /// - Returns: true if another process has written since the last transaction.
    @discardableResult
    func begin(others: Int64, at before: StoreVersion? = nil, leaving history: PartitionHistory? = nil) -> Bool {
        (hasNewBlocks, eventsInNewBlocks, pendingChanges) = (false, 0, nil)
        let last = step.after
        let isChanged = others != last.others
        if isChanged { forgetRows(ofOnly: before?.learnersChanged(since: last)) }
        step = VersionStep(
            before: before
                ?? StoreVersion(partition: partition, others: others, write: last.write, history: last.history),
            after: StoreVersion(partition: partition, others: others, history: history)
        )
        return isChanged
    }

    /// Discards cached rows. Must be called when rows may have changed outside of the session.
    /// - Parameter learners: the learners whose rows may have changed; nil for any learners.
    func forgetRows(ofOnly learners: Set<Int64>? = nil) {
        (tail, changes) = (nil, nil)
        if let learners { openLearners.forget(learners) } else { openLearners = LearnerCountCache() }
        forgetDerivedRows()
    }

    func forgetDerivedRows() { (lastWritten, lastSnapshot) = ([:], [:]) }
}

// MARK: Partitions of a session

extension StoreSession {
    /// The cached data of a partition that the session writes to.
    /// - Throws: ``StoreError`` if the session does not write to the partition.
    func part(_ partition: Int) throws -> PartitionState {
        if let part = openPart(partition) { return part }
        throw StoreError(.misuse, "partition \(partition) is written by who has \(parts.map(\.partition))")
    }

    func part(of learner: Int64) throws -> PartitionState { try part(Partition.of(learner: learner)) }

    func part(named subject: [UInt8]) throws -> PartitionState {
        try part(Partition.of(subject, among: partitionCount))
    }

    private func openPart(_ partition: Int) -> PartitionState? {
        // In a damaged store, a learner's id may name a partition that does not exist.
        if partitionCount == 1 { return parts.first }
        if parts.count == partitionCount { return parts.indices.contains(partition) ? parts[partition] : nil }
        return parts.first { $0.partition == partition }
    }

    /// The cached number of a learner's events; nil if it is not cached.
    func count(of learner: Int64) -> LearnerCountCache.Count? {
        openPart(Partition.of(learner: learner))?.openLearners.counts[learner]
    }

    /// Groups elements by the partition of the learner they concern, in ascending order of partitions.
    func byPartition<Element>(
        _ elements: [Element],
        _ learner: (Element) -> Int64
    ) throws -> [(part: PartitionState, elements: [Element])] {
        if parts.count == 1, let first = elements.first { return [(try part(of: learner(first)), elements)] }
        return try Dictionary(grouping: elements) { Partition.of(learner: learner($0)) }.sorted { $0.key < $1.key }
            .map { (try part($0.key), $0.value) }
    }
}
