// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Stores the events of several requests in one transaction, with one append and one update of progress.
final class GroupIngest: Sendable {
    private let engine: ProgressEngine
    private let now: Int64
    /// The counter. Access it only on the calling thread.
    private let tally: IntakeCounts?

    /// The approximate size of an event in a request, in bytes, for reserving memory.
    private static let eventBytes = 160

    /// - Parameters:
    ///   - now: the ingest clock, in milliseconds since 1970.
    ///   - tally: counts the stored events; nil to count none.
    init(_ engine: ProgressEngine, now: Int64, _ tally: IntakeCounts?) {
        (self.engine, self.now, self.tally) = (engine, now, tally)
    }

    /// - Returns: the outcome of each request, in the given order.
    func run(_ requests: [IngestRequest]) throws -> [IngestOutcome] {
        guard !requests.isEmpty else { return [] }
        let plan = engine.plan
        var tools = engine.tools(for: plan)
        let (decoded, table) = try decode(requests, tools)
        var outcomes = decoded.map { $0.verdict ?? .done($0.report) }
        if decoded.contains(where: { $0.verdict == nil || $0.isQuarantined }) {
            let transaction = try store(decoded, table, &tools)
            // The tools are not reused, because their updater has seen events that were rolled back.
            if transaction.hasStoredNothing { return [.nothingStored(transaction.reports[0])] }
            if let tally { transaction.count(into: tally) }
            for (index, report) in transaction.finishedReports().enumerated()
            where decoded[index].verdict == nil { outcomes[index] = .done(report) }
        }
        engine.toolCache.release(tools)
        return outcomes
    }

    /// Stores the events. Events of merged learners are stored under the current ids of these learners.
    private func store(
        _ decoded: [DecodedRequest],
        _ table: EventTable,
        _ tools: inout IngestTools
    ) throws -> JoinedTransaction {
        var table = table
        table.renameSubjects(try engine.mergedNames.currentNames(of: table, in: engine.store))
        while true {
            let transaction = JoinedTransaction(decoded, table, engine, now: now)
            do {
                try engine.write(in: transaction.partitions) { try transaction.fill($0, tools.updater(of: $1)) }
                tools.updater.commit()
                return transaction
            } catch is NothingStored {
                transaction.hasStoredNothing = true
                return transaction
            } catch let merged as MergedLearners {
                engine.mergedNames.note(merged.currentNames.keys)
                table.renameSubjects(merged.currentNames)
                tools = engine.tools(for: engine.plan)
            }
        }
    }

    private func decode(
        _ requests: [IngestRequest],
        _ tools: IngestTools
    ) throws -> ([DecodedRequest], EventTable) {
        let cached = engine.cachedNames
        let strict = requests.contains(where: \.isStrict) ? try engine.knownNames() : cached
        var table = EventTable()
        let events = requests.reduce(0) { $0 + 1 + $1.bytes.count / Self.eventBytes }
        table.reserve(events: events, values: events)
        let decoded = try tools.decoder.use { decoder in
            try requests.map {
                try DecodedRequest(
                    $0,
                    into: &table,
                    decoder: &decoder,
                    clock: now,
                    known: $0.isStrict ? strict : cached,
                    isSameLearner: isSameLearner
                )
            }
        }
        return (decoded, table)
    }
}

extension GroupIngest {
    /// True if two ids mean the same learner.
    private func isSameLearner(_ one: [UInt8], _ other: [UInt8]) throws -> Bool {
        if one == other { return true }
        let current = try engine.store.read { try $0.currentNames(of: [one, other]) }
        return current[one] ?? one == current[other] ?? other
    }
}

/// The error of an all-or-nothing request that has a conflict.
private struct NothingStored: Error {}

/// A transaction for several requests, and its results. The results are valid only if the transaction is committed.
private final class JoinedTransaction {
    private(set) var reports: [RequestReport]
    /// True if an all-or-nothing request could not be stored.
    var hasStoredNothing = false
    private let requests: [DecodedRequest]
    private let engine: ProgressEngine
    private let now: Int64
    private let shared: EventTableReference
    private let staged: PendingEvents
    /// The subjects of the events to store, and the rows of each.
    private let subjects: [(subject: [UInt8], rows: [Int])]
    /// The outcomes of the events.
    private var outcomes: [AppendResult.Outcome]
    /// For each request, its refused lines.
    private let refused: [[RefusedLine]]
    /// The rows whose senders may not send them.
    private var forbidden: Set<Int> = []
    /// For each request, the requested progress of learners whose updated state was available.
    private var progress: [[[UInt8]: LearnerProgress]]

    private var table: EventTable { shared.table }

