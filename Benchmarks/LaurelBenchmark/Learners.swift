// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// Learners of a store, for measurements.
struct Learners {
    /// The learners with at least one event that counts, those with most events first.
    let all: [OverviewRecord]

    init(of engine: ProgressEngine) throws {
        var found: [OverviewRecord] = []
        try engine.forEachOverview { if $0.lastEventAt != nil { found.append($0) } }
        guard !found.isEmpty else { throw BenchmarkError("the store has no learners") }
        all = found.sorted { $0.learner.eventCount > $1.learner.eventCount }
    }

    var busiest: OverviewRecord { all[0] }

    var latestEventAt: Int64 { all.compactMap(\.lastEventAt).max() ?? 0 }

    /// The learners whose numbers of events are nearest to the mean.
    func ordinary(_ count: Int) -> [OverviewRecord] {
        let mean = all.reduce(0) { $0 + $1.learner.eventCount } / all.count
        let sorted = all.sorted {
            abs($0.learner.eventCount - mean) < abs($1.learner.eventCount - mean)
        }
        return Array(sorted.prefix(count))
    }

    /// Exactly `count` learners whose numbers of events are nearest to the mean.
    /// - Throws: ``BenchmarkError`` if there are fewer.
    func ordinary(exactly count: Int) throws -> [OverviewRecord] {
        guard count <= all.count else { throw BenchmarkError("the store has \(all.count) learners") }
        return ordinary(count)
    }
}

extension OverviewRecord {
    var name: String { String(decoding: learner.subject, as: UTF8.self) }
}

extension Event {
    /// A `line.spoken` event, as an app sends it.
    static func spokenLine(_ subject: String, id: String, source: String, milliseconds: Int64) -> Event {
        Event(
            id: id,
            source: source,
            type: "line.spoken",
            subject: subject,
            time: Timestamp(milliseconds: milliseconds),
            language: "es",
            session: "\(source)-s1",
            timezone: "Europe/Madrid",
            data: [
                "line": .string("cafe-07"), "accuracy": .double(0.93), "errors": .integer(1), "words": .integer(7),
                "durationMs": .integer(3120),
            ]
        )
    }
}
