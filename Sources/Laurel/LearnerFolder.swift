import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Folds stored events of one learner after another, remembering what was prepared for their tables.
final class LearnerFolder {
    let plan: FoldPlan
    let fold: Fold
    private let reader: ProgressReader
    /// Tables bound lately, with the address of their times: learners of one block share a table.
    private var bound: [(address: UnsafeRawPointer?, table: BoundTable)] = []
    private static let remembered = 16

    init(plan: FoldPlan) {
        self.plan = plan
        fold = Fold(plan: plan)
        reader = ProgressReader(plan: plan)
    }

    var state: LearnerState { fold.state }

    /// Folds all events up to an instant from the beginning.
    /// - Returns: how many events were folded or passed over as void.
    @discardableResult
    func refold(_ runs: [EventRun], until instant: Int64 = .max) -> Int {
        let bound = bind(runs, after: nil, until: instant)
        fold.reset()
        fold.noteCorrections(bound)
        return apply(bound)
    }

    /// Folds what comes after a state's position.
    @discardableResult
    func resume(_ state: LearnerState, _ runs: [EventRun], until instant: Int64 = .max) -> Int {
        fold.reset(to: state)
        return apply(bind(runs, after: state.position, until: instant))
    }

    /// What is to be kept of the learner folded last.
    /// - Parameters:
    ///   - folded: how many events were, since the snapshot or from the beginning.
    ///   - days: whether those of the days that changed since the snapshot will do.
    func result(folded: Int, days: ReplacedDays) -> LearnerResult {
        LearnerResult(
            projection: reader.projection(state, onlyTouchedDays: days == .listed),
            snapshot: folded >= LearnerUpdater.snapshotInterval ? state.snapshot(plan: plan) : nil
        )
    }

    /// Folds the events up to a position, that included, from the beginning; corrections after it are not known yet.
    func refold(_ runs: [EventRun], through position: EventPosition) {
        let bound = bind(runs, after: nil, until: .max).map { run in
            let end = run.rows.partitioningIndex { EventPosition(run.bound.table, $0) > position }
            return BoundRun(bound: run.bound, rows: run.rows.lowerBound..<end)
        }
        fold.reset()
        fold.noteCorrections(bound)
        apply(bound)
    }

    /// The rows of all runs in the learner's order.
    func spans(_ runs: [EventRun]) -> [BoundRun] { EventOrder.spans(bind(runs, after: nil, until: .max)) }

    func bind(_ runs: [EventRun], after position: EventPosition?, until instant: Int64) -> [BoundRun] {
        runs.map { run in
            let table = bind(run.table)
            var rows = run.rows
            if instant < .max {
                rows = rows.lowerBound..<rows.partitioningIndex { run.table.milliseconds[$0] > instant }
            }
            if let position {
                rows = rows.partitioningIndex { EventPosition(run.table, $0) > position }..<rows.upperBound
            }
            return BoundRun(bound: table, rows: rows)
        }
    }

    @discardableResult
    private func apply(_ runs: [BoundRun]) -> Int {
        for span in EventOrder.spans(runs) { fold.fold(span.bound, rows: span.rows) }
        return runs.reduce(0) { $0 + $1.rows.count }
    }

    private func bind(_ table: EventTable) -> BoundTable {
        let address = table.milliseconds.withUnsafeBytes { $0.baseAddress }
        if let known = bound.first(where: { $0.address == address && $0.table.table.count == table.count }) {
            return known.table
        }
        let new = BoundTable(table, plan: plan)
        if bound.count == LearnerFolder.remembered { bound.removeFirst() }
        bound.append((address, new))
        return new
    }
}

extension FoldPlan {
    /// What to decode for a fold that nobody observes.
    var fields: FieldSelection { .only(fieldNames) }

    /// The fields that the fold reads under either plan.
    func fields(and other: FoldPlan) -> FieldSelection { .only(fieldNames.union(other.fieldNames)) }
}

extension Range<Int> {
    /// The first index from which a condition holds, given that it then holds to the end.
    /// - Complexity: O(log count).
    func partitioningIndex(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
