// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Folds a learner's events, in the learner's order, into the learner's state.
///
/// Pure: no clock, no I/O, no randomness. Incremental update, full replay, time travel and explanations are this fold
/// with other inputs. Each run of events is folded under one version of the rules; an event that calls for a later one ends
/// the run, and the state goes over.
package final class Fold {
    let plan: FoldPlan
    @exclusivity(unchecked) package private(set) var state: LearnerState
    /// Told of what happens as it happens, to explain it; nil while nobody asks.
    @exclusivity(unchecked) package var observer: (any FoldObserver)? {
        // An observer may hold what holds this fold. A runner that kept it would keep all of them alive.
        didSet { for runner in runners { runner?.core.observer = observer } }
    }
    /// Per version, once it was needed.
    @exclusivity(unchecked) private var runners: [FoldRunner?]
    @exclusivity(unchecked) private var clocks: [LocalClock]

    package init(plan: FoldPlan, state: LearnerState? = nil) {
        self.plan = plan
        self.state = state ?? LearnerState(plan: plan)
        runners = Array(repeating: nil, count: plan.versions.count)
        clocks = plan.versions.map(\.clock)
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
    package func fold(_ bound: PlannedTable, rows: Range<Int>) {
        guard let last = rows.last else { return }
        forEachRun(bound, rows) { $0.core.fold(bound, rows: $1, into: state) }
        state.position = EventPosition(bound.table, last)
    }

    /// Of what ``fold(_:rows:)`` does, the part that vocabularies depend on: where nothing but words is asked for, it costs a
    /// fraction. The observer is told of events that concern a word, and of what they do to it.
    package func foldWords(_ bound: PlannedTable, rows: Range<Int>) {
        forEachRun(bound, rows) { $0.core.foldWords(bound, rows: $1, into: state) }
    }

    /// A learner without events is read under the version of the instant that is asked about.
    package func goOver(toVersionOf instant: Timestamp) {
        if state.eventCount == 0 { goOver(to: plan.version(at: instant).index) }
    }

    private func forEachRun(_ bound: PlannedTable, _ rows: Range<Int>, _ body: (FoldRunner, Range<Int>) -> Void) {
        var rest = rows
        while !rest.isEmpty {
            let change = nextChange(bound, rest)
            let run = rest.lowerBound..<(change?.row ?? rest.upperBound)
            if !run.isEmpty { body(runner(bound), run) }
            rest = run.upperBound..<rest.upperBound
            if let change { goOver(to: change.version) }
        }
    }

    private func runner(_ bound: PlannedTable) -> FoldRunner {
        let version = state.version
        if let known = runners[version] { return known }
        let runner = FoldRunner(plan: plan.versions[version], learner: state)
        runner.core.observer = observer
        runners[version] = runner
        return runner
    }

    private func goOver(to version: Int) {
        while state.version < version {
            plan.transitions[state.version].apply(to: state)
            observer?.didGoOver(to: state.plan)
        }
    }

    /// The first row that calls for a later version, and which.
    /// - Complexity: O(log rows), and the rows within two days of the version's date.
    private func nextChange(_ bound: PlannedTable, _ rows: Range<Int>) -> (row: Int, version: Int)? {
        guard let call = plan.earliestCall(after: state.version) else { return nil }
        let table = bound.table
        let first = rows.partitioningIndex { table.milliseconds[$0] >= call }
        guard first < rows.upperBound else { return nil }
        var voids = VoidEvents(state.voids)
        return table.withColumns { columns in
            for row in first..<rows.upperBound {
                guard let version = versionCalled(by: row, columns) else { continue }
                if !voids.isNeeded || !voids.isVoid(bound, columns, row) { return (row, version) }
            }
            return nil
        }
    }

    /// The last version whose calendar says that it is in force on the event's day, if it is after the learner's.
    private func versionCalled(by row: Int, _ columns: EventColumns) -> Int? {
        var version = plan.versions.count - 1
        while version > state.version {
            let day = clocks[version].localTime(
                at: columns.milliseconds[row],
                offsetCode: columns.offsets[row],
                timezone: columns.bytes(columns.timezone[row])
            ).day
            if let from = plan.versions[version].from, day >= from { return version }
            version -= 1
        }
        return nil
    }
}

/// What folds under one version.
private final class FoldRunner {
    /// One fold runs at a time.
    @exclusivity(unchecked) var core: FoldCore

    init(plan: VersionPlan, learner: LearnerState) { core = FoldCore(plan: plan, learner: learner) }
}
