// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelStore
import StoreTesting
import Testing

/// Runs only on request: `LAUREL_STORE_EVENTS=5000000 swift test -c release --filter StoreBenchmark`.
/// `LAUREL_STORE_LEARNERS` (default 2000) is the number of learners, `LAUREL_STORE_BATCH` the size of a batch.
@Suite(.enabled(if: getenv("LAUREL_STORE_EVENTS") != nil)) struct StoreBenchmark {
    private static func setting(_ name: String, _ standard: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? standard
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let took = try clock.measure(body)
        return Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    }

    @Test func ingestAndReadBack() throws {
        let wanted = StoreBenchmark.setting("LAUREL_STORE_EVENTS", 0)
        let batchSize = StoreBenchmark.setting("LAUREL_STORE_BATCH", 250_000)
        let test = TestStore(
            store: try SQLiteStore(path: TestStore.temporaryPath(), mode: .readWrite),
            path: nil
        )
        var source = RealisticEvents(learners: StoreBenchmark.setting("LAUREL_STORE_LEARNERS", 2000))
        var (events, writing, again) = (0, 0.0, 0.0)
        var first: EventTable?
        while events < wanted {
            var table = EventTable()
            while table.count < batchSize { source.nextDay(into: &table) }
            writing += try StoreBenchmark.seconds { _ = try append(table, to: test.store) }
            events += table.count
            first = first ?? table
        }
        again = try StoreBenchmark.seconds { _ = try append(first!, to: test.store) }
        report("written", events, writing)
        report("fed again", first!.count, again)
        var seen = 0
        let reading = try StoreBenchmark.seconds {
            try test.store.read { reader throws in
                try reader.forEachLearner(fields: .all) { _, runs in
                    seen += runs.reduce(0) { $0 + $1.rows.count }
                }
            }
        }
        #expect(seen == events)
        report("read", seen, reading)
        let statistics = try test.store.read { try $0.statistics() }
        print(statistics)
        print("bytes per event: file \(Double(statistics.fileBytes) / Double(events)), blocks", terminator: " ")
        print(Double(statistics.blockBytes) / Double(events))
        var problems: [StoreProblem] = []
        let checking = try StoreBenchmark.seconds { problems = try test.store.read { try $0.verify { _, _ in } } }
        #expect(problems == [])
        report("verified", events, checking)
    }

    private func append(_ table: EventTable, to store: any EventStore) throws -> AppendResult {
        try store.write { transaction throws in
            let groups = try table.rowsBySubject().map { subject, rows in
                LearnerRows(learner: try transaction.learnerID(for: subject), rows: rows)
            }
            return try transaction.append(table, groups: groups)
        }
    }

    private func report(_ what: String, _ events: Int, _ seconds: Double) {
        print("\(what): \(events) events in \(seconds) s, \(Int(Double(events) / seconds)) per second")
    }
}