    /// - Parameters:
    ///   - requests: the requests; requests with a verdict are skipped.
    ///   - table: the events of all requests.
    init(_ requests: [DecodedRequest], _ table: EventTable, _ engine: ProgressEngine, now: Int64) {
        (self.requests, self.engine, self.now) = (requests, engine, now)
        shared = EventTableReference(table)
        staged = PendingEvents(table, of: requests)
        reports = requests.map { $0.report }
        outcomes = Array(repeating: .skipped, count: table.count)
        progress = requests.map { _ in [:] }
        refused = requests.indices.map { index in
            guard requests[index].isQuarantined else { return [] }
            let name = requests[index].request.name
            return requests[index].refusals.map { refusal, _, line, bytes in
                let record = QuarantineRecord(refusal, file: name, line: line, clock: now)
                return RefusedLine(record: record, bytes: bytes)
            }
        }
        subjects = staged.subjects(skipping: requests.filter { $0.verdict != nil }.map(\.chunk.rows))
    }

    /// The partitions to lock, ascending. If no event is to be stored, it is the first partition: the transaction gives
    /// a new store its rules.
    var partitions: [Int] {
        let store = engine.store
        let partitions =
            subjects.map { store.partition(of: $0.subject) }
            + refused.joined().map { $0.partition(in: store) }
        return partitions.isEmpty ? [0] : Set(partitions).sorted()
    }

    /// The indexes of the requests without a verdict.
    private var taken: [Int] { requests.indices.filter { requests[$0].verdict == nil } }

    /// The subjects with rows to store, and the rows of each, without forbidden rows.
    private var allowedSubjects: [(subject: [UInt8], rows: [Int])] {
        guard !forbidden.isEmpty else { return subjects }
        return subjects.map { ($0.subject, $0.rows.filter { !forbidden.contains($0) }) }.filter { !$0.rows.isEmpty }
    }

    /// - Throws: ``NothingStored`` if an all-or-nothing request cannot be stored; then ``reports`` says why.
    func fill(_ session: any StoreTransaction, _ updater: LearnerUpdater) throws {
        defer { for index in reports.indices { reports[index].problems.sort { $0.index < $1.index } } }
        for (index, lines) in refused.enumerated() {
            for line in lines { try quarantine(line, index, session) }
        }
        let administered = AdministeredEvents(table, fields: updater.plan.administeredFields)
        try refuseForbidden(administered, session)
        try refusePurchases(session, updater.plan)
        let subjects = allowedSubjects
        guard !subjects.isEmpty else { return }
        let writing = IngestTransaction(session, updater, try engine.announcer(in: session))
        outcomes = try writing.append(table, subjects, kept: shared).outcomes
        for index in taken { try count(index, session) }
        try noteDecrees(administered, session)
        try writing.finish()
        for index in taken where requests[index].request.progressLimit > 0 {
            try readProgress(index, session, updater)
        }
    }

    /// Counts the stored events. Call it when they are durable.
    func count(into tally: IntakeCounts) {
        tally.count(outcomes.indices.lazy.filter { self.outcomes[$0] == .stored }, of: table)
    }

    // MARK: Storing

    private func count(_ index: Int, _ session: any StoreTransaction) throws {
        for row in requests[index].chunk.rows {
            switch outcomes[row] {
            case .stored: reports[index].stored += 1
            case .duplicate: reports[index].duplicates += 1
            case .conflict where staged.adapted(row)?.keepsStored == true: reports[index].duplicates += 1
            case .conflict:
                reports[index].conflicts += 1
                try note(row, index, table.conflict(of: row), session)
            case .skipped: break
            }
        }
        if requests[index].request.isAtomic, reports[index].conflicts > 0 {
            reports[index].stored = 0
            throw NothingStored()
        }
    }

    /// Rejects the single events that their senders may not send.
    private func refuseForbidden(_ administered: AdministeredEvents, _ session: any StoreTransaction) throws {
        let taken = taken
        guard taken.contains(where: { requests[$0].request.rights != .administrator }) else { return }
        var check = SenderCheck(table, administered)
        for index in taken {
            guard case .limited(let types) = requests[index].request.rights else { continue }
            check.check(requests[index].chunk.rows, types: types)
        }
        try check.checkRetractions(among: taken.map { requests[$0].chunk.rows }, in: session)
        guard !check.refusals.isEmpty else { return }
        forbidden = Set(check.refusals.keys)
        for index in taken {
            for row in requests[index].chunk.rows {
                guard let refusal = check.refusals[row] else { continue }
                reports[index].refused += 1
                try note(row, index, refusal, session)
            }
            if requests[index].request.isAtomic, reports[index].refused > 0 { throw NothingStored() }
        }
    }

