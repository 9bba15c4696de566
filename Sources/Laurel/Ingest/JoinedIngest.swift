// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Stores the events of several requests in one transaction, with one append and one update of progress. A second update in the
/// same transaction would go on from states that miss the first one's events.
final class JoinedIngest {
    private let engine: ProgressEngine
    private let now: Int64

    /// - Parameter now: the ingest clock, in milliseconds since 1970.
    init(_ engine: ProgressEngine, now: Int64) { (self.engine, self.now) = (engine, now) }

    /// - Returns: what came of each, in their order.
    func run(_ requests: [IngestRequest]) throws -> [IngestOutcome] {
        guard !requests.isEmpty else { return [] }
        let plan = engine.plan
        var tools =
            engine.spare.take(plan)
            ?? IngestTools(updater: LearnerUpdater(store: engine.store, plan: plan, recent: engine.recent))
        let decoded = try decode(requests, &tools)
        let joined = decoded.indices.filter { decoded[$0].verdict == nil }
        var outcomes = decoded.map { $0.verdict ?? .done($0.report) }
        if !joined.isEmpty {
            let transaction = JoinedTransaction(joined.map { decoded[$0] }, engine, now: now)
            do {
                try engine.store.write { session in
                    let plan = try engine.planInForce(in: session)
                    if plan !== tools.updater.plan { tools.updater = tools.updater.following(plan) }
                    try transaction.fill(session, tools.updater)
                }
                tools.updater.commit()
                engine.rulesAreStored()
                for (index, report) in zip(joined, try transaction.finishedReports()) {
                    outcomes[index] = .done(report)
                }
            } catch is NothingStored {
                // Its updater has seen what was taken back.
                return [.nothingStored(transaction.reports[0])]
            }
        }
        engine.spare.giveBack(tools)
        return outcomes
    }

    private func decode(_ requests: [IngestRequest], _ tools: inout IngestTools) throws -> [DecodedRequest] {
        var decoder = tools.decoder.take() ?? EventDecoder()
        defer { tools.decoder = decoder }
        let atHand = engine.namesAtHand
        let strict = requests.contains(where: \.isStrict) ? try engine.knownNames() : atHand
        return requests.map {
            DecodedRequest($0, decoder: &decoder, clock: now, known: $0.isStrict ? strict : atHand)
        }
    }
}

/// A request that is all or nothing met a conflict.
private struct NothingStored: Error {}

/// What one transaction does for all of its requests.
private final class JoinedTransaction {
    private(set) var reports: [RequestReport]
    private let requests: [DecodedRequest]
    private let engine: ProgressEngine
    private let now: Int64
    private var staged = StagedEvents()
    /// Per request, its rows among those staged.
    private var rows: [Range<Int>] = []
    /// Per request, whose progress was asked for and could not be read off yet.
    private var missing: [[String]]

    init(_ requests: [DecodedRequest], _ engine: ProgressEngine, now: Int64) {
        (self.requests, self.engine, self.now) = (requests, engine, now)
        reports = requests.map(\.report)
        missing = requests.map { _ in [] }
    }

    func fill(_ session: any StoreTransaction, _ updater: LearnerUpdater) throws {
        for (index, request) in requests.enumerated() {
            try quarantineRefused(request, index, session)
            let start = staged.count
            staged.append(request.chunk)
            rows.append(start..<staged.count)
        }
        guard staged.count > 0 else { return }
        let groups = try staged.groups { try session.learnerIDs(for: $0) }
        let announcer = try engine.announcer(in: session)
        try announcer?.look(at: groups, session, updater)
        let result = try session.append(staged.table, groups: groups)
        for index in requests.indices { try count(result.outcomes, of: index, session) }
        let touched = touches(result.stored)
        try updater.update(touched, in: session)
        try announcer?.finish(touched.keys, session, updater)
        for index in requests.indices where requests[index].request.progressLimit > 0 {
            try readProgress(index, session, updater)
        }
    }

