// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting

/// A closed store with rows in every table, of several pages each where that is cheap, and some free pages.
enum SmallStore {
    private static let learners = 30

    static func make(_ path: String) throws {
        var options = StoreOptions()
        (options.eventsPerBlock, options.bulkThreshold) = (128, 100)
        options.unwrittenEvents = 200
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        defer { store.close() }
        let plan = try RichRules.plan.get()
        try store.writeAll { transaction in
            let rules = TextTargets.rulesText.bytes
            try transaction.setRules(RulesRecord(version: 1, hash: "h", name: "rich", appliedAt: 0, source: rules))
            try transaction.setTimeZones("2025b")
            for round in 0..<2 { try append(round, 0..<learners, to: transaction) }
        }
        // Few events at a time stay in the tail.
        for learner in 0..<learners { try store.writeAll { try append(2, learner..<learner + 1, to: $0) } }
        try store.writeAll { transaction in
            for ids in try transaction.learnerRanges() {
                try transaction.forEachLearner(ids: ids) { learner, runs in
                    try derive(learner.id, runs, plan, transaction)
                }
            }
            for line in 0..<60 {
                var refused = QuarantineRecord(reason: "json", message: "line \(line) is not JSON", receivedAt: 0)
                refused.subject = "learner \(line)".bytes
                try transaction.quarantine(refused, bytes: noise(line == 59 ? 20_000 : 150, UInt64(line)))
            }
        }
        try store.writeAll { try $0.dropQuarantined(ids: [60]) }
    }

    private static func append(_ round: Int, _ learners: Range<Int>, to transaction: any StoreTransaction) throws {
        var (table, decoder, groups) = (EventTable(), EventDecoder(), [LearnerRows]())
        for learner in learners {
            let start = table.count
            for line in TextTargets.lines {
                // Some ids are counters, some are not.
                let id = learner % 2 == 0 ? "\(round)" : "\(round)-\(noise(6, UInt64(round * 99 + learner)))-"
                let line = line.replacing(#""id":""#, with: #""id":"\#(id)"#).replacing(#":"bo""#, with: #":"ana""#)
                    .replacing(#""subject":"ñ""#, with: #""subject":"ana""#)
                    .replacing(#""subject":"ana""#, with: #""subject":"learner \#(learner) of many""#)
                _ = line.bytes.withUnsafeBufferPointer {
                    decoder.decode(line: $0, into: &table, clock: TextTargets.clock)
                }
            }
            let id = try transaction.learnerID(for: "learner \(learner) of many".bytes)
            groups.append(LearnerRows(learner: id, rows: Array(start..<table.count)))
        }
        _ = try transaction.append(table, groups: groups)
    }

    private static func derive(
        _ learner: Int64,
        _ runs: [EventRun],
        _ plan: FoldPlan,
        _ transaction: any StoreTransaction
    ) throws {
        let fold = Fold(plan: plan)
        let bound = runs.map { PlannedRows(bound: PlannedTable($0.table, plan: plan), rows: $0.rows) }
        fold.noteCorrections(bound)
        for span in EventOrder.spans(bound) { fold.fold(span.bound, rows: span.rows) }
        try transaction.project(ProgressReader(plan: plan).projection(fold.state), of: learner, days: .all)
        // One snapshot takes several pages.
        try transaction.saveSnapshot(noise(learner == 1 ? 9000 : 90, UInt64(learner)), of: learner)
        for place in 0..<3 {
            let point = CheckpointPoint(milliseconds: Int64(place), events: place)
            let checkpoint = Checkpoint(point: point, snapshot: noise(70, UInt64(learner)))
            try transaction.saveCheckpoint(checkpoint, of: learner, in: .stored)
        }
        try transaction.remember(RememberedCopy(name: "phone", data: noise(200, UInt64(learner))), of: learner)
    }

    private static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
