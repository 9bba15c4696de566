// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Folds the stored events of one learner after another, and caches prepared event tables.
final class LearnerFolder {
    let plan: FoldPlan
    let fold: Fold
    private let reader: ProgressReader
    /// True if states must remain valid after the next learner is folded.
    let keepsStates: Bool
    /// The recently prepared tables. Learners whose events are in the same block share a table.
    @exclusivity(unchecked) private var bound: [(shared: EventTableReference, table: PlannedTable)] = []
    private static let cachedTables = 16
    /// The checkpoints of the last fold.
    @exclusivity(unchecked) private var checkpoints: [Checkpoint] = []

    /// - Parameter keepsStates: true if a learner's state must remain valid when the next learner is folded. If false,
    ///   its memory is reused.
    init(plan: FoldPlan, keepsStates: Bool = true) {
        self.plan = plan
        self.keepsStates = keepsStates
        fold = Fold(plan: plan)
        reader = ProgressReader(plan: plan)
    }

    var state: LearnerState { fold.state }

    /// Folds all events up to an instant.
    /// - Parameter keepsCheckpoints: true to make checkpoints during the fold.
    /// - Returns: the number of events that were folded or skipped as void.
    @discardableResult
    func refold(_ runs: [EventRun], until instant: Int64 = .max, keepsCheckpoints: Bool = false) -> Int {
        let bound = bind(runs, after: nil, until: instant)
        if keepsStates { fold.reset() } else { fold.beginAgain() }
        fold.noteCorrections(bound)
        return apply(bound, keepsCheckpoints)
    }

    /// Folds all events up to an instant, like ``refold(_:until:keepsCheckpoints:)``. A long history is folded in parts.
    @discardableResult
    func refold(_ history: LearnerHistory, until instant: Int64 = .max, keepsCheckpoints: Bool = false) throws -> Int {
        if let runs = history.runs { return refold(runs, until: instant, keepsCheckpoints: keepsCheckpoints) }
        try begin(history, until: instant)
        checkpoints = []
        var cursor = StopCursor(stops: keepsCheckpoints ? CheckpointSpacing.stops(history.learner.eventCount) : [])
        try history.forEachPart(until: instant) { runs in
            apply(bind(runs, after: nil, until: instant), &cursor) { _ in keepCheckpoint() }
        }
        return cursor.done
    }

    /// Begins a fold. The fold must know all corrections before it reads the first event.
    private func begin(_ history: LearnerHistory, until instant: Int64) throws {
        if keepsStates { fold.reset() } else { fold.beginAgain() }
        fold.noteCorrections(bind(try history.corrections(), after: nil, until: instant))
    }

    /// Folds all events up to an instant, but computes only their effects on words.
    /// - Parameter history: the history, with the fields ``FieldRole/ofWords`` and those that the observer reads.
    func refoldWords(_ history: LearnerHistory, until instant: Int64) throws {
        try begin(history, until: instant)
        try history.forEachPart(until: instant) { runs in
            for span in EventOrder.spans(bind(runs, after: nil, until: instant)) {
                fold.foldWords(span.bound, rows: span.rows)
            }
        }
    }

    /// Folds the events after a state's position.
    @discardableResult
    func resume(
        _ state: LearnerState,
        _ runs: [EventRun],
        until instant: Int64 = .max,
        keepsCheckpoints: Bool = false
    ) -> Int {
        fold.reset(to: state)
        return apply(bind(runs, after: state.position, until: instant), keepsCheckpoints)
    }

    /// The state after the learner's last event.
    func latest(_ learner: Int64, in reader: any StoreReader) throws -> LearnerState {
        guard let record = try reader.learner(learner) else {
            fold.reset()
            return state
        }
        if let bytes = try reader.snapshot(of: learner), let known = LearnerState(snapshot: bytes, plan: plan),
            let position = known.position
        {
            let since = position.milliseconds
            resume(known, try reader.events(of: learner, since: since, until: nil, fields: plan.fields))
        } else {
            try refold(reader.history(of: record, fields: plan.fields))
        }
        return state
    }

    /// The result of the last learner's fold.
    /// - Parameters:
    ///   - folded: the number of events folded since the snapshot, or since the beginning.
    ///   - days: `.listed` if only the days that changed since the snapshot are needed.
    func result(folded: Int, days: ReplacedDays) -> LearnerResult {
        LearnerResult(
            projection: reader.projection(state, onlyTouchedDays: days == .listed),
            states: KeptStates(
                snapshot: folded >= LearnerUpdater.snapshotInterval ? state.snapshot(plan: plan) : nil,
                checkpoints: checkpoints
            )
        )
    }

