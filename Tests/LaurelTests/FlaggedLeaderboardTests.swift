// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelResults
import LaurelStore
import Testing

/// Leaderboards leave out the XP of flagged events.
@Suite struct FlaggedLeaderboardTests {
    private static let rules = """
        version: 1
        plausible: {line.spoken: {at_most: 1, per: minute}}
        xp: [{id: line, on: line.spoken, award: 10}]
        """

    /// Two learners with two plausible lines each. `fast` reached them first, and has two flagged lines later.
    private static let lines =
        ["08:00:00", "09:00:00", "09:00:10", "09:00:20"].enumerated().map { index, time in
            line("\(index)", at: "2026-02-05T\(time)Z", by: "fast", session: "s")
        }
        + ["08:30:00", "10:00:00"].enumerated().map { index, time in
            line("\(index)", at: "2026-02-05T\(time)Z", by: "slow", session: "s")
        }

    private static func ranked(_ engine: ProgressEngine, _ week: Bool, at instant: Timestamp) throws -> [String] {
        let day = week ? LocalDay(parsing: "2026-02-05".utf8) : nil
        let board = try #require(try engine.leaderboard(LeaderboardRequest(week: day, instant: instant)))
        return board.rows.map { "\($0.rank) \($0.learner) \($0.xp)" }
    }

    @Test(arguments: Backend.allCases) func `without flagged XP`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        let end = try Timestamp("2026-02-08T00:00:00Z")
        func check(_ expected: [String], at instant: Timestamp, _ step: String) throws {
            for week in [true, false] {
                #expect(try Self.ranked(bench.engine, week, at: instant) == expected, "\(step)")
            }
            let session = try #require(try bench.engine.leaderboard(ofSession: "s", at: instant.date))
            #expect(session.rows.map { "\($0.rank) \($0.learner) \($0.xp)" } == expected, "\(step)")
        }
        try bench.ingest(Self.lines)
        try check(["1 fast 20", "1 slow 20"], at: end, "at the end")
        try check(["1 fast 20", "2 slow 10"], at: try Timestamp("2026-02-05T09:30:00Z"), "before the latest event")
        let cleared = line(
            "c",
            "flag.cleared",
            at: "2026-02-06T08:00:00Z",
            by: "fast",
            data: #"{"source":"app","id":"3"}"#
        )
        try bench.ingest([cleared])
        try check(["1 fast 30", "2 slow 20"], at: end, "a flag is cleared")
        try check(["1 fast 20", "1 slow 20"], at: try Timestamp("2026-02-05T12:00:00Z"), "before it was cleared")
        let retracted = line(
            "r",
            "event.retracted",
            at: "2026-02-06T09:00:00Z",
            by: "fast",
            data: #"{"source":"app","id":"c"}"#
        )
        try bench.ingest([retracted])
        try check(["1 fast 20", "1 slow 20"], at: end, "the clearance is retracted")
        try bench.use(rules: "version: 1\nxp: [{id: line, on: line.spoken, award: 1}]\n")
        try check(["1 fast 4", "2 slow 2"], at: end, "under rules without limits")
    }

    /// Flagged XP at another instant would give another order of learners with equal XP.
    @Test func `flagged XP does not say when XP was reached`() throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        try bench.ingest(Self.lines)
        let end = try Timestamp("2026-02-08T00:00:00Z")
        let board = try #require(try bench.engine.leaderboard(LeaderboardRequest(week: nil, instant: end)))
        #expect(board.rows.first?.learner == "fast")
        #expect(board.rows.first?.reachedAt?.milliseconds == (try Timestamp("2026-02-05T09:00:00Z")).milliseconds)
    }
}