    // MARK: Storing

    private func quarantineRefused(_ request: DecodedRequest, _ index: Int, _ session: any StoreTransaction) throws {
        for (refusal, _, line, bytes) in request.refusals {
            let record = QuarantineRecord(refusal, file: request.request.name, line: line, clock: now)
            if try session.quarantine(record, bytes: bytes) == nil { reports[index].notKept += 1 }
        }
    }

    private func count(_ outcomes: [AppendResult.Outcome], of index: Int, _ session: any StoreTransaction) throws {
        let tally = requests[index].request.tally
        for row in rows[index] {
            switch outcomes[row] {
            case .stored:
                reports[index].stored += 1
                tally?.count(row, of: staged.table)
            case .duplicate: reports[index].duplicates += 1
            case .conflict: try noteConflict(row, index, session)
            case .skipped: break
            }
        }
        if requests[index].request.isAtomic, reports[index].conflicts > 0 {
            reports[index].stored = 0
            throw NothingStored()
        }
        reports[index].problems.sort { $0.index < $1.index }
    }

    private func noteConflict(_ row: Int, _ index: Int, _ session: any StoreTransaction) throws {
        let table = staged.table
        let (record, bytes) = staged.conflict(row, file: requests[index].request.name, clock: now)
        reports[index].conflicts += 1
        reports[index].problems.append(
            RequestReport.Problem(
                index: requests[index].index(ofRow: row - rows[index].lowerBound),
                id: String(decoding: table.identifier(row), as: UTF8.self),
                source: table.texts.string(table.source[row]),
                subject: table.texts.string(table.subject[row]),
                code: record.reason,
                message: record.message
            )
        )
        // What comes to nothing goes to quarantine neither.
        guard !requests[index].request.isAtomic else { return }
        if try session.quarantine(record, bytes: bytes) == nil { reports[index].notKept += 1 }
    }

    private func touches(_ stored: [LearnerRows]) -> [Int64: LearnerUpdater.Touch] {
        let corrections = staged.corrections
        var touches: [Int64: LearnerUpdater.Touch] = [:]
        for group in stored where !group.rows.isEmpty {
            touches[group.learner] = staged.touch(group, corrections, keepsPosition: true, keepsRows: true)
        }
        return touches
    }

    // MARK: Progress

    private func learners(_ index: Int) -> [String] {
        var seen: Set<UInt32> = []
        let table = staged.table
        let subjects = rows[index].map { table.subject[$0] }.filter { seen.insert($0).inserted }
        return subjects.prefix(requests[index].request.progressLimit).map { table.texts.string($0) }
    }

    private func readProgress(_ index: Int, _ session: any StoreTransaction, _ updater: LearnerUpdater) throws {
        let reader = ProgressReader(plan: updater.plan)
        let instant = Timestamp(milliseconds: now)
        var found: [LearnerProgress] = []
        for learner in learners(index) {
            let id = try session.learner(named: Array(learner.utf8))?.id
            // Under several versions of the rules, the instant may call for a later one than the last event did.
            if updater.plan.versions.count == 1, let state = id.flatMap(updater.state),
                let position = state.position, position.milliseconds <= now,
                let progress = reader.progress(state, subject: learner, at: instant)
            {
                found.append(LearnerProgress(progress))
            } else {
                missing[index].append(learner)
            }
        }
        reports[index].progress = found
    }

    /// To be called once all is durable.
    func finishedReports() throws -> [RequestReport] {
        for index in requests.indices {
            if !missing[index].isEmpty {
                reports[index].progress? += try missing[index].compactMap {
                    try engine.progress(of: $0, language: nil, at: Timestamp(milliseconds: now)).map(
                        LearnerProgress.init
                    )
                }
            }
            let names = requests[index].chunk.unknownNames
            guard !names.isEmpty else { continue }
            var report = IngestReport()
            try engine.tell(names, in: &report)
            reports[index].unknown = report.unknown
        }
        return reports
    }
}
