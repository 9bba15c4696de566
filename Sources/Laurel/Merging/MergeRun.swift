// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore
import LaurelWire

/// Merges one learner into another, in one transaction.
struct MergeRun {
    let engine: ProgressEngine
    /// The ids that the command names.
    let named: (subject: [UInt8], target: [UInt8])
    let actor: AuditActor?
    let date: Date
    /// The condition that all ids of the merged learner must satisfy; nil for no condition.
    let isAllowed: ((String) -> Bool)?

    /// The maximum number of events in memory.
    private static let eventsAtOnce = 100_000

    init(
        _ engine: ProgressEngine,
        named: (subject: [UInt8], target: [UInt8]),
        actor: AuditActor? = nil,
        date: Date,
        isAllowed: ((String) -> Bool)? = nil
    ) {
        (self.engine, self.named, self.actor) = (engine, named, actor)
        (self.date, self.isAllowed) = (date, isAllowed)
    }

    /// A merge that another store has made.
    init(applying merge: MergeRecord, in engine: ProgressEngine) {
        self.init(engine, named: merge.named, date: Date(milliseconds: merge.milliseconds))
    }

    func run() throws -> MergeOutcome {
        while true {
            let (subject, target) = try engine.store.read(currentNames)
            let partitions = Set([subject, target].map(engine.store.partition)).sorted()
            var tools = engine.tools(for: engine.plan)
            let outcome: MergeOutcome? = try engine.write(in: partitions) { transaction, plan in
                // Another process may have merged one of the learners meanwhile. Then other partitions are needed.
                guard try currentNames(transaction) == (subject, target) else { return nil }
                let announcer = try engine.announcer(in: transaction)
                let writing = IngestTransaction(transaction, tools.updater(of: plan), announcer)
                return try merge(subject, into: target, writing)
            }
            tools.updater.commit()
            engine.toolCache.release(tools)
            if let outcome { return outcome }
        }
    }

    /// The ids that the two named ids mean now.
    private func currentNames(_ reader: any StoreReader) throws -> ([UInt8], [UInt8]) {
        let current = try reader.currentNames(of: [named.subject, named.target])
        return (current[named.subject] ?? named.subject, current[named.target] ?? named.target)
    }

    private func merge(
        _ subject: [UInt8],
        into target: [UInt8],
        _ writing: IngestTransaction
    ) throws -> MergeOutcome {
        let transaction = writing.transaction
        var outcome = MergeOutcome(learner: Self.text(target), merged: Self.text(named.subject))
        guard subject != target else {
            guard try isRepeated(transaction) else { throw sameLearner(target) }
            outcome.isRepeated = true
            return outcome
        }
        if let isAllowed, try !transaction.names(of: subject).map(Self.text).allSatisfy(isAllowed) {
            throw notAnonymous()
        }
        let record = MergeRecord(subject, into: target, named: named, at: date.milliseconds)
        try apply(record, writing, &outcome)
        // Tokens of a merged id are invalid, because new tokens are made for the learner that the id means.
        try transaction.deleteCredentials(of: [Self.text(subject)])
        try transaction.write(
            actor.map {
                AuditNote(.learnerMerged, by: $0, target: Self.text(subject), learner: Self.text(target))
            }
        )
        return outcome
    }

    /// Moves the events, updates progress, and records the merge.
    /// - Parameter quarantinesConflicts: true to quarantine events that contradict events of the other learner; false
    ///   to drop them.
    func apply(_ merge: MergeRecord, _ writing: IngestTransaction, quarantinesConflicts: Bool = true) throws {
        var outcome = MergeOutcome(learner: Self.text(merge.target), merged: Self.text(merge.subject))
        try apply(merge, writing, &outcome, quarantinesConflicts: quarantinesConflicts)
    }

    private func apply(
        _ merge: MergeRecord,
        _ writing: IngestTransaction,
        _ outcome: inout MergeOutcome,
        quarantinesConflicts: Bool = true
    ) throws {
        let transaction = writing.transaction
        if let learner = try transaction.learner(named: merge.subject) {
            let target = try transaction.currentNames(of: [merge.target])[merge.target] ?? merge.target
            let conflicts = try moveEvents(of: learner, to: target, writing, &outcome)
            if quarantinesConflicts { try quarantine(conflicts, target, transaction) }
            // The cache of states must not keep the merged learner.
            writing.updater.changed.insert(learner.id)
        }
        try writing.finish()
        try transaction.merge(merge)
    }

    /// True if the same two ids were named by an earlier merge.
    private func isRepeated(_ reader: any StoreReader) throws -> Bool {
        var name = named.subject
        while let merge = try reader.merges(of: [name]).first {
            if merge.named == named || (merge.subject, merge.target) == named { return true }
            name = merge.target
        }
        return false
    }

