// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// The stored events of one learner. A long history is not in memory: its parts are read each time they are needed.
struct LearnerHistory {
    let learner: LearnerRecord
    /// All events, in runs that may overlap in time; nil for a long history.
    let runs: [EventRun]?
    private let reader: any StoreReader
    private let fields: FieldSelection

    /// - Parameters:
    ///   - runs: the events; ignored for a long history.
    ///   - fields: the fields to decode.
    fileprivate init(_ learner: LearnerRecord, _ runs: [EventRun], _ reader: any StoreReader, _ fields: FieldSelection)
    {
        (self.learner, self.reader, self.fields) = (learner, reader, fields)
        self.runs = learner.eventCount > reader.eventsHeld ? nil : runs
    }

    /// Calls `body` with parts of the history, in the order of time. No two parts have events of the same time. A short
    /// history is one part.
    /// - Parameters:
    ///   - instant: later events may be missing.
    ///   - types: the only types of events that are needed; nil for all.
    ///   - fields: the fields to decode; nil for the fields of the history.
    func forEachPart(
        until instant: Int64 = .max,
        types: [String]? = nil,
        fields: FieldSelection? = nil,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        if let runs { return try body(runs) }
        let span = EventSpan(of: learner.id, until: instant == .max ? nil : instant)
        try reader.forEachStretch(of: span, fields: fields ?? self.fields, types: types) { part in
            try Cancellation.check()
            try body(part)
        }
    }

    /// All events, also of a long history.
    func allRuns() throws -> [EventRun] { try runs ?? reader.events(of: learner.id, fields: fields) }

    /// The learner's corrections. Of a short history, all events.
    func corrections() throws -> [EventRun] {
        if let runs { return runs }
        let names = EventKind.corrections.map(\.rawValue)
        var found: [EventRun] = []
        try forEachPart(types: names, fields: .corrections(FieldRole.ofCorrections)) { part in
            for run in part {
                // The property is read once, because each access copies the table.
                let table = run.table
                let types = table.types(named: names)
                let rows = table.type.withUnsafeBufferPointer { type in run.rows.filter { types.contains(type[$0]) } }
                guard !rows.isEmpty else { continue }
                found.append(EventRun(table: EventTable(gathering: rows, of: table), rows: 0..<rows.count))
            }
        }
        return found
    }
}

extension StoreReader {
    /// - Parameter instant: later events may be missing; nil for all events.
    func history(
        of learner: LearnerRecord,
        fields: FieldSelection,
        until instant: Int64? = nil
    ) throws -> LearnerHistory {
        let isHeld = learner.eventCount <= eventsHeld
        let runs = isHeld ? try events(of: learner.id, since: nil, until: instant, fields: fields) : []
        return LearnerHistory(learner, runs, self, fields)
    }

    /// Visits the learners of a range of ids, ascending.
    func forEachHistory(
        ids: Range<Int64>,
        fields: FieldSelection,
        _ body: (LearnerHistory) throws -> Void
    ) throws {
        try forEachLearner(ids: ids, fields: fields, upTo: eventsHeld) {
            try body(LearnerHistory($0, $1, self, fields))
        }
    }

    /// Visits some learners. Missing learners are left out.
    /// - Parameters:
    ///   - ids: ascending.
    ///   - instant: later events may be missing; nil for all events.
    func forEachHistory(
        of ids: [Int64],
        fields: FieldSelection,
        until instant: Int64? = nil,
        _ body: (LearnerHistory) throws -> Void
    ) throws {
        try forEachLearner(of: ids, fields: fields, upTo: eventsHeld, until: instant) {
            try body(LearnerHistory($0, $1, self, fields))
        }
    }
}
