// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// Events that arrive a year late, one by one, for learners with an average number of events.
struct LateEvents {
    let path: String
    let count: Int

    private static let year: Int64 = 365 * 86_400_000

    func run() throws -> Report {
        let engine = try ProgressEngine.openForWriting(path, rules: nil, clock: 0)
        let learners = try Learners(of: engine).ordinary(count + 1)
        var latencies = Latencies()
        for round in 0...count {
            let learner = learners[round % learners.count]
            let event = Event.spokenLine(
                learner.name,
                id: "e\(round + 1)",
                source: "benchmark/tablet",
                milliseconds: max(0, learner.lastEventAt! - Self.year + Int64(round) * 60_000)
            )
            // The first event opens files and fills caches.
            if round == 0 {
                try append(event, to: engine, learner.lastEventAt!)
            } else {
                try latencies.measure { try append(event, to: engine, learner.lastEventAt!) }
            }
        }
        var report = Report()
        let events = learners.reduce(0) { $0 + $1.learner.eventCount }
        report.add("learner_events", Double(events) / Double(learners.count))
        report.add("late", latencies)
        return report
    }

    private func append(_ event: Event, to engine: ProgressEngine, _ now: Int64) throws {
        guard try engine.ingest([event], now: now).stored == 1 else {
            throw BenchmarkError("an event was not stored; is the store a fresh copy?")
        }
    }
}
