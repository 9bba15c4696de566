import LaurelEvents
import LaurelProgress
import LaurelRules
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

    /// Events held decoded at a time while learners are folded from the beginning.
    private static let eventsAtOnce = 65_536

    private let plan: FoldPlan
    private let folder: LearnerFolder

    init(plan: FoldPlan) {
        self.plan = plan
        folder = LearnerFolder(plan: plan)
    }

    /// - Complexity: per learner, the events since the snapshot; the whole history where an event came late.
    func update(_ touched: [Int64: Touch], in transaction: any StoreTransaction) throws {
        var fromTheBeginning: [Int64] = []
        for (learner, touch) in touched.sorted(by: { $0.key < $1.key }) {
            if let state = try snapshot(of: learner, in: transaction), !touch.hasCorrections,
                let position = state.position, position < touch.earliest
            {
                let since = position.milliseconds
                let runs = try transaction.events(of: learner, since: since, until: nil, fields: plan.fields)
                let folded = folder.resume(state, runs)
                let result = folder.result(folded: folded, days: .listed)
                try write(result, learner, days: .listed, transaction)
            } else {
                fromTheBeginning.append(learner)
            }
        }
        try refold(fromTheBeginning, in: transaction)
    }

    /// Rebuilds the progress that other rules computed.
    /// - Parameter comparison: of those rules with the plan's; nil where it cannot be said what differs.
    func rebuild(in transaction: any StoreTransaction, for comparison: RulesComparison?) throws {
        guard let comparison, comparison.impact == .listings else { return try rebuildAll(in: transaction) }
        try transaction.setHidden(comparison.hidden)
    }

    /// Folds every learner from the first event.
    private func rebuildAll(in transaction: any StoreTransaction) throws {
        try transaction.dropDerivedState()
        var batch = LearnerBatch()
        try transaction.forEachLearner(ids: try transaction.learnerIDs(), fields: plan.fields) { learner, runs in
            try take(learner.id, runs, &batch, transaction)
        }
        try refold(&batch, transaction)
    }

    /// - Parameter learners: Ascending.
    private func refold(_ learners: [Int64], in transaction: any StoreTransaction) throws {
        guard let first = learners.first, let last = learners.last else { return }
        var batch = LearnerBatch()
        // Reading everyone in one go decodes every block once; it pays unless most of those read are not asked for.
        if Int64(learners.count) * 4 > last - first {
            let asked = Set(learners)
            try transaction.forEachLearner(ids: first..<last + 1, fields: plan.fields) { learner, runs in
                if asked.contains(learner.id) { try take(learner.id, runs, &batch, transaction) }
            }
        } else {
            for learner in learners {
                let runs = try transaction.events(of: learner, since: nil, until: nil, fields: plan.fields)
                try take(learner, runs, &batch, transaction)
            }
        }
        try refold(&batch, transaction)
    }

    private func take(
        _ learner: Int64,
        _ runs: [EventRun],
        _ batch: inout LearnerBatch,
        _ transaction: any StoreTransaction
    ) throws {
        batch.append(learner, runs)
        if batch.events >= LearnerUpdater.eventsAtOnce { try refold(&batch, transaction) }
    }

    /// Folds a batch on all cores; what they find is written here, the only place that may write.
    private func refold(_ batch: inout LearnerBatch, _ transaction: any StoreTransaction) throws {
        let plan = plan
        try ParallelMap.run(batch.shares) { share in
            let folder = LearnerFolder(plan: plan)
            return share.map { events in
                (events.learner, folder.result(folded: folder.refold(events.runs), days: .all))
            }
        } receive: { (results: [(Int64, LearnerResult)]) in
            for (learner, result) in results { try write(result, learner, days: .all, transaction) }
        }
        batch = LearnerBatch()
    }

    private func write(
        _ result: LearnerResult,
        _ learner: Int64,
        days: ReplacedDays,
        _ transaction: any StoreTransaction
    ) throws {
        try transaction.project(result.projection, of: learner, days: days)
        // Where one is not due, an older one still holds; after a fold from the beginning it does not.
        if result.snapshot != nil || days == .all { try transaction.saveSnapshot(result.snapshot, of: learner) }
    }

    private func snapshot(of learner: Int64, in transaction: any StoreTransaction) throws -> LearnerState? {
        guard let bytes = try transaction.snapshot(of: learner) else { return nil }
        return LearnerState(snapshot: bytes, plan: plan)
    }
}

/// Learners' events, read and not yet folded, in shares of some thousand: enough to be worth handing to another core.
private struct LearnerBatch {
    private(set) var shares: [[(learner: Int64, runs: [EventRun])]] = []
    private(set) var events = 0
    private var eventsInShare = 0

    private static let eventsPerShare = 16_384

    mutating func append(_ learner: Int64, _ runs: [EventRun]) {
        if shares.isEmpty || eventsInShare >= LearnerBatch.eventsPerShare {
            shares.append([])
            eventsInShare = 0
        }
        shares[shares.count - 1].append((learner, runs))
        let count = runs.reduce(0) { $0 + $1.rows.count }
        events += count
        eventsInShare += count
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
