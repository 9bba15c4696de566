// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore

/// A learner's state after the last event. It agrees with the learner's projection, which is the learner's rows in the
/// tables of progress.
struct FoldedLearner {
    let state: LearnerState
    /// The position of the stored snapshot; nil if there is none.
    var snapshot: CheckpointPoint?
    /// The number of events that were folded, or skipped as void, since the snapshot.
    var eventsSinceSnapshot: Int
    /// The stored projection. It includes the days of the last append, if they are known.
    var projection: LearnerProjection?
    /// Earlier states, the oldest first. All of them are later than the stored snapshot.
    private(set) var checkpoints: [RecentCheckpoint] = []
    /// The learner's id; nil until the learner is first requested by id.
    var subject: [UInt8]?

    /// The size of the state in bytes when it was last measured, and its number of events at that time.
    var measured = (size: 0, events: 0)

    /// Adds the current state as a checkpoint if at least ``RecentCheckpoint/interval`` events were folded since the
    /// last checkpoint.
    mutating func keepCheckpoint(after earlier: [RecentCheckpoint], plan: FoldPlan) {
        checkpoints = earlier
        guard let position = state.position,
            state.eventCount >= (earlier.last?.events ?? 0) + RecentCheckpoint.interval
        else { return }
        // The new checkpoint is usually too recent for the next late event. So the previous checkpoint is kept, too.
        checkpoints = earlier.suffix(1)
        checkpoints.append(
            RecentCheckpoint(
                position: position,
                events: state.eventCount,
                eventsSinceSnapshot: eventsSinceSnapshot,
                data: state.snapshot(plan: plan)
            )
        )
    }

    /// The approximate memory in bytes. The state is measured again when its number of events has grown by an eighth.
    fileprivate mutating func measure() -> Int {
        if measured.size == 0 || state.eventCount > measured.events + measured.events / 8 {
            let tracks = projection?.tracks ?? []
            var rows = 512 * tracks.count
            for track in tracks { rows += 96 * track.achievements.count + 8 * track.numbers.metrics.count }
            measured = (state.memorySize + rows, state.eventCount)
        }
        return checkpoints.reduce(measured.size) { $0 + $1.data.count }
    }
}

/// An earlier state of a learner, in memory. The fold resumes here for a slightly late event. Such events occur when
/// two devices or two concurrent requests send events of one learner.
struct RecentCheckpoint {
    /// The minimum number of events between two checkpoints.
    static let interval = 64

    let position: EventPosition
    let events: Int
    let eventsSinceSnapshot: Int
    let data: [UInt8]
}

/// The states of recently folded learners. With a cached state, only the new event is folded, and a query needs no
/// fold.
///
/// A state is valid until another process, engine or part of this engine writes to the learner's partition. If the
/// partition's history shows that such writes changed only other learners, the state stays valid. So every call
/// states the version of the partition that it needs.
final class FoldStateCache: @unchecked Sendable {
    /// A cached state with its own lock. A thread that reads the state delays only threads that read the same state.
    private final class Entry {
        /// The state; nil while it is removed for use.
        private var learner: FoldedLearner?
        private let lock = Lock()
        let size: Int
        /// The time of the last use, as a count of all uses of the cache.
        var lastUse: Int
        var subject: [UInt8]?

        init(_ learner: FoldedLearner, lastUse: Int) {
            var learner = learner
            (size, subject, self.lastUse) = (learner.measure(), learner.subject, lastUse)
            self.learner = learner
        }

        func take() -> FoldedLearner? {
            lock.withLock {
                var taken = learner.take()
                taken?.subject = subject
                return taken
            }
        }

        func read<T>(_ body: (FoldedLearner) throws -> T?) rethrows -> T? {
            try lock.withLock { try learner.flatMap(body) }
        }
    }

    /// The states of a partition.
    private struct Part {
        var version: StoreVersion
        var entries: [Int64: Entry] = [:]
    }

    /// The maximum number of bytes of cached states.
    private let limit: Int
    private let lock = Lock()
    /// Access the following properties only while `lock` is held.
    private var parts: [Int: Part] = [:]
    private var learners: [[UInt8]: Int64] = [:]
    private var size = 0
    private var uses = 0
    private var plan: FoldPlan?

    init(limit: Int) { self.limit = limit }

    // MARK: Writing

    /// Removes a learner's state from the cache and returns it; nil if the cache has none for this version of the
    /// partition and this plan.
    func take(_ learner: Int64, at version: StoreVersion, plan: FoldPlan) -> FoldedLearner? {
        let entry = lock.withLock {
            isKnown(version) && self.plan === plan ? remove(learner, in: version.partition) : nil
        }
        return entry?.take()
    }