    /// Folds all events of a learner, and stops at the positions of kept states.
    /// - Parameters:
    ///   - positions: ascending.
    ///   - reach: called at each position with its index.
    func refold(
        _ history: LearnerHistory,
        stoppingAt positions: [EventPosition],
        _ reach: (Int) throws -> Void
    ) throws -> Int {
        var stops = positions.indices
        var done = 0
        func foldOn(_ runs: [PlannedRows]) throws {
            for span in EventOrder.spans(runs) {
                var rows = span.rows
                while let stop = stops.first {
                    let end = max(rows.lowerBound, span.rows(upTo: positions[stop]).upperBound)
                    guard end < rows.upperBound else { break }
                    fold.fold(span.bound, rows: rows.lowerBound..<end)
                    rows = end..<rows.upperBound
                    try reach(stop)
                    stops.removeFirst()
                }
                fold.fold(span.bound, rows: rows)
                done += span.rows.count
            }
        }
        try begin(history, until: .max)
        try history.forEachPart { try foldOn(bind($0, after: nil, until: .max)) }
        for stop in stops { try reach(stop) }
        return done
    }

    /// The number of events at or after a position.
    func count(_ runs: [EventRun], from position: EventPosition) -> Int {
        runs.reduce(0) { count, run in
            let table = run.table
            return count + run.rows.upperBound - run.rows.partitioningIndex { EventPosition(table, $0) >= position }
        }
    }

    /// The rows of all runs in the learner's order.
    func spans(_ runs: [EventRun]) -> [PlannedRows] { EventOrder.spans(bind(runs, after: nil, until: .max)) }

    func bind(_ runs: [EventRun], after position: EventPosition?, until instant: Int64) -> [PlannedRows] {
        runs.map { run in
            let bound = bind(run.shared)
            var rows = run.rows
            if instant < .max {
                rows = rows.lowerBound..<rows.partitioningIndex { bound.table.milliseconds[$0] > instant }
            }
            if let position {
                rows = rows.partitioningIndex { EventPosition(bound.table, $0) > position }..<rows.upperBound
            }
            return PlannedRows(bound: bound, rows: rows)
        }
    }

    private func apply(_ runs: [PlannedRows], _ keepsCheckpoints: Bool) -> Int {
        let count = runs.reduce(0) { $0 + $1.rows.count }
        checkpoints = []
        apply(runs, stops: keepsCheckpoints ? CheckpointSpacing.stops(count) : []) { _ in keepCheckpoint() }
        return count
    }

    private func keepCheckpoint() {
        guard let point = state.point else { return }
        checkpoints.append(Checkpoint(point: point, snapshot: state.snapshot(plan: plan)))
    }

    /// The progress of a fold towards its next stop.
    private struct StopCursor {
        /// The numbers of rows after which to stop, ascending.
        var stops: [Int]
        var done = 0
        var reached = 0
    }

    /// - Parameters:
    ///   - stops: the numbers of rows at which to stop.
    ///   - reach: called at each stop with its index.
    private func apply(_ runs: [PlannedRows], stops: [Int], _ reach: (Int) -> Void) {
        var cursor = StopCursor(stops: stops)
        apply(runs, &cursor, reach)
    }

    private func apply(_ runs: [PlannedRows], _ cursor: inout StopCursor, _ reach: (Int) -> Void) {
        for span in EventOrder.spans(runs) {
            var rows = span.rows
            while cursor.reached < cursor.stops.count, cursor.stops[cursor.reached] <= cursor.done + rows.count {
                let end = rows.lowerBound + cursor.stops[cursor.reached] - cursor.done
                fold.fold(span.bound, rows: rows.lowerBound..<end)
                rows = end..<rows.upperBound
                cursor.done = cursor.stops[cursor.reached]
                reach(cursor.reached)
                cursor.reached += 1
            }
            fold.fold(span.bound, rows: rows)
            cursor.done += rows.count
        }
    }

    func forgetTables() { bound.removeAll() }

    private func bind(_ shared: EventTableReference) -> PlannedTable {
        if let known = bound.last(where: { $0.shared === shared }) { return known.table }
        let new = PlannedTable(shared.table, plan: plan)
        if bound.count == LearnerFolder.cachedTables { bound.removeFirst() }
        bound.append((shared, new))
        return new
    }
}

extension PlannedRows {
    /// The rows up to a position, including it.
    func rows(upTo position: EventPosition) -> Range<Int> {
        rows.lowerBound..<rows.partitioningIndex { EventPosition(bound.table, $0) > position }
    }
}

extension LearnerState {
    /// The position of a checkpoint of this state; nil before any event.
    var point: CheckpointPoint? {
        position.map { CheckpointPoint(milliseconds: $0.milliseconds, events: eventCount) }
    }
}

extension FoldPlan {
    /// The fields to decode for a fold without an observer.
    var fields: FieldSelection { .only(fieldNames) }

    /// The fields that a fold under either plan reads.
    func fields(and other: FoldPlan) -> FieldSelection { .only(fieldNames.union(other.fieldNames)) }
}
