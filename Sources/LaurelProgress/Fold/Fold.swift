import LaurelEvents

/// Folds a learner's events, in the learner's order, into the learner's state.
///
/// Pure: no clock, no I/O, no randomness. Incremental update, full replay, time travel and explanations are this fold
/// with other inputs.
package final class Fold {
    let plan: FoldPlan
    package private(set) var state: LearnerState
    /// Told of what happens as it happens, to explain it; nil while nobody asks.
    package var observer: (any FoldObserver)?
    private var core: FoldCore

    package init(plan: FoldPlan, state: LearnerState? = nil) {
        self.plan = plan
        let state = state ?? LearnerState(plan: plan)
        self.state = state
        core = FoldCore(plan: plan, learner: state)
    }

    /// Begins another learner.
    package func reset(to state: LearnerState? = nil) {
        self.state = state ?? LearnerState(plan: plan)
    }

    /// Begins another learner in the memory of the one before, whose state is no more.
    package func beginAgain() { state.beginAgain(plan: plan) }

    /// Folds consecutive rows, which must follow the learner's order and everything folded before. Void ones are passed
    /// over; the corrections that void them must have been noted with ``noteCorrections(_:)``.
    /// - Complexity: O(rows · rules).
    package func fold(_ bound: BoundTable, rows: Range<Int>) {
        guard let last = rows.last else { return }
        core.observer = observer
        core.fold(bound, rows: rows, into: state)
        state.position = EventPosition(bound.table, last)
    }

    /// Of what ``fold(_:rows:)`` does, the part that vocabularies depend on: where nothing but words is asked for, it costs a
    /// fraction. The observer is told of events that concern a word, and of what they do to it.
    package func foldWords(_ bound: BoundTable, rows: Range<Int>) {
        core.observer = observer
        core.foldWords(bound, rows: rows, into: state)
    }
}
