// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Folds a learner's events, in the learner's order, into the learner's state.
///
/// The fold is pure: no clock, no I/O, no randomness. Incremental updates, full replays, time travel and explanations
/// all use this fold, with different inputs.
///
/// Events are folded under one version of the rules until an event falls on a day of a later version. The state is
/// then converted to that version.
package final class Fold {
    let plan: FoldPlan
    @exclusivity(unchecked) package private(set) var state: LearnerState
    /// The observer, which receives each step of the fold; nil if nobody needs an explanation.
    @exclusivity(unchecked) package var observer: (any FoldObserver)? {
        // An observer may own this fold. A strong reference from a runner to the observer would then create a reference
        // cycle.
        didSet { for runner in runners { runner?.core.observer = observer } }
    }
    /// The runners by version, each created on first use.
    @exclusivity(unchecked) private var runners: [FoldRunner?]
    @exclusivity(unchecked) private var clocks: [LocalClock]

    package init(plan: FoldPlan, state: LearnerState? = nil) {
        self.plan = plan
        self.state = state ?? LearnerState(plan: plan)
        runners = Array(repeating: nil, count: plan.versions.count)
        clocks = plan.versions.map(\.clock)
    }

    /// Starts with another learner. If `state` is nil, the learner has no events yet.
    package func reset(to state: LearnerState? = nil) {
        self.state = state ?? LearnerState(plan: plan)
    }

    /// Starts with another learner, who has no events yet. The memory of the previous learner's state is reused, so
    /// that state becomes invalid.
    package func beginAgain() { state.beginAgain(plan: plan) }

    /// Folds consecutive rows. They must be in the learner's order, and after all rows folded before. Void events are
    /// skipped. Call ``noteCorrections(_:)`` first, with the corrections that void them.
    /// - Complexity: O(rows · rules).
    package func fold(_ bound: PlannedTable, rows: Range<Int>) {
        guard let last = rows.last else { return }
        forEachRun(bound, rows) { $0.core.fold(bound, rows: $1, into: state) }
        state.position = EventPosition(bound.table, last)
    }

    /// Computes only the part of ``fold(_:rows:)`` that vocabularies depend on, which is much faster. The observer
    /// receives only events that concern a word, and their effects on the word.
    package func foldWords(_ bound: PlannedTable, rows: Range<Int>) {
        forEachRun(bound, rows) { $0.core.foldWords(bound, rows: $1, into: state) }
    }

    /// Converts the state of a learner without events to the version in force at an instant.
    package func switchVersion(asOf instant: Timestamp) {
        if state.eventCount == 0 { switchVersion(to: plan.version(at: instant).index) { _ in nil } }
    }

    /// Converts the state to the version under which an event would be folded next.
    package func switchVersion(before bound: PlannedTable, row: Int) {
        guard let change = nextChange(bound, row..<row + 1) else { return }
        switchVersion(to: change.version, before: row, of: bound.table)
    }

    private func forEachRun(_ bound: PlannedTable, _ rows: Range<Int>, _ body: (FoldRunner, Range<Int>) -> Void) {
        var rest = rows
        while !rest.isEmpty {
            let change = nextChange(bound, rest)
            let run = rest.lowerBound..<(change?.row ?? rest.upperBound)
            if !run.isEmpty { body(runner(bound), run) }
            rest = run.upperBound..<rest.upperBound
            if let change { switchVersion(to: change.version, before: change.row, of: bound.table) }
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

    private func switchVersion(to version: Int, before row: Int, of table: EventTable) {
        table.withColumns { columns in
            switchVersion(to: version) { next in
                VersionCall(instant: columns.milliseconds[row], day: localDay(of: row, columns, under: next))
            }
        }
    }

    private func switchVersion(to version: Int, _ call: (_ next: Int) -> VersionCall?) {
        while state.version < version {
            plan.transitions[state.version].apply(to: state, call(state.version + 1))
            observer?.didSwitchVersion(to: state.plan)
        }
    }

    /// The first row on a day of a later version of the rules, and that version's index; nil if there is no such row.
    /// - Complexity: O(log rows), plus the number of rows within two days of the version's date.
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

    /// The last version that is in force on the event's local day, where each version's own calendar decides the day.
    /// Nil if that version is not later than the learner's version.
    private func versionCalled(by row: Int, _ columns: EventColumns) -> Int? {
        var version = plan.versions.count - 1
        while version > state.version {
            let day = localDay(of: row, columns, under: version)
            if let from = plan.versions[version].from, day >= from { return version }
            version -= 1
        }
        return nil
    }

    /// The event's local day by the calendar of a version.
    private func localDay(of row: Int, _ columns: EventColumns, under version: Int) -> LocalDay {
        clocks[version].localTime(
            at: columns.milliseconds[row],
            offsetCode: columns.offsets[row],
            timezone: columns.bytes(columns.timezone[row])
        ).day
    }
}

/// Folds events under one version of the rules.
private final class FoldRunner {
    /// The working state. Only one fold uses it at a time.
    @exclusivity(unchecked) var core: FoldCore

    init(plan: VersionPlan, learner: LearnerState) { core = FoldCore(plan: plan, learner: learner) }
}
