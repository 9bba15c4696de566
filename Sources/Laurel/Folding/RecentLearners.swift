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
    /// The learner's id, once somebody has asked by it.
    var subject: [UInt8]?

    /// About how many bytes of memory it takes.
    fileprivate var size: Int {
        let tracks = projection?.tracks ?? []
        return state.memorySize + tracks.reduce(0) { $0 + 512 + $1.achievements.count * 96 + $1.metrics.count * 8 }
    }
}

/// The states of learners who were folded lately, so that the next event of one folds only itself, and a question about one
/// nothing.
///
/// They hold as long as nobody else writes to the store, be it a process, another engine, or another part of this one:
/// whoever asks for one says which state of the store it is to be of.
final class RecentLearners: @unchecked Sendable {
    /// Whoever reads a state keeps only those waiting who want the same one.
    private final class Entry {
        /// nil once it was taken out.
        private var learner: FoldedLearner?
        private let isUsed = Gate()
        let size: Int
        /// When it was put here or read, counted in uses.
        var lastUse: Int
        var subject: [UInt8]?

        init(_ learner: FoldedLearner, lastUse: Int) {
            self.learner = learner
            (size, subject, self.lastUse) = (learner.size, learner.subject, lastUse)
        }

        func take() -> FoldedLearner? {
            isUsed.withLock {
                var taken = learner.take()
                taken?.subject = subject
                return taken
            }
        }

        func read<T>(_ body: (FoldedLearner) throws -> T?) rethrows -> T? {
            try isUsed.withLock { try learner.flatMap(body) }
        }
    }

    /// Bytes of states kept.
    private let limit: Int
    private let isUsed = Gate()
    /// The following are used with `isUsed` held only.
    private var entries: [Int64: Entry] = [:]
    private var learners: [[UInt8]: Int64] = [:]
    private var size = 0
    private var uses = 0
    private var version: StoreVersion?
    private var plan: FoldPlan?

    init(limit: Int) { self.limit = limit }

    // MARK: Writing

    /// Takes out a learner's state; nil if it is not known as of that version of the store, under that plan.
    func take(_ learner: Int64, at version: StoreVersion, plan: FoldPlan) -> FoldedLearner? {
        let entry = isUsed.withLock {
            self.version == version && self.plan === plan ? remove(learner) : nil
        }
        return entry?.take()
    }

    /// A write was committed that changed some learners, and left the states of some of them.
    func commit(
        _ states: [Int64: FoldedLearner],
        changed: Set<Int64>,
        versions: (before: StoreVersion, after: StoreVersion),
        plan: FoldPlan
    ) {
        isUsed.withLock {
            begin(at: versions.before, plan)
            for learner in changed { _ = remove(learner) }
            for (id, learner) in states { insert(learner, id) }
            version = versions.after
            if size > limit { dropOldest() }
        }
    }

    /// A write was committed that changed nobody.
    func commit(versions: (before: StoreVersion, after: StoreVersion)) {
        isUsed.withLock {
            if version == versions.before { version = versions.after }
        }
    }

    // MARK: Reading

    /// The number of a learner who is known by their id as of that version.
    func learner(named subject: [UInt8], at version: StoreVersion) -> Int64? {
        isUsed.withLock { self.version == version ? learners[subject] : nil }
    }

    /// Reads a learner's state; nil if it is not known as of that version of the store, under that plan.
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
        let entry: Entry? = isUsed.withLock {
            guard self.version == version, self.plan === plan, let entry = entries[learner] else { return nil }
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
        isUsed.withLock {
            begin(at: version, plan)
            if entries[id] == nil { insert(learner, id) }
            if size > limit { dropOldest() }
        }
    }

    // MARK: Keeping

    private func begin(at version: StoreVersion, _ plan: FoldPlan) {
        guard self.version != version || self.plan !== plan else { return }
        entries.removeAll()
        learners.removeAll()
        size = 0
        (self.version, self.plan) = (version, plan)
    }

    private func insert(_ learner: FoldedLearner, _ id: Int64) {
        uses += 1
        let entry = Entry(learner, lastUse: uses)
        entries[id] = entry
        if let subject = entry.subject { learners[subject] = id }
        size += entry.size
    }

    private func remove(_ learner: Int64) -> Entry? {
        guard let entry = entries.removeValue(forKey: learner) else { return nil }
        if let subject = entry.subject { learners[subject] = nil }
        size -= entry.size
        return entry
    }

    /// Makes room for a while, so that it need not be looked for at each commit.
    private func dropOldest() {
        for (learner, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            _ = remove(learner)
            if size <= limit / 2 { break }
        }
    }
}
