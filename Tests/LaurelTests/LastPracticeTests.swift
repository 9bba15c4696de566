// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Testing

/// The latest practice in lists of learners: the latest event that can make a day count.
@Suite struct LastPracticeTests {
    private static func event(_ id: Int, _ type: String, day: Int, _ data: String = "{}") -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"ana","time":"2026-02-0\#(day)T18:00:00Z","#
            + #""language":"es","data":\#(data)}"#
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let streak: String
        /// The type of an event three days after the only spoken line.
        let type: String
        var data = "{}"
        let isPractice: Bool
    }

    private static let counted = "when: day.practice >= 1"

    @Test(
        arguments: Backend.allCases,
        [
            Row(
                testDescription: "a profile",
                streak: counted,
                type: "learner.updated",
                data: #"{"displayName":"Ana"}"#,
                isPractice: false
            ),
            Row(
                testDescription: "a repaired streak",
                streak: counted,
                type: "streak.repaired",
                data: #"{"date":"2026-02-01"}"#,
                isPractice: false
            ),
            Row(
                testDescription: "an adjustment",
                streak: counted,
                type: "xp.adjusted",
                data: #"{"amount":5}"#,
                isPractice: false
            ),
            Row(
                testDescription: "a type that no metric of the streak counts",
                streak: counted,
                type: "hint.used",
                isPractice: false
            ),
            Row(testDescription: "a type that one counts", streak: counted, type: "help.given", isPractice: true),
            Row(
                testDescription: "too few for a day",
                streak: "when: day.practice >= 9",
                type: "help.given",
                isPractice: true
            ),
            Row(
                testDescription: "any practice where XP makes the day",
                streak: "when: day.xp >= 10",
                type: "hint.used",
                isPractice: true
            ),
            Row(
                testDescription: "a profile where XP makes the day",
                streak: "when: day.xp >= 10",
                type: "level.declared",
                data: #"{"level":"A2"}"#,
                isPractice: false
            ),
            Row(testDescription: "an unknown type without a streak", streak: "", type: "quest.done", isPractice: true),
            Row(
                testDescription: "a profile without a streak",
                streak: "",
                type: "learner.updated",
                data: #"{"cohort":"a"}"#,
                isPractice: false
            ),
        ]
    )
    func `is no bookkeeping`(backend: Backend, row: Row) throws {
        let streak = row.streak.isEmpty ? "" : "streak: {\(row.streak)}\n"
        let bench = try Bench(
            backend,
            rules:
                "version: 1\nmetrics: {practice: {count: [line.spoken, help.given]}}\n\(streak)xp: [{id: l, on: line.spoken, award: 10}]\n"
        )
        try bench.ingest([Self.event(1, "line.spoken", day: 1), Self.event(2, row.type, day: 4, row.data)])
        let (first, later) = (try Timestamp("2026-02-01T18:00:00Z").date, try Timestamp("2026-02-04T18:00:00Z").date)
        let expected = row.isPractice ? later : first
        for date in [nil, Bench.date] {
            let learner = try #require(try bench.engine.learners(at: date).first)
            #expect(learner.lastPracticeAt == expected)
            #expect(learner.lastEventAt == later)
        }
        let wasActive = row.streak == Self.counted
        let learner = try #require(try bench.engine.learners(limit: 5).first)
        #expect(
            learner.currentStreak
                == (wasActive && (!row.isPractice || row.type == "help.given" && row.streak == Self.counted) ? 1 : 0)
        )
        #expect(try bench.engine.classMembers(at: later).map(\.lastPracticeAt) == [expected])
        _ = try bench.soundFingerprint()
    }

    @Test func `is kept in snapshots and goes with a replay`() throws {
        let bench = try Bench(.sqliteTiny)
        try bench.ingest([Self.event(1, "line.spoken", day: 1)])
        for day in 2...5 {
            try bench.ingest([Self.event(day, "learner.updated", day: day, #"{"displayName":"A\#(day)"}"#)])
        }
        let first = try Timestamp("2026-02-01T18:00:00Z").date
        #expect(try bench.engine.learners().map(\.lastPracticeAt) == [first])
        try bench.engine.replay()
        #expect(try bench.engine.learners().map(\.lastPracticeAt) == [first])
        #expect(try bench.engine.learners(order: .recent).map(\.currentStreak) == [1])
    }
}
