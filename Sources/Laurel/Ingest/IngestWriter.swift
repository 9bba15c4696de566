// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelResults
import LaurelStore

/// Stores events and refused lines in one transaction.
final class IngestWriter: IngestTarget {
    /// The minimum number of events per transaction. Each transaction folds every touched learner once, so larger
    /// transactions are cheaper. But other writers give up after 10 seconds, and two cores need about 8 seconds for
    /// this number.
    ///
    /// If a pipe pauses, the transaction is committed earlier. Each later transaction is as large as all earlier ones
    /// together. So folding the same learners again stays a bounded part of the work.
    private static let fewestEvents = 6_000_000
    private static let mostEvents = 16_000_000
    /// The maximum number of learners per transaction. Each learner needs a record in memory.
    private static let mostLearners = 262_144
    /// The maximum size of a batch whose events stay in memory until they are folded. Events of larger batches are read
    /// again.
    private static let eventsKeptToFold = 4096

    private let writing: IngestTransaction
    private let session: IngestSession
    private var count = 0
    private let wanted: Int
    /// The transaction's events that must not count, because other events report the same activity.
    private var supersession = Supersession()

    init(_ writing: IngestTransaction, _ session: IngestSession) {
        (self.writing, self.session) = (writing, session)
        wanted = min(max(IngestWriter.fewestEvents, session.report.stored), IngestWriter.mostEvents)
    }

    var isFull: Bool { count >= wanted || writing.touched.count >= IngestWriter.mostLearners }

    func append(_ line: RefusedLine) throws {
        session.noteKept(try writing.transaction.quarantine(line.record, bytes: line.bytes))
    }

    func append(_ line: OversizedLine, _ record: QuarantineRecord) throws {
        session.noteKept(try line.quarantine(record, in: writing.transaction))
    }

    func append(_ events: PendingEvents) throws {
        let (groups, outcomes) = try store(events)
        var conflicts: [Int] = []
        for row in 0..<events.count {
            switch outcomes[row] {
            case .stored:
                session.report.stored += 1
                tally(.stored, events, row)
            case .duplicate:
                session.report.duplicates += 1
                tally(.duplicates, events, row)
            case .conflict where events.adapted(row)?.keepsStored == true:
                session.report.duplicates += 1
                tally(.duplicates, events, row)
            case .conflict:
                tally(.conflicts, events, row)
                conflicts.append(row)
            case .skipped: break
            }
        }
        for (_, row) in conflicts.map({ (events.arrival($0), $0) }).sorted(by: <) {
            try quarantineConflict(events, row)
        }
        if session.format != nil {
            for group in groups {
                for row in group.rows {
                    guard let adapted = events.adapted(row) else { continue }
                    let isNew = outcomes[row] == .stored
                    supersession.note(adapted, events.table, row, of: group.learner, isNew: isNew)
                }
            }
        }
        count += events.count
    }

    /// Call it after everything is appended.
    func finish() throws {
        try retractSuperseded()
        try writing.finish()
    }

    private func store(
        _ events: PendingEvents
    ) throws -> (groups: [LearnerRows], outcomes: [AppendResult.Outcome]) {
        if count + events.count > Announcer.mostEvents { writing.announcer = nil }
        do {
            return try append(events)
        } catch let merged as MergedLearners {
            events.renameSubjects(merged.currentNames)
            try writing.checkHolds(merged.currentNames.values, in: session.store)
            return try append(events)
        }
    }

    private func append(
        _ events: PendingEvents
    ) throws -> (groups: [LearnerRows], outcomes: [AppendResult.Outcome]) {
        let table = events.table
        let kept = table.count > IngestWriter.eventsKeptToFold ? nil : EventTableReference(table)
        return try writing.append(table, events.subjects(), kept: kept)
    }

    private func tally(_ number: IngestReport.Count, _ events: PendingEvents, _ row: Int) {
        // Only some formats have kinds of records.
        guard !session.report.kinds.isEmpty, let adapted = events.adapted(row) else { return }
        session.report.count(number, of: adapted.kind)
    }

    private func quarantineConflict(_ events: PendingEvents, _ row: Int) throws {
        let line = try events.refused(row, events.table.conflict(of: row), clock: session.options.clock)
        let record = line.record
        session.report.conflicts += 1
        session.report.note(.init(file: record.file ?? "", line: record.line ?? 0, message: record.message))
        try append(line)
    }

    /// Stores retractions of events that other events supersede. Either event may have been stored earlier.
    private func retractSuperseded() throws {
        guard !supersession.isEmpty else { return }
        // Several events may report one activity. The ingest's report counts the activity once.
        let retractions = try supersession.retractions(in: writing.transaction) { kind in
            session.report.stored -= 1
            session.report.duplicates += 1
            session.report.count(.duplicates, of: kind)
            if session.report.kinds.indices.contains(kind) { session.report.kinds[kind].stored -= 1 }
        }
        guard !retractions.isEmpty else { return }
        var chunk = DecodedInput(consumedBytes: 0)
        var decoder = EventDecoder()
        for retraction in retractions {
            chunk.append(retraction, decoder: &decoder, clock: nil)
        }
        var events = PendingEvents()
        events.append(chunk, of: "")
        _ = try store(events)
    }
}
