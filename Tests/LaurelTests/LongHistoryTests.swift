// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelResults
import Testing

/// Answers about a learner whose events are read in parts. They equal the answers from events that are in memory.
@Suite struct LongHistoryTests {
    private static let history = LongHistory(events: 4000, seed: 77)
    private static let last = history.instant(3999)

    struct Question: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable (ProgressEngine) throws -> String

        init(_ name: String, _ answer: @escaping @Sendable (ProgressEngine) throws -> String) {
            (testDescription, self.answer) = (name, answer)
        }

        fileprivate static func json(
            _ name: String,
            _ answer: @escaping @Sendable (ProgressEngine) throws -> any Encodable
        ) -> Question {
            Question(name) { String(decoding: try LaurelJSON.encode(try answer($0)), as: UTF8.self) }
        }
    }

    /// The events and their corrections, with a session, a repair, another time zone, and events of the same time.
    private static var lines: [String] {
        let middle = Timestamp.utc(history.instant(2000))
        let retractions = stride(from: 5, to: 4000, by: 700).map { number in
            line(
                "r\(number)",
                "event.retracted",
                at: Timestamp.utc(history.instant(number) + 86_400_000 * 20),
                data: #"{"source":"app","id":"e\#(number)"}"#
            )
        }
        let simultaneous = (0..<9).map { line("same-\($0)", at: middle, source: "s\($0 % 3)") }
        let session = [
            line("s1", at: Timestamp.utc(history.instant(100) + 1000), session: "lesson"),
            line("s2", at: Timestamp.utc(history.instant(3000) + 1000), session: "lesson"),
            line(
                "repair",
                "streak.repaired",
                at: Timestamp.utc(last - 86_400_000 * 3),
                data: #"{"date":"\#(LocalDay(containing: last - 86_400_000 * 5))"}"#
            ),
            line("zone", at: Timestamp.utc(last - 86_400_000 * 8).replacing("Z", with: "+05:00")),
        ]
        return history.lines + retractions + simultaneous + session
    }

    private static let questions: [Question] = [
        Question("export") { try $0.exported(learner: "ana").joined(separator: "\n") },
        Question("export of all") { try $0.exported().joined(separator: "\n") },
        Question("export with pseudonyms") { engine in
            var bytes: [UInt8] = []
            let secret = Array("0123456789abcdef0123456789abcdef".utf8)
            _ = try engine.export(pseudonyms: try Pseudonyms(secret: secret)) { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        },
        .json("one event") { try $0.event("e3500", from: "app", of: "ana") },
        .json("progress") { try $0.learner("ana").tracks(at: Bench.date) },
        .json("progress in the middle") { try $0.learner("ana").tracks(at: Date(milliseconds: history.instant(1900))) },
        .json("sessions") { try $0.learner("ana").sessions(at: Bench.date) },
        .json("session ranking") { try $0.leaderboard(ofSession: "lesson", at: Bench.date) },
        .json("earlier leaderboard") {
            try $0.leaderboard(.allTime, at: Date(milliseconds: history.instant(3000)))
        },
        .json("earlier week") {
            let instant = history.instant(3000)
            let week = try $0.week(of: Timestamp(milliseconds: instant))
            return try $0.leaderboard(.week(of: week), at: Date(milliseconds: instant))
        },
        .json("overviews in the middle") { engine in
            var found: [LearnerOverview] = []
            try engine.forEachLearner(at: Date(milliseconds: history.instant(1900))) { found.append($0) }
            return found
        },
        .json("XP explained") { try $0.learner("ana").explainXP(limit: 50, at: Bench.date) },
        .json("streak explained") { try $0.learner("ana").explainStreak(at: Date(milliseconds: last)) },
        .json("word explained") { try $0.learner("ana").explainWord("w7", at: Bench.date) },
        .json("words") { Array(try $0.learner("ana").words(at: Bench.date)) },
        .json("difference of rules") { engine in
            var options = DiffOptions(at: Bench.date)
            options.listsAll = true
            let other = try Rules(yaml: "version: 1\nxp:\n  line.spoken: 3")
            return try engine.diff(other, options: options).learners
        },
        Question("facts") { engine in
            let at = Timestamp(milliseconds: last)
            let week = engine.weekStart(LocalDay(containing: last - 86_400_000 * 8))
            let period = ReportPeriod(week: week, weeks: 6, at: at)
            let wants: FactSelection = [.streakDays, .buckets, .reviews, .words, .sessions, .reviewLog, .activeDays]
            var answers: [String] = []
            func note(_ facts: LearnerFacts) throws {
                answers.append(String(decoding: try LaurelJSON.encode(facts.words), as: UTF8.self))
                answers.append(String(decoding: try LaurelJSON.encode(facts.sessions), as: UTF8.self))
                answers.append("\(facts.asOf) \(facts.today) \(facts.reviews)")
                for track in facts.tracks {
                    answers.append(
                        "\(track.weekXP) \(track.streakDays) \(track.xp) \(track.reviews) \(track.activeDays)"
                    )
                }
            }
            try note(try #require(try engine.facts(of: "ana", period, wants: wants)))
            try engine.mapFacts(period, wants: wants) {
                $0
            } receive: { facts, _, _ in
                try facts.forEach(note)
            }
            return answers.joined(separator: "\n")
        },
    ]

    @Test func `answers are the same as from events in memory`() throws {
        let benches = try [Backend.sqlite, .sqliteTiny].map { backend in
            let bench = try Bench(backend)
            let (early, late) = (Self.lines.prefix(3800), Self.lines.dropFirst(3800))
            try bench.ingest(early)
            try bench.ingest(late)
            return bench
        }
        for question in Self.questions {
            let answers = try benches.map { try question.answer($0.engine) }
            #expect(answers[0] == answers[1], "\(question.testDescription)")
            #expect(answers[0].count > 20, "\(question.testDescription): \(answers[0])")
        }
        #expect(try benches[0].soundFingerprint() == benches[1].soundFingerprint())
    }
}
