// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// Measures the processor time of a durable batch with one event for each of some recently active learners. It also
/// measures the time to read their progress afterwards.
struct ClassAppends {
    let path: String
    let learners: Int
    let count: Int
    let questions: Int

    /// The number of rounds at the start that are reported separately. They open files, and fold all learners for the
    /// first time.
    private static let first = 2

    func run() throws -> Report {
        let engine = try ProgressEngine.openForWriting(path, rules: nil, clock: 0)
        let some = try Learners(of: engine).ordinary(exactly: learners)
        var clock = some.compactMap(\.lastEventAt).max()! + 60_000
        var (touch, appends, progress) = (Latencies(), Latencies(), Latencies())
        var seconds = 0.0
        for round in 0..<count + ClassAppends.first {
            clock += 4000
            let events = some.map { learner in
                Event.spokenLine(learner.name, id: "e\(round)", source: "benchmark/class", milliseconds: clock)
            }
            if round < ClassAppends.first {
                try touch.measure { try append(events, to: engine, clock) }
                continue
            }
            let start = processorSeconds()
            try appends.measure { try append(events, to: engine, clock) }
            seconds += processorSeconds() - start
        }
        for round in 0..<questions {
            let name = some[round % some.count].name
            try progress.measure {
                _ = try engine.progress(of: name, language: nil, at: Timestamp(milliseconds: clock))
            }
        }
        var report = Report()
        report.add("first_touch", touch)
        report.add("batch", appends)
        report.add("cpu_us_per_event", seconds * 1e6 / Double(count * learners))
        report.add("progress", progress)
        return report
    }

    private func append(_ events: [Event], to engine: ProgressEngine, _ now: Int64) throws {
        guard try engine.ingest(events, now: now).stored == events.count else {
            throw BenchmarkError("not all events were stored; is the store a fresh copy?")
        }
    }
}