    private func notAnonymous() -> EngineError {
        EngineError(
            .notAnonymous,
            "“\(Self.text(named.subject))” is not known by anonymous ids alone; only an administrator may merge this learner"
        )
    }

    private func sameLearner(_ learner: [UInt8]) -> EngineError {
        EngineError(
            .sameLearner,
            "“\(Self.text(named.subject))” and “\(Self.text(named.target))” already mean the same learner,"
                + " “\(Self.text(learner))”; nothing was merged"
        )
    }

    // MARK: Events

    /// An event that contradicts a stored event of the other learner.
    private struct Conflict {
        var line: [UInt8]
        var record: QuarantineRecord
    }

    /// Appends a learner's events to the events of another learner.
    /// - Returns: the events that contradict stored events of the other learner.
    private func moveEvents(
        of learner: LearnerRecord,
        to target: [UInt8],
        _ writing: IngestTransaction,
        _ outcome: inout MergeOutcome
    ) throws -> [Conflict] {
        var conflicts: [Conflict] = []
        if learner.eventCount > Announcer.mostEvents { writing.announcer = nil }
        for span in try spans(of: learner.id, writing.transaction) {
            let table = try events(of: learner, in: span, writing.transaction)
            let rows = Array(0..<table.count)
            let (groups, outcomes) = try writing.append(table, [(target, rows)], kept: nil)
            outcome.events += rows.count { outcomes[$0] == .stored }
            outcome.duplicates += rows.count { outcomes[$0] == .duplicate }
            let contradicting = rows.filter { outcomes[$0] == .conflict }
            outcome.conflicts += contradicting.count
            let stored = groups[0].learner
            let (first, replaced) = try writing.transaction.replaceLaterArrivals(
                of: stored,
                by: contradicting,
                of: table,
                from: learner.id
            )
            writing.noteReplaced(replaced, of: stored)
            conflicts += contradicting.filter { !first.contains($0) }.map { conflict($0, of: table, target) }
            conflicts += (0..<replaced.count).map { conflict($0, of: replaced, target) }
        }
        return conflicts
    }

    /// Spans of time that together contain all events of a learner. The events of a span fit into memory.
    private func spans(of learner: Int64, _ reader: any StoreReader) throws -> [ClosedRange<Int64>] {
        var times: [Int64] = []
        try reader.forEachStretch(of: learner, fields: .none) { runs in
            for run in runs { times += run.rows.map { run.table.milliseconds[$0] } }
        }
        times.sort()
        let ends = stride(from: Self.eventsAtOnce, to: times.count, by: Self.eventsAtOnce).map { times[$0] }
        var (spans, start): ([ClosedRange<Int64>], Int64) = ([], .min)
        for end in ends where start <= end {
            spans.append(start...end)
            start = end + 1
        }
        return spans + [start ... .max]
    }

    /// A learner's events in a span of time, in the learner's order.
    private func events(
        of learner: LearnerRecord,
        in span: ClosedRange<Int64>,
        _ reader: any StoreReader
    ) throws -> EventTable {
        let copier = TableAppender()
        let runs = try reader.events(of: learner.id, since: span.lowerBound, until: span.upperBound)
        for run in runs.inLearnerOrder {
            copier.begin(run.table)
            // A run may also contain events outside the span.
            for row in run.rows where span.contains(run.table.milliseconds[row]) {
                copier.append(row, of: run.table)
            }
        }
        return copier.table
    }

    private func conflict(_ row: Int, of table: EventTable, _ target: [UInt8]) -> Conflict {
        let refusal = table.conflict(of: row)
        let record = QuarantineRecord(
            reason: refusal.code.rawValue,
            message: refusal.message,
            receivedAt: date.milliseconds,
            eventID: table.identifier(row),
            source: Array(table.texts[table.source[row]]),
            subject: target
        )
        var line: [UInt8] = []
        table.encode(row, subject: target, into: &line)
        return Conflict(line: line, record: record)
    }

    /// Puts events into quarantine, as if they had arrived now.
    private func quarantine(_ conflicts: [Conflict], _ target: [UInt8], _ transaction: any StoreTransaction) throws {
        for conflict in conflicts {
            guard try transaction.quarantine(conflict.record, bytes: conflict.line) == nil else { continue }
            throw EngineError(
                .invalidRequest,
                "an event of “\(Self.text(named.subject))” contradicts one of “\(Self.text(target))”, and the quarantine"
                    + " is full; drop refused lines, and merge again. Nothing was merged"
            )
        }
    }

    private static func text(_ learner: [UInt8]) -> String { String(decoding: learner, as: UTF8.self) }
}