    /// Updates the cache after a committed write.
    /// - Parameters:
    ///   - states: the new states of some learners.
    ///   - changed: all learners that the write has changed.
    func commit(
        _ states: [Int64: FoldedLearner],
        changed: Set<Int64>,
        versions: [VersionStep],
        plan: FoldPlan
    ) {
        lock.withLock {
            // A reader may have updated the cache to a later version before this call.
            for step in versions
            where self.plan !== plan || parts[step.after.partition]?.version != step.before && !isKnown(step.after) {
                begin(at: step.before, plan)
            }
            for learner in changed { _ = remove(learner, in: versions.step(of: learner).after.partition) }
            for (id, learner) in states { insert(learner, id, in: versions.step(of: id).after.partition) }
            for step in versions { parts[step.after.partition]?.version = step.after }
            if size > limit { dropOldest() }
        }
    }

    /// Updates the cache after a committed write that changed no learner.
    func commit(versions: [VersionStep]) {
        lock.withLock {
            for step in versions where isKnown(step.before) || isKnown(step.after) {
                parts[step.after.partition]?.version = step.after
            }
        }
    }

    // MARK: Reading

    /// The store id of a learner with a known subject; nil if the cache has none for this version.
    func learner(named subject: [UInt8], at version: StoreVersion) -> Int64? {
        lock.withLock { isKnown(version) ? learners[subject] : nil }
    }

    /// Reads a learner's state; nil if there is none for this version of the partition and this plan.
    /// - Parameters:
    ///   - subject: the learner's id, by which the learner can be found from now on; nil if not known.
    ///   - body: called with the state. Other readers of the state wait meanwhile.
    func read<T>(
        _ learner: Int64,
        named subject: [UInt8]? = nil,
        at version: StoreVersion,
        plan: FoldPlan,
        _ body: (FoldedLearner) throws -> T?
    ) rethrows -> T? {
        let entry: Entry? = lock.withLock {
            guard isKnown(version), self.plan === plan, let entry = parts[version.partition]?.entries[learner] else {
                return nil
            }
            uses += 1
            entry.lastUse = uses
            if entry.subject == nil, let subject {
                entry.subject = subject
                learners[subject] = learner
            }
            return entry
        }
        return try entry?.read(body)
    }

    /// Caches a state that was folded for a query, unless the cache already has one.
    func keep(_ learner: FoldedLearner, _ id: Int64, at version: StoreVersion, plan: FoldPlan) {
        lock.withLock {
            // The cache may contain a later state by now.
            if !isKnown(version), parts[version.partition]?.version.learnersChanged(since: version) != nil { return }
            begin(at: version, plan)
            if parts[version.partition]?.entries[id] == nil { insert(learner, id, in: version.partition) }
            if size > limit { dropOldest() }
        }
    }

    // MARK: Keeping

    /// Returns true if the partition's states are valid in a version. If the version is later, the learners that have
    /// changed since are removed from the cache first, if they are known.
    private func isKnown(_ version: StoreVersion) -> Bool {
        guard let kept = parts[version.partition]?.version else { return false }
        guard kept != version else { return true }
        guard let changed = version.learnersChanged(since: kept) else { return false }
        for learner in changed { _ = remove(learner, in: version.partition) }
        parts[version.partition]?.version = version
        return true
    }

    private func begin(at version: StoreVersion, _ plan: FoldPlan) {
        if self.plan !== plan {
            parts.removeAll()
            learners.removeAll()
            size = 0
            self.plan = plan
        }
        guard !isKnown(version) else { return }
        for learner in Array(parts[version.partition]?.entries.keys ?? [:].keys) {
            _ = remove(learner, in: version.partition)
        }
        parts[version.partition] = Part(version: version)
    }

    private func insert(_ learner: FoldedLearner, _ id: Int64, in partition: Int) {
        uses += 1
        let entry = Entry(learner, lastUse: uses)
        parts[partition]?.entries[id] = entry
        if let subject = entry.subject { learners[subject] = id }
        size += entry.size
    }

    private func remove(_ learner: Int64, in partition: Int) -> Entry? {
        guard let entry = parts[partition]?.entries.removeValue(forKey: learner) else { return nil }
        if let subject = entry.subject { learners[subject] = nil }
        size -= entry.size
        return entry
    }

    /// Removes the least recently used states. It removes more than necessary, so that it need not run at every
    /// commit.
    private func dropOldest() {
        let entries = parts.flatMap { partition, part in part.entries.map { (partition, $0.key, $0.value.lastUse) } }
        for (partition, learner, _) in entries.sorted(by: { $0.2 < $1.2 }) {
            _ = remove(learner, in: partition)
            if size <= limit / 8 * 7 { break }
        }
    }
}
