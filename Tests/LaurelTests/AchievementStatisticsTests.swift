// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import Testing

/// Holders, times and candidates of achievements, compared with the achievements of each learner.
@Suite struct AchievementStatisticsTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}, words: {count: word.added}}
        xp: [{id: line, on: line.spoken, award: 10}]
        achievements:
          - {id: talker, name: Talker, value: total.lines, at_least: [12, 30]}
          - {id: speaker, value: total.lines, at_least: 8, scope: language, hidden: true}
          - {id: nobody, value: total.words, at_least: 5}
        """

    private func line(_ id: Int, _ learner: String, _ hour: Int, _ type: String = "line.spoken") -> String {
        let day = hour / 24 < 9 ? "0\(hour / 24 + 1)" : "\(hour / 24 + 1)"
        let clock = hour % 24 < 10 ? "0\(hour % 24)" : "\(hour % 24)"
        return #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","#
            + #""time":"2026-02-\#(day)T\#(clock):00:00Z","language":"\#(id % 3 == 0 ? "ja" : "es")"}"#
    }

    /// Learners with 1, 3, 5 … lines, each an hour after the other.
    private var lines: [String] {
        (0..<20).flatMap { number in
            (0...2 * number).map { line($0, "learner-\(10 + number)", 3 * number + $0) }
        }
    }

    @Test(arguments: Backend.allCases) func `as each one's achievements say`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(lines)
        let cohorts = (0..<10).map {
            #"{"id":"c","source":"app","type":"learner.updated","subject":"learner-\#(10 + $0)","#
                + #""time":"2026-02-28T00:00:00Z","data":{"cohort":"a","displayName":"Name \#($0)"}}"#
        }
        try bench.ingest(cohorts)
        try check(bench, "the store's rules")
        try bench.use(rules: Self.rules.replacing("at_least: [12, 30]", with: "at_least: [10, 20]"))
        try check(bench, "other rules")
    }

    private func check(_ bench: Bench, _ name: String) throws {
        for cohort in [nil, "a", "none"] {
            let found = try bench.engine.achievementStatistics(cohort: cohort, candidates: 4, at: Bench.date)
            #expect(found.map(\.id) == ["talker", "speaker", "nobody"])
            #expect(found.map(\.isHidden) == [false, true, false])
            let numbers = cohort == nil ? 0..<20 : cohort == "a" ? 0..<10 : 0..<0
            for statistics in found {
                try check(statistics, numbers.map { "learner-\(10 + $0)" }, bench, "\(name), \(cohort ?? "all")")
            }
        }
    }

    private func check(_ found: AchievementStatistics, _ ids: [String], _ bench: Bench, _ name: String) throws {
        var times: [Int64] = []
        var near: [(id: String, progress: Double)] = []
        for id in ids {
            // Locked hidden achievements are only in the projection.
            let learner = try #require(try bench.store.read { try $0.learner(named: Array(id.utf8)) })
            let lines = lines.filter { $0.contains(#""subject":"\#(id)""#) }
            #expect(learner.eventCount >= lines.count)
            let all = try bench.engine.learner(id).achievements(at: Bench.date).filter { $0.id == found.id }
            let first = try JSONLine(lines[0]).instant.milliseconds
            if let date = all.filter(\.isUnlocked).compactMap(\.unlockedAt).min() {
                times.append(date.milliseconds - first)
            } else if found.id != "speaker", let best = all.map(\.progress).max(), best > 0 {
                near.append((id, best))
            }
        }
        #expect(found.learners == ids.count && found.holders == times.count, "\(name): \(found)")
        times.sort()
        let half = times.count / 2
        let median = times.isEmpty ? nil : times.count % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2
        #expect(found.medianTime == median, "\(name): \(found)")
        guard found.id != "speaker" else { return }
        near.sort { $0.progress > $1.progress }
        #expect(found.next.map(\.learner) == near.prefix(4).map(\.id), "\(name): \(found)")
        #expect(found.next.map(\.progress) == near.prefix(4).map(\.progress), "\(name)")
    }

    @Test func `an empty store`() throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        let found = try bench.engine.achievementStatistics(at: Bench.date)
        #expect(found.count == 3 && found.allSatisfy { $0.holders == 0 && $0.medianTime == nil && $0.next.isEmpty })
    }
}
