import LaurelProgress
import LaurelStore
import Synchronization

/// A learner's state as the store has it projected.
struct FoldedLearner {
    let state: LearnerState
    /// Where the stored snapshot was taken; nil where there is none.
    var snapshot: CheckpointPlace?
    /// How many events were folded since, or passed over as void.
    var eventsSinceSnapshot: Int
}

/// The states of learners who were folded lately, so that the next event of one folds only itself.
///
/// They hold as long as nobody else writes to the store, be it a process, another engine, or another part of this one:
/// whoever takes one says which state of the store it is to be of. Only for use within writes, which take turns.
final class RecentLearners: @unchecked Sendable {
    private struct Entry {
        var learner: FoldedLearner
        var size: Int
        /// When it was put here, counted in commits.
        var age: Int
    }

    /// Bytes of states kept.
    private let limit: Int
    private let isUsed = Mutex(())
    /// The following are used with `isUsed` held only.
    private var entries: [Int64: Entry] = [:]
    private var size = 0
    private var commits = 0
    private var version: StoreVersion?
    private var plan: FoldPlan?

    init(limit: Int = 32 << 20) { self.limit = limit }

    /// Takes out a learner's state; nil where it is not known as of that version of the store, under that plan.
    func take(_ learner: Int64, at version: StoreVersion, plan: FoldPlan) -> FoldedLearner? {
        isUsed.withLock { _ in
            guard self.version == version, self.plan === plan else { return nil }
            return remove(learner)
        }
    }

    /// A learner's state, as ``take(_:at:plan:)`` would find it; it stays here.
    func state(of learner: Int64, at version: StoreVersion, plan: FoldPlan) -> LearnerState? {
        isUsed.withLock { _ in
            self.version == version && self.plan === plan ? entries[learner]?.learner.state : nil
        }
    }

    /// A write was committed that changed some learners, and left the states of some of them.
    func commit(
        _ states: [Int64: FoldedLearner],
        changed: Set<Int64>,
        versions: (before: StoreVersion, after: StoreVersion),
        plan: FoldPlan
    ) {
        isUsed.withLock { _ in
            if version != versions.before || self.plan !== plan {
                entries.removeAll()
                size = 0
            }
            for learner in changed { _ = remove(learner) }
            commits += 1
            for (id, learner) in states {
                let entry = Entry(learner: learner, size: learner.state.memorySize, age: commits)
                entries[id] = entry
                size += entry.size
            }
            (version, self.plan) = (versions.after, plan)
            if size > limit { dropOldest() }
        }
    }

    private func remove(_ learner: Int64) -> FoldedLearner? {
        guard let entry = entries.removeValue(forKey: learner) else { return nil }
        size -= entry.size
        return entry.learner
    }

    /// Makes room for a while, so that it need not be looked for at each commit.
    private func dropOldest() {
        for (learner, _) in entries.sorted(by: { $0.value.age < $1.value.age }) {
            _ = remove(learner)
            if size <= limit / 2 { break }
        }
    }
}