    /// Rejects a purchase that the learner's balance or the rules do not allow.
    private func refusePurchases(_ session: any StoreTransaction, _ plan: FoldPlan) throws {
        for index in taken where requests[index].request.isPurchase {
            for row in requests[index].chunk.rows {
                guard let refusal = try PurchaseCheck(table, plan: plan).refusal(of: row, in: session) else { continue }
                reports[index].refused += 1
                try note(row, index, refusal, session)
                throw NothingStored()
            }
        }
    }

    /// Notes administrators' events and purchases in the audit log. There is one entry for each learner and type of a
    /// request.
    private func noteDecrees(_ administered: AdministeredEvents, _ session: any StoreTransaction) throws {
        guard let audited = AuditedEvents(table, administered) else { return }
        for index in taken {
            guard let actor = requests[index].request.actor else { continue }
            let stored = requests[index].chunk.rows.filter { outcomes[$0] == .stored }
            for note in audited.notes(stored, by: actor) { try session.write(note) }
        }
    }

    /// Reports a row that is not stored, and puts it into quarantine.
    private func note(_ row: Int, _ index: Int, _ refusal: Refusal, _ session: any StoreTransaction) throws {
        let request = requests[index]
        let event = request.index(ofRow: row - request.chunk.rows.lowerBound)
        reports[index].problems.append(RequestReport.Problem(refusal, index: event))
        // An all-or-nothing request that fails puts nothing into quarantine.
        guard !request.request.isAtomic else { return }
        try quarantine(staged.refused(row, refusal, clock: now), index, session)
    }

    private func quarantine(_ line: RefusedLine, _ index: Int, _ session: any StoreTransaction) throws {
        let cost = Int(line.record.rowCost) + line.bytes.count
        let mayKeep = requests[index].request.mayQuarantine?(cost) ?? true
        if try !mayKeep || session.quarantine(line.record, bytes: line.bytes) == nil { reports[index].notKept += 1 }
    }

    // MARK: Progress

    private func progressInstant(_ index: Int) -> Timestamp {
        requests[index].request.progressInstant ?? Timestamp(milliseconds: now)
    }

    private func learners(_ index: Int) -> [String] {
        var seen: Set<UInt32> = []
        let rows = requests[index].chunk.rows.filter { !forbidden.contains($0) }
        let subjects = rows.map { table.subject[$0] }.filter { seen.insert($0).inserted }
        return subjects.prefix(requests[index].request.progressLimit).map { table.texts.string($0) }
    }

    private func readProgress(_ index: Int, _ session: any StoreTransaction, _ updater: LearnerUpdater) throws {
        let reader = ProgressReader(plan: updater.plan)
        let instant = progressInstant(index)
        for learner in learners(index) {
            let subject = Array(learner.utf8)
            let id = try session.learner(named: subject)?.id
            // With several versions of the rules, the version in force now may differ from the version at the last
            // event.
            if updater.plan.versions.count == 1, let state = id.flatMap(updater.state),
                let position = state.position, position.milliseconds <= instant.milliseconds,
                let found = reader.progress(state, subject: learner, at: instant)
            {
                progress[index][subject] = LearnerProgress(found)
            }
        }
    }

    /// The final reports. Call it when the transaction is durable. Progress that cannot be read now is left out,
    /// because an error would say that nothing is stored.
    func finishedReports() -> [RequestReport] {
        for index in requests.indices where requests[index].verdict == nil {
            if requests[index].request.progressLimit > 0, !requests[index].chunk.rows.isEmpty {
                // Learners whose updated state was not available come last.
                let learners = learners(index)
                let found = learners.compactMap { progress[index][Array($0.utf8)] }
                let others = learners.filter { progress[index][Array($0.utf8)] == nil }.compactMap {
                    try? engine.progress(of: $0, language: nil, at: progressInstant(index)).map { LearnerProgress($0) }
                }
                reports[index].progress = found + others
            }
            let names = unknownNames(index)
            guard !names.isEmpty else { continue }
            var report = IngestReport()
            try? engine.reportUnknownNames(names, in: &report)
            reports[index].unknown = report.unknown
        }
        return reports
    }

    /// The unknown names in the events that are not forbidden.
    private func unknownNames(_ index: Int) -> UnknownNames {
        let chunk = requests[index].chunk
        guard !chunk.unknownNames.isEmpty, !forbidden.isDisjoint(with: chunk.rows) else { return chunk.unknownNames }
        return UnknownNames(of: table, rows: chunk.rows, skipping: forbidden, known: engine.cachedNames) {
            chunk.batch.records[Int(chunk.recordOfRow[$0 - chunk.rows.lowerBound])].line
        }
    }
}
