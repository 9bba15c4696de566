// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore

/// Measures opening a store, and the questions that an app asks.
struct Reading {
    let path: String
    let count: Int

    func run() throws -> Report {
        let engine = try ProgressEngine.openForReading(path, rules: nil)
        let all = try Learners(of: engine)
        let learners = all.ordinary(count)
        var request = LeaderboardRequest(week: nil, instant: Timestamp(milliseconds: all.latestEventAt))
        request.part = .top(10)
        let past = pastRequest(all)
        var (opening, progress, words) = (Latencies(), Latencies(), Latencies())
        var (everyone, leaderboard, pastLeaderboard) = (Latencies(), Latencies(), Latencies())
        for round in 0..<count {
            let learner = learners[round % learners.count]
            let at = Timestamp(milliseconds: learner.lastEventAt! + 3_600_000)
            try opening.measure { _ = try ProgressEngine.openForReading(path, rules: nil) }
            try progress.measure {
                guard try engine.progress(of: learner.name, language: nil, at: at) != nil else {
                    throw BenchmarkError("no progress of \(learner.name)")
                }
            }
            try words.measure { _ = try engine.words(of: learner.name, language: nil, at: at) }
            // The time grows with the number of learners, so fewer rounds are enough.
            if round % 10 == 0 {
                try everyone.measure { try engine.forEachOverview { _ in } }
                try leaderboard.measure { _ = try engine.leaderboard(request) }
                try pastLeaderboard.measure { _ = try engine.leaderboard(past) }
            }
        }
        var report = Report()
        let events = learners.reduce(0) { $0 + $1.learner.eventCount }
        report.add("learner_events", Double(events) / Double(learners.count))
        report.add("open", opening)
        report.add("progress", progress)
        report.add("words", words)
        report.add("learners", everyone)
        report.add("leaderboard", leaderboard)
        report.add("past_leaderboard", pastLeaderboard)
        return report
    }

    /// The leaderboard of a past week, as of noon in its middle. Nearly all learners have later events.
    private func pastRequest(_ learners: Learners) -> LeaderboardRequest {
        let before = learners.latestEventAt - 14 * 86_400_000
        let start = LocalDay(containing: before).weekStart(firstWeekday: 1)
        let noon = Int64(start.number + 2) * 86_400_000 + 43_200_000
        var request = LeaderboardRequest(week: start, instant: Timestamp(milliseconds: noon))
        request.part = .top(10)
        return request
    }
}
