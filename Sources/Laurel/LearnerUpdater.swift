import LaurelEvents
import LaurelProgress
import LaurelStore

/// Brings learners' progress up to date after an append, within its transaction.
///
/// A learner with a long history has a snapshot of the fold's state; what came after it is folded on top. Whoever has
/// none, gets an event from before it, or a correction, is folded from the first event.
final class LearnerUpdater {
    /// What an append did to a learner.
    struct Touch {
        var earliest: EventPosition
        var hasCorrections: Bool
    }

    /// How many events may follow a snapshot before the next is taken: about a millisecond of folding.
    static let snapshotInterval = 4096

    private let folder: LearnerFolder
    private let reader: ProgressReader
    init(plan: FoldPlan) {
        folder = LearnerFolder(plan: plan)
        reader = ProgressReader(plan: plan)
    }

    /// - Complexity: per learner, the events since the snapshot; the whole history where an event came late.
    func update(_ touched: [Int64: Touch], in transaction: any StoreTransaction) throws {
        var fromTheBeginning: [Int64] = []
        for (learner, touch) in touched.sorted(by: { $0.key < $1.key }) {
            if let state = try snapshot(of: learner, in: transaction), !touch.hasCorrections,
                let position = state.position, position < touch.earliest
            {
                let runs = try transaction.events(
                    of: learner,
                    since: position.milliseconds,
                    until: nil,
                    fields: .all
                )
                let folded = folder.resume(state, runs)
                try write(learner, days: .listed, takesSnapshot: folded >= LearnerUpdater.snapshotInterval, transaction)
            } else {
                fromTheBeginning.append(learner)
            }
        }
        try refold(fromTheBeginning, in: transaction)
    }

    /// Folds every learner from the first event.
    func rebuildAll(in transaction: any StoreTransaction) throws {
        try transaction.dropDerivedState()
        try transaction.forEachLearner(ids: try transaction.learnerIDs()) { learner, runs in
            try refold(learner.id, runs, transaction)
        }
    }

    /// - Parameter learners: Ascending.
    private func refold(_ learners: [Int64], in transaction: any StoreTransaction) throws {
        guard let first = learners.first, let last = learners.last else { return }
        // Reading everyone in one go decodes every block once; it pays unless most of those read are not asked for.
        if Int64(learners.count) * 4 > last - first {
            let asked = Set(learners)
            try transaction.forEachLearner(ids: first..<last + 1) { learner, runs in
                if asked.contains(learner.id) { try refold(learner.id, runs, transaction) }
            }
        } else {
            for learner in learners { try refold(learner, try transaction.events(of: learner), transaction) }
        }
    }

    private func refold(_ learner: Int64, _ runs: [EventRun], _ transaction: any StoreTransaction) throws {
        let folded = folder.refold(runs)
        try write(learner, days: .all, takesSnapshot: folded >= LearnerUpdater.snapshotInterval, transaction)
    }

    private func write(
        _ learner: Int64,
        days: ReplacedDays,
        takesSnapshot: Bool,
        _ transaction: any StoreTransaction
    ) throws {
        let result = result(days: days, takesSnapshot: takesSnapshot)
        try transaction.project(result.projection, of: learner, days: days)
        // Where one is not due, an older one still holds; after a fold from the beginning it does not.
        if result.snapshot != nil || days == .all { try transaction.saveSnapshot(result.snapshot, of: learner) }
    }

    private func result(days: ReplacedDays, takesSnapshot: Bool) -> LearnerResult {
        LearnerResult(
            projection: reader.projection(folder.state, onlyTouchedDays: days == .listed),
            snapshot: takesSnapshot ? folder.state.snapshot(plan: folder.plan) : nil
        )
    }

    private func snapshot(of learner: Int64, in transaction: any StoreTransaction) throws -> LearnerState? {
        guard let bytes = try transaction.snapshot(of: learner) else { return nil }
        return LearnerState(snapshot: bytes, plan: folder.plan)
    }
}

/// What is kept of a folded learner.
struct LearnerResult {
    var projection: LearnerProjection
    var snapshot: [UInt8]?
}

extension LearnerState {
    /// A snapshot begins with eight bytes of the rules' hash: under other rules it is none.
    convenience init?(snapshot: [UInt8], plan: FoldPlan) {
        guard snapshot.starts(with: plan.rulesHash.prefix(8)) else { return nil }
        self.init(decoding: Array(snapshot.dropFirst(8)), plan: plan)
    }

    func snapshot(plan: FoldPlan) -> [UInt8] { plan.rulesHash.prefix(8) + encoded() }
}
