import Laurel
import LaurelEvents
import LaurelStore

/// Opening a store, and what an app asks of it.
struct Reading {
    let path: String
    let count: Int

    func run() throws -> Report {
        let engine = try ProgressEngine.openForReading(path, rules: nil)
        let all = try Learners(of: engine)
        let learners = all.ordinary(count)
        var request = LeaderboardRequest(week: nil, instant: Timestamp(milliseconds: all.latestEventAt))
        request.part = .top(10)
        var (opening, progress, words) = (Latencies(), Latencies(), Latencies())
        var (everyone, leaderboard) = (Latencies(), Latencies())
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
            // Grows with the number of learners, so fewer will do.
            if round % 10 == 0 {
                try everyone.measure { try engine.forEachOverview { _ in } }
                try leaderboard.measure { _ = try engine.leaderboard(request) }
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
        return report
    }
}
