// SPDX-License-Identifier: Apache-2.0

/// A session's cached knowledge of a partition that it writes. Part of it comes from earlier transactions of the
/// session, so a small append need not read those rows.
///
/// Cached rows are valid while no other process writes to the partition. They are discarded when a transaction fails,
/// and when a transaction finds that another process has written since the previous one.
final class PartitionState {
    /// The number of events in the tail, and the sequence number of the event appended last.
    struct Tail {
        var events: Int64
        var sequence: Int64
    }

    let partition: Int
    /// The partition's versions before and after the current transaction, or the latest one.
    private(set) var step: VersionStep
    var tail: Tail?
    var changes: ChangeLog?
    var openLearners = LearnerCountCache()
    /// The last learners who have rows of progress, and snapshots; later ones have none to be replaced.
    var lastWritten: [DerivedTarget: Int64] = [:]
    var lastSnapshot: [DerivedTarget: Int64] = [:]

    // MARK: Of the transaction under way

    var hasNewBlocks = false
    /// Written for the first time.
    var eventsInNewBlocks = 0
    /// Set once the transaction has to do with quarantine.
    var quarantineBudget: QuarantineBudget?
    /// The learners that the transaction changes; nil until it changes one.
    var pendingChanges: PendingChanges?

    init(_ partition: Int = 0) {
        self.partition = partition
        let version = StoreVersion(partition: partition)
        step = VersionStep(before: version, after: version)
    }

    /// To be called when a transaction that writes has begun. It has a number, whether it is committed or not.
    /// - Parameters:
    ///   - others: changes whenever others have written.
    ///   - before: what the state that it begins with is known as; nil for what the last transaction has left.
    ///   - history: of the state that it will leave.
    /// - Returns: whether others have written.
    @discardableResult
    func begin(others: Int64, at before: StoreVersion? = nil, leaving history: PartitionHistory? = nil) -> Bool {
        (hasNewBlocks, eventsInNewBlocks, quarantineBudget, pendingChanges) = (false, 0, nil, nil)
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

    /// To be called where rows may have changed without the session.
    /// - Parameter learners: those whose may have; nil where that is not known.
    func forgetRows(ofOnly learners: Set<Int64>? = nil) {
        (tail, changes) = (nil, nil)
        if let learners { openLearners.forget(learners) } else { openLearners = LearnerCountCache() }
        forgetDerivedRows()
    }

    func forgetDerivedRows() { (lastWritten, lastSnapshot) = ([:], [:]) }
}

// MARK: Those of a session

extension StoreSession {
    /// - Throws: ``StoreError`` where the session does not write the partition.
    func part(_ partition: Int) throws -> PartitionState {
        if let part = openPart(partition) { return part }
        throw StoreError(.misuse, "partition \(partition) is written by who has \(parts.map(\.partition))")
    }

    func part(of learner: Int64) throws -> PartitionState { try part(Partition.of(learner: learner)) }

    func part(named subject: [UInt8]) throws -> PartitionState {
        try part(Partition.of(subject, among: partitionCount))
    }

    private func openPart(_ partition: Int) -> PartitionState? {
        // Whatever damage has made of a learner's number.
        if partitionCount == 1 { return parts.first }
        if parts.count == partitionCount { return parts.indices.contains(partition) ? parts[partition] : nil }
        return parts.first { $0.partition == partition }
    }

    /// The cached number of a learner's events; nil if the session has not cached it.
    func count(of learner: Int64) -> LearnerCountCache.Count? {
        openPart(Partition.of(learner: learner))?.openLearners.counts[learner]
    }

    /// Elements that are about learners, those of each partition together, by ascending partitions.
    func byPartition<Element>(
        _ elements: [Element],
        _ learner: (Element) -> Int64
    ) throws -> [(part: PartitionState, elements: [Element])] {
        if parts.count == 1, let first = elements.first { return [(try part(of: learner(first)), elements)] }
        return try Dictionary(grouping: elements) { Partition.of(learner: learner($0)) }.sorted { $0.key < $1.key }
            .map { (try part($0.key), $0.value) }
    }
}
