// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore

/// The lower bound of a replay. It decodes the same blocks as the engine, and folds them by hand-written rules. It
/// writes nothing. At the end its XP, words learned and events are compared with the store's.
struct HandWritten {
    let path: String

    /// Event types that change numbers, but are not handled. A store with such an event is refused.
    private static let unhandled: Set<String> = [
        "word.removed", "word.unlearned", "word.imported", "xp.declared",
        "achievement.granted", "achievement.revoked",
    ]
    private static let fields = FieldSelection.only([
        "accuracy", "errors", "durationMs", "word", "grade", "mode", "partner", "kind", "amount", "date", "source",
        "id",
    ])

    func run() throws -> Report {
        let store = try SQLiteStore(path: path, mode: .readOnly)
        let startProcessor = processorSeconds()
        var learners: [Int64: Found] = [:]
        let time = try nanoseconds {
            try store.readTogether { state in
                let shares = try state.read { reader in
                    let learners = try reader.statistics().learners
                    return try reader.learnerShares(of: max(1, min(1024, learners / (Threads.processors * 8))))
                }
                try shares.mapInParallel(transform: { try fold($0, state) }) { learners.merge($0) { _, new in new } }
            }
        }
        let seconds = processorSeconds() - startProcessor
        try compare(learners)
        var report = Report()
        report.add("seconds", Double(time) / 1e9)
        report.add("cpu_seconds", seconds)
        report.add("learners", Double(learners.count))
        report.add("xp", learners.values.reduce(0) { $0 + $1.xp })
        return report
    }

    private struct Found: Sendable {
        let xp: Double
        let wordsLearned: Int
    }

    private func compare(_ learners: [Int64: Found]) throws {
        let engine = try ProgressEngine.openForReading(path, rules: nil)
        try engine.forEachOverview { stored in
            let found = learners[stored.learner.id] ?? Found(xp: 0, wordsLearned: 0)
            let (xp, wordsLearned) = (stored.numbers.xp, stored.numbers.counts.words.learned)
            guard xp == found.xp, wordsLearned == found.wordsLearned else {
                let name = String(decoding: stored.learner.subject, as: UTF8.self)
                throw BenchmarkError(
                    "\(name): by hand \(found.xp) XP and \(found.wordsLearned) words learned, stored are "
                        + "\(xp) and \(wordsLearned)"
                )
            }
        }
    }

    private func fold(_ ids: Range<Int64>, _ state: any StoreState) throws -> [Int64: Found] {
        var learners: [Int64: Found] = [:]
        var clock = LocalClock()
        var bound: [HandWrittenTable] = []
        var serial: UInt32 = 0
        try state.read { reader in
            try reader.forEachLearner(ids: ids, fields: HandWritten.fields, upTo: .max) { learner, runs in
                serial += 1
                var fold = HandWrittenFold(serial)
                let tables = try runs.map { try HandWritten.bind($0.shared, &bound) }
                guard zip(runs, runs.dropFirst()).allSatisfy({ $0.lastTime <= $1.firstTime }) else {
                    throw BenchmarkError(
                        "the floor does not merge runs that overlap: replay a store that was ingested at once"
                    )
                }
                var voids = HandWrittenVoids(zip(tables, runs))
                for (table, run) in zip(tables, runs) {
                    fold.leaveTable()
                    voids.leaveTable()
                    run.table.withColumns { columns in
                        for row in run.rows where voids.isEmpty || !voids.contain(table, columns, row) {
                            fold.fold(table, columns, row, &clock)
                        }
                    }
                }
                learners[learner.id] = Found(xp: fold.xp, wordsLearned: fold.wordsLearned)
            }
        }
        return learners
    }

    /// Consecutive learners usually have the same table.
    private static func bind(_ shared: EventTableReference, _ known: inout [HandWrittenTable]) throws
        -> HandWrittenTable
    {
        if let last = known.last, last.shared === shared { return last }
        let types = shared.table.types
        let names = (0..<types.count).map { types.string(UInt32($0)) }
        if let other = names.first(where: unhandled.contains) {
            throw BenchmarkError("the floor does not know events of type \(other)")
        }
        let bound = HandWrittenTable(shared, names, stamp: (known.last?.stamp ?? 0) + 1 << 32)
        known.append(bound)
        if known.count > 64 { known.removeFirst(32) }
        return bound
    }
}

extension EventRun {
    fileprivate var firstTime: Int64 { rows.first.map { table.milliseconds[$0] } ?? .min }
    fileprivate var lastTime: Int64 { rows.last.map { table.milliseconds[$0] } ?? .min }
}
