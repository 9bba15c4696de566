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

    /// The number of events above which a learner's history is read and folded in parts, to limit memory.
    static let eventsHeld = 131_072

    /// Folds all events, like ``refold(_:until:keepsCheckpoints:)``. A history of more than ``eventsHeld`` events is
    /// folded in parts.
    func refold(_ learner: LearnerRecord, from reader: any StoreReader, keepsCheckpoints: Bool = false) throws -> Int {
        fold.reset()
        // The fold must know retractions before it reads the first event.
        fold.noteCorrections(bind(try corrections(of: learner, from: reader), after: nil, until: .max))
        checkpoints = []
        var cursor = StopCursor(stops: keepsCheckpoints ? CheckpointSpacing.stops(learner.eventCount) : [])
        try reader.forEachStretch(of: learner.id, fields: plan.fields) { runs in
            try Cancellation.check()
            apply(bind(runs, after: nil, until: .max), &cursor) { _ in keepCheckpoint() }
        }
        return cursor.done
    }

    /// Folds all events up to an instant, but computes only their effects on words.
    /// - Parameter fields: the fields that the observer reads.
    func refoldWords(
        _ learner: LearnerRecord,
        from reader: any StoreReader,
        fields: Set<String>,
        until instant: Int64
    ) throws {
        let selection = FieldSelection.only(FieldRole.ofWords.union(fields))
        func foldWords(_ runs: [PlannedRows]) {
            for span in EventOrder.spans(runs) { fold.foldWords(span.bound, rows: span.rows) }
        }
        fold.reset()
        guard learner.eventCount > LearnerFolder.eventsHeld else {
            let runs = try reader.events(of: learner.id, since: nil, until: instant, fields: selection)
            let bound = bind(runs, after: nil, until: instant)
            fold.noteCorrections(bound)
            return foldWords(bound)
        }
        fold.noteCorrections(bind(try corrections(of: learner, from: reader), after: nil, until: instant))
        try reader.forEachStretch(of: learner.id, fields: selection) { runs in
            try Cancellation.check()
            foldWords(bind(runs, after: nil, until: instant))
        }
    }

    /// The learner's corrections, without other events.
    private func corrections(of learner: LearnerRecord, from reader: any StoreReader) throws -> [EventRun] {
        let names = EventKind.corrections.map(\.rawValue)
        var runs: [EventRun] = []
        try reader.forEachStretch(of: learner.id, fields: .corrections(FieldRole.ofCorrections), types: names) {
            stretch in
            for run in stretch {
                // The property is read once, because each access copies the table.
                let table = run.table
                let isWanted = (0..<table.types.count).map { names.contains(table.types.string(UInt32($0))) }
                let rows = table.type.withUnsafeBufferPointer { type in run.rows.filter { isWanted[Int(type[$0])] } }
                guard !rows.isEmpty else { continue }
                runs.append(EventRun(table: EventTable(gathering: rows, of: table), rows: 0..<rows.count))
            }
        }
        return runs
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
        } else if record.eventCount > LearnerFolder.eventsHeld {
            _ = try refold(record, from: reader)
        } else {
            refold(try reader.events(of: learner, since: nil, until: nil, fields: plan.fields))
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
    ///   - runs: the events. If they are more than ``eventsHeld``, they are read in parts instead.
    ///   - positions: ascending.
    ///   - reach: called at each position with its index.
    func refold(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        from reader: any StoreReader,
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
        if keepsStates { fold.reset() } else { fold.beginAgain() }
        if learner.eventCount > LearnerFolder.eventsHeld {
            fold.noteCorrections(bind(try corrections(of: learner, from: reader), after: nil, until: .max))
            try reader.forEachStretch(of: learner.id, fields: plan.fields) {
                try foldOn(bind($0, after: nil, until: .max))
            }
        } else {
            let bound = bind(runs, after: nil, until: .max)
            fold.noteCorrections(bound)
            try foldOn(bound)
        }
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
