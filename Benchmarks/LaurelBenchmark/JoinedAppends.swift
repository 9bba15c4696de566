// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore

/// Requests of one event each, as the service stores them. A number of recently active learners take turns, and a
/// number of their requests are stored together in one transaction.
struct JoinedAppends {
    let path: String
    let learners: Int
    let together: Int
    let rounds: Int

    /// The number of rounds at the start that open files and fold all learners for the first time.
    private static let first = 2

    func run() throws -> Report {
        let engine = try ProgressEngine.openForWriting(path, rules: nil, clock: 0)
        let some = try Learners(of: engine).ordinary(exactly: learners)
        guard learners % together == 0 else {
            throw BenchmarkError("\(learners) learners cannot be cut into groups of \(together)")
        }
        let start = some.compactMap(\.lastEventAt).max()! + 60_000
        // Assembled from pieces, because making an event takes a tenth of the time of storing it.
        let bodies = some.map { Pieces(learner: $0.name) }
        var groups = Latencies()
        for round in 0..<rounds + Self.first {
            let clock = start + Int64(round) * 4000
            let time = Array("\"id\":\"e\(round)\",\"time\":\"\(Timestamp(milliseconds: clock))\",".utf8)
            let now = Date(timeIntervalSince1970: Double(clock) / 1000)
            for first in stride(from: 0, to: learners, by: together) {
                let group = bodies[first..<first + together].map {
                    IngestRequest(.event, $0.start + time + $0.end)
                }
                if round < Self.first {
                    try store(group, engine, now)
                } else {
                    try groups.measure { try store(group, engine, now) }
                }
            }
        }
        var report = Report()
        report.add("group", groups)
        return report
    }

    /// The text before and after an event's id and time.
    private struct Pieces {
        let start: [UInt8]
        let end: [UInt8]

        init(learner: String) {
            let event = Event.spokenLine(learner, id: "", source: "benchmark/\(learner)", milliseconds: 0).encoded
            let text = String(decoding: event, as: UTF8.self)
            let time = "\"time\":\"\(Timestamp(milliseconds: 0))\","
            start = [UInt8(ascii: "{")]
            end = Array(text.replacing("\"id\":\"\",", with: "").replacing(time, with: "").dropFirst().utf8)
        }
    }

    private func store(_ requests: [IngestRequest], _ engine: ProgressEngine, _ now: Date) throws {
        for outcome in try engine.ingest(together: requests, now: now) {
            guard case .done(let report) = outcome, report.stored == 1 else {
                throw BenchmarkError("an event was not stored; is the store a fresh copy?")
            }
        }
    }
}
