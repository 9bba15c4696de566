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
    /// The condition that all events of the merged learner must satisfy; nil for no condition.
    let isAllowed: ((Event) -> Bool)?

    /// The maximum number of events in memory.
    private static let eventsAtOnce = 100_000

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
        if let learner = try transaction.learner(named: subject) {
            try moveEvents(of: learner, to: target, writing, &outcome)
            // The cache of states must not keep the merged learner.
            writing.updater.changed.insert(learner.id)
        }
        try writing.finish()
        let record = MergeRecord(subject, into: target, named: named, at: date.milliseconds)
        try transaction.merge(record)
        try transaction.endCredentials(of: [Self.text(subject)], after: .merge, at: date)
        try transaction.write(
            actor.map {
                AuditNote(.learnerMerged, by: $0, target: Self.text(subject), learner: Self.text(target))
            }
        )
        return outcome
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

    private func sameLearner(_ learner: [UInt8]) -> EngineError {
        EngineError(
            .sameLearner,
            "“\(Self.text(named.subject))” and “\(Self.text(named.target))” already mean the same learner,"
                + " “\(Self.text(learner))”; nothing was merged"
        )
    }

    // MARK: Events

    /// Appends a learner's events to another learner's.
    private func moveEvents(
        of learner: LearnerRecord,
        to target: [UInt8],
        _ writing: IngestTransaction,
        _ outcome: inout MergeOutcome
    ) throws {
        if learner.eventCount > Announcer.mostEvents { writing.announcer = nil }
        for span in try spans(of: learner.id, writing.transaction) {
            let table = try events(of: learner, in: span, writing.transaction)
            let rows = Array(0..<table.count)
            let outcomes = try writing.append(table, [(target, rows)], kept: nil).outcomes
            for row in rows {
                switch outcomes[row] {
                case .stored: outcome.events += 1
                case .duplicate: outcome.duplicates += 1
                case .conflict:
                    outcome.conflicts += 1
                    try quarantine(row, of: table, target, writing.transaction)
                case .skipped: break
                }
            }
        }
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
                let event = isAllowed.map { ($0, run.table.event(at: row, subject: Self.text(learner.subject))) }
                if let (isAllowed, event) = event, !isAllowed(event) { throw Self.notAnonymous(learner.subject) }
                copier.append(row, of: run.table)
            }
        }
        return copier.table
    }

    private static func notAnonymous(_ learner: [UInt8]) -> EngineError {
        EngineError(
            .notAnonymous,
            "“\(text(learner))” was not known by an anonymous id alone; only an administrator may merge this learner"
        )
    }

    /// Puts an event that contradicts one of the other learner's into quarantine, as if it had arrived now.
    private func quarantine(
        _ row: Int,
        of table: EventTable,
        _ target: [UInt8],
        _ transaction: any StoreTransaction
    ) throws {
        let refusal = table.conflict(of: row)
        var line: [UInt8] = []
        table.encode(row, subject: target, into: &line)
        let record = QuarantineRecord(
            reason: refusal.code.rawValue,
            message: refusal.message,
            receivedAt: date.milliseconds,
            eventID: table.identifier(row),
            source: Array(table.texts[table.source[row]]),
            subject: target
        )
        guard try transaction.quarantine(record, bytes: line) != nil else {
            throw EngineError(
                .invalidRequest,
                "an event of “\(Self.text(named.subject))” contradicts one of “\(Self.text(target))”, and the quarantine"
                    + " is full; drop refused lines, and merge again. Nothing was merged"
            )
        }
    }

    private static func text(_ learner: [UInt8]) -> String { String(decoding: learner, as: UTF8.self) }
}
