// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore

/// A learner's state as the store has it projected.
struct FoldedLearner {
    let state: LearnerState
    /// Where the stored snapshot was taken; nil if there is none.
    var snapshot: CheckpointPlace?
    /// How many events were folded since, or skipped as void.
    var eventsSinceSnapshot: Int
    /// As stored, with the days of the last append where that is known.
    var projection: LearnerProjection?
    /// States as they were a while ago, the oldest first, all of them from after the stored snapshot.
    private(set) var checkpoints: [RecentCheckpoint] = []
    /// The learner's id, once somebody has asked by it.
    var subject: [UInt8]?

    /// What was found of its size last, and how many events it had then.
    var measured = (size: 0, events: 0)

    /// Keeps the state as it is now, where the last one kept is older than ``RecentCheckpoint/interval``.
    mutating func keepCheckpoint(after earlier: [RecentCheckpoint], plan: FoldPlan) {
        checkpoints = earlier
        guard let position = state.position,
            state.eventCount >= (earlier.last?.events ?? 0) + RecentCheckpoint.interval
        else { return }
        // One is mostly too young for the next event that comes late: the one before it is not.
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

    /// About how many bytes of memory it takes. The state is measured again once an eighth has been added to its events.
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

/// A learner's state as it was a while ago, in memory. From here on is folded again when an event comes a moment late, as it
/// does where two devices, or two requests at once, send events of one learner.
struct RecentCheckpoint {
    /// How many events lie between two, at least.
    static let interval = 64

    let position: EventPosition
    let events: Int
    let eventsSinceSnapshot: Int
    let data: [UInt8]
}

/// The states of learners who were folded lately, so that the next event of one folds only itself, and a question about one
/// nothing.
///
/// They hold as long as nobody else writes to the learner's partition, be it a process, another engine, or another part of this
/// one, or as long as the partition's history says that it was about other learners: whoever asks for one says which state of the
/// partition it is to be of.
final class FoldStateCache: @unchecked Sendable {
    /// Whoever reads a state keeps only those waiting who want the same one.
    private final class Entry {
        /// nil once it was taken out.
        private var learner: FoldedLearner?
        private let lock = Lock()
        let size: Int
        /// When it was put here or read, counted in uses.
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

    /// Those of a partition.
    private struct Part {
        var version: StoreVersion
        var entries: [Int64: Entry] = [:]
    }

    /// Bytes of states kept.
    private let limit: Int
    private let lock = Lock()
    /// The following are used with `lock` held only.
    private var parts: [Int: Part] = [:]
    private var learners: [[UInt8]: Int64] = [:]
    private var size = 0
    private var uses = 0
    private var plan: FoldPlan?

    init(limit: Int) { self.limit = limit }

    // MARK: Writing

    /// Takes out a learner's state; nil if it is not known as of that version of the partition, under that plan.
    func take(_ learner: Int64, at version: StoreVersion, plan: FoldPlan) -> FoldedLearner? {
        let entry = lock.withLock {
            isKnown(version) && self.plan === plan ? remove(learner, in: version.partition) : nil
        }
        return entry?.take()
    }

    /// A write was committed that changed some learners, and left the states of some of them.
    func commit(
        _ states: [Int64: FoldedLearner],
        changed: Set<Int64>,
        versions: [VersionStep],
        plan: FoldPlan
    ) {
        lock.withLock {
            // Whoever reads may have followed the write before this call.
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

    /// A write was committed that changed nobody.
    func commit(versions: [VersionStep]) {
        lock.withLock {
            for step in versions where isKnown(step.before) || isKnown(step.after) {
                parts[step.after.partition]?.version = step.after
            }
        }
    }

    // MARK: Reading

    /// The number of a learner who is known by their id as of that version.
    func learner(named subject: [UInt8], at version: StoreVersion) -> Int64? {
        lock.withLock { isKnown(version) ? learners[subject] : nil }
    }

    /// Reads a learner's state; nil if it is not known as of that version of the partition, under that plan.
    /// - Parameters:
    ///   - subject: the learner's id, to be found by from now on, where it is at hand.
    ///   - body: others who want the state wait for it.
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

    /// Keeps a state that was folded to answer a question, unless there is one already.
    func keep(_ learner: FoldedLearner, _ id: Int64, at version: StoreVersion, plan: FoldPlan) {
        lock.withLock {
            // What is kept may be of a later state meanwhile.
            if !isKnown(version), parts[version.partition]?.version.learnersChanged(since: version) != nil { return }
            begin(at: version, plan)
            if parts[version.partition]?.entries[id] == nil { insert(learner, id, in: version.partition) }
            if size > limit { dropOldest() }
        }
    }

    // MARK: Keeping

    /// Whether the states kept of a partition hold in that version. Of an earlier one those are dropped whose learners were changed since, where
    /// it is known who that is.
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

    /// Makes room for a while, so that it need not be looked for at each commit.
    private func dropOldest() {
        let entries = parts.flatMap { partition, part in part.entries.map { (partition, $0.key, $0.value.lastUse) } }
        for (partition, learner, _) in entries.sorted(by: { $0.2 < $1.2 }) {
            _ = remove(learner, in: partition)
            if size <= limit / 8 * 7 { break }
        }
    }
}
