// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelStore
import Testing

/// Explanations of XP name the limits that events exceed.
@Suite struct FlagExplanationTests {
    private static let rules = """
        version: 1
        plausible:
          line.spoken: {at_most: 1, per: minute}
          hint.used: {at_most: 0, per: day}
        xp: [{id: line, on: line.spoken, award: 10}]
        """
    private static let end = try! Timestamp("2026-02-20T12:00:00Z")

    private static let lines =
        ["10:00:00", "10:00:10", "10:00:20"].enumerated().map { index, time in
            line("\(index)", at: "2026-02-05T\(time)Z")
        }
        + [
            line("h", "hint.used", at: "2026-02-05T11:00:00Z"),
            line("c", "flag.cleared", at: "2026-02-05T12:00:00Z", data: #"{"source":"app","id":"2"}"#),
        ]

    @Test func `each event has its limit`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.ingest(Self.lines)
        let learner = bench.engine.learner("ana", at: Self.end)
        let all = try #require(try learner.explainXP(at: Self.end.date))
        let limit = EventReference.Flag(atMost: 1, per: "minute", isCleared: false)
        let cleared = EventReference.Flag(atMost: 1, per: "minute", isCleared: true)
        #expect(all.events.map(\.event.flag) == [nil, limit, cleared])
        let flagged = try #require(try learner.explainXP(flagged: true, at: Self.end.date))
        #expect(flagged.events.map(\.event.id) == ["1", "2", "h"] && flagged.totalXP == 20)
        #expect(flagged.events.last?.event.flag == EventReference.Flag(atMost: 0, per: "day", isCleared: false))
        let json = String(decoding: try LaurelJSON.encode(flagged), as: UTF8.self)
        #expect(json.contains(#""flag":{"atMost":1,"per":"minute","isCleared":true}"#), "\(json)")
        #expect(!String(decoding: try LaurelJSON.encode(all.events[0]), as: UTF8.self).contains("flag"))
    }

    /// Explanations, progress and leaderboards agree.
    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: UInt64(611)...614)
    func `of random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400, "--games")
        let now = try Timestamp("2027-01-01T00:00:00Z")
        let bench = try Bench(.sqliteTiny, rules: String(decoding: try contents(stream.rules), as: UTF8.self))
        try bench.ingest(contents(stream.events), now: now.milliseconds)
        var subjects: [String] = []
        try bench.engine.forEachOverview { subjects.append(String(decoding: $0.learner.subject, as: UTF8.self)) }
        let board = try #require(try bench.engine.leaderboard(LeaderboardRequest(week: nil, instant: now)))
        for learner in subjects.map({ bench.engine.learner($0, at: now) }) {
            let tracks = try #require(try learner.tracks(at: now.date))
            for progress in [tracks.overall] + tracks.languages {
                let found = try learner.explainXP(language: progress.language, flagged: true, at: now.date)
                let events = try #require(found).events.filter { $0.event.flag?.isCleared == false }
                let place: Comment = "seed \(seed), \(learner.id) \(progress.language ?? "*")"
                #expect(events.count == progress.flaggedEvents ?? 0, place)
                #expect(events.reduce(0) { $0 + $1.xp } == progress.flaggedXP ?? 0, place)
            }
            guard let row = board.rows.first(where: { $0.learner.utf8.elementsEqual(learner.id.utf8) }) else {
                continue
            }
            #expect(row.xp == tracks.overall.totalXP - (tracks.overall.flaggedXP ?? 0), "seed \(seed), \(learner.id)")
        }
    }
}
