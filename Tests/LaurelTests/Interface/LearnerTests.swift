// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient
import Testing

/// Apps' questions, through the public interface only.
@Suite struct LearnerTests {
    private let engine: ProgressEngine
    private let ana: Learner
    private static let at = date("2026-02-10T12:00:00Z")

    private static func date(_ text: String) -> Date { ISO8601DateFormatter().date(from: text)! }

    private static let rules = """
        version: 1
        name: small
        metrics:
          lines: {count: line.spoken}
        streak: {when: day.lines >= 1}
        xp:
          - {id: line, bucket: lines, on: line.spoken, award: 10}
          - {id: session, bucket: sessions, on: session.ended, award: 50}
        achievements:
          - {id: talker, name: Talker, description: Speak, category: SOCIAL, value: total.lines, at_least: [2, 4]}
          - {id: secret, name: Secret, value: total.lines, at_least: 3, hidden: true}
          - {id: fluent, name: Fluent, scope: language, value: total.lines, at_least: 4}

        """

    private static let lines = [
        (
            #""type":"learner.updated","time":"2026-02-01T10:00:00Z","data":{"displayName":"Ana","dailyGoalMinutes":30}"#,
            nil
        ),
        (
            #""type":"session.started","session":"s1","time":"2026-02-01T10:00:00Z","data":{"mode":"host","scenario":"cafe","partner":"leo"}"#,
            "es"
        ),
        (
            #""type":"line.spoken","session":"s1","time":"2026-02-01T10:01:00Z","data":{"line":"l1","role":"guest","text":"Hola","translation":"Hello","accuracy":0.9,"errors":1}"#,
            "es"
        ),
        (#""type":"line.skipped","session":"s1","time":"2026-02-01T10:02:00Z","data":{"line":"l2"}"#, "es"),
        (
            #""type":"word.added","session":"s1","time":"2026-02-01T10:03:00Z","data":{"word":"w1","text":"Árbol","translation":"tree","category":"nature","partOfSpeech":"NOUN"}"#,
            "es"
        ),
        (
            #""type":"word.added","session":"s1","time":"2026-02-01T10:04:00Z","data":{"word":"w2","text":"arena","category":"nature"}"#,
            "es"
        ),
        (
            #""type":"word.added","session":"s1","time":"2026-02-01T10:05:00Z","data":{"word":"w3","text":"mesa","category":"home"}"#,
            "es"
        ),
        (#""type":"session.ended","session":"s1","time":"2026-02-01T10:12:30Z","data":{}"#, "es"),
        (#""type":"review.graded","time":"2026-02-02T10:00:00Z","data":{"word":"w1","grade":"easy"}"#, "es"),
        (#""type":"word.learned","time":"2026-02-03T10:00:00Z","data":{"word":"w2"}"#, "es"),
        (#""type":"line.spoken","session":"s2","time":"2026-02-02T10:00:00Z","data":{"line":"l1"}"#, "fr"),
        (#""type":"word.learned","time":"2026-02-04T10:00:00Z","data":{"word":"f1"}"#, "fr"),
        (#""type":"session.ended","session":"s2","time":"2026-02-02T10:10:00Z","data":{"durationMs":600000}"#, "fr"),
    ]

    init() throws {
        engine = try ProgressEngine.inMemory(rules: Rules(yaml: Self.rules))
        let events = Self.lines.enumerated().map { index, line in
            let language = line.1.map { #","language":"\#($0)""# } ?? ""
            return #"{"id":"\#(index)","source":"app","subject":"ana",\#(line.0)\#(language)}"#
        }
        let report = try engine.ingest(cloudEvents: Data(events.joined(separator: "\n").utf8), now: Self.at)
        #expect((report.read, report.stored, report.refused) == (13, 13, 0), "\(report.problems)")
        ana = engine.learner("ana", timeZone: .gmt)
    }

    @Test func `progress per learner and language`() throws {
        let overall = try #require(try ana.progress(at: Self.at))
        #expect((overall.learner, overall.displayName, overall.language) == ("ana", "Ana", nil))
        #expect((overall.totalXP, overall.totalSessions, overall.totalMinutesPlayed) == (120, 2, 22))
        #expect((overall.longestStreak, overall.lastActivityDate) == (2, LocalDay(year: 2026, month: 2, day: 2)))
        #expect((overall.dailyGoalMinutes, overall.multiplayerSessions, overall.soloSessions) == (30, 1, 1))
        let spanish = try #require(try ana.progress(language: "es", at: Self.at))
        #expect((spanish.totalXP, spanish.totalWordsKnown, spanish.totalWordsLearned) == (60, 3, 1))
        #expect(try ana.progress(language: "de", at: Self.at) == nil)
        #expect(try ana.languages(at: Self.at) == ["es", "fr"])
        // As of a past instant.
        #expect(try ana.progress(at: Self.date("2026-02-01T10:01:30Z"))?.totalXP == 10)
    }

    @Test func `due reviews, oldest first, with a limit`() throws {
        #expect(try ana.words(.due, language: "es", at: Self.at).map(\.id) == ["w2", "w3", "w1"])
        #expect(try ana.words(.due, language: "es", at: Self.at).prefix(2).map(\.id) == ["w2", "w3"])
        #expect(try ana.words(.due, language: "es", at: Self.date("2026-02-02T12:00:00Z")).map(\.id) == ["w2", "w3"])
    }

    @Test(arguments: [
        ("ar", ["w1", "w2"]), ("ÁR", ["w1", "w2"]), ("are", ["w2"]), ("W3", ["w3"]), ("x", []),
        ("", ["w2", "w3", "w1"]),
    ])
    func `search by prefix, whatever the case and the diacritics`(query: String, ids: [String]) throws {
        #expect(try ana.words(.prefix(query), language: "es", at: Self.at).map(\.id).sorted() == ids.sorted())
    }

    @Test func `a vocabulary by tag and favourite, in the order of its words`() throws {
        let engine = try ProgressEngine.inMemory(rules: Rules(yaml: Self.rules))
        let words = [
            ("nube", #""tags":["sky"]"#), ("ñandú", #""tags":["bird","big"],"favourite":true"#),
            ("Nido", #""tags":["bird"]"#),
        ]
        let events = words.enumerated().map { index, word in
            #"{"id":"\#(index)","source":"app","subject":"ana","type":"word.added","time":"2026-02-0\#(index + 1)T10:00:00Z","#
                + #""data":{"word":"w\#(index)","text":"\#(word.0)",\#(word.1)}}"#
        }
        _ = try engine.ingest(cloudEvents: Data(events.joined(separator: "\n").utf8), now: Self.at)
        let ana = engine.learner("ana", timeZone: .gmt)
        #expect(try ana.words(order: .alphabetical, at: Self.at).map(\.displayText) == ["ñandú", "Nido", "nube"])
        #expect(
            try ana.words(.prefix("n"), order: .alphabetical, at: Self.at).map(\.displayText) == [
                "ñandú", "Nido", "nube",
            ]
        )
        var filter = WordFilter()
        filter.tag = "bird"
        #expect(
            try ana.words(filter, order: .alphabetical, at: Self.at).map(\.tags) == [["bird", "big"], ["bird"]]
        )
        filter.isFavourite = true
        #expect(try ana.words(filter, at: Self.at).map(\.displayText) == ["ñandú"])
        filter.tag = "sky"
        #expect(try ana.words(filter, at: Self.at).isEmpty)
    }

    @Test func `who took part in a session, and how it went`() throws {
        let board = try #require(try engine.leaderboard(ofSession: "s1", at: Self.at))
        #expect(board.rows.map(\.learner) == ["ana"] && board.rows.map(\.rank) == [1] && board.participants == 1)
        let session = try #require(try ana.session("s1", at: Self.at))
        #expect((board.rows[0].xp, board.rows[0].accuracy) == (60, 0.9))
        #expect((session.xpEarned, session.accuracy, session.linesSkipped) == (60, 0.9, 1))
        #expect(session.newWords.map(\.text) == ["Árbol", "arena", "mesa"] && session.mistakes.isEmpty)
        #expect(try engine.leaderboard(ofSession: "none", at: Self.at)?.rows == [])
    }

    @Test func `an entry has its schedule`() throws {
        let entry = try #require(try ana.words(.prefix("árb"), at: Self.at).first)
        #expect(
            (entry.text, entry.translation, entry.partOfSpeech, entry.category) == ("Árbol", "tree", "NOUN", "nature")
        )
        #expect((entry.mastery, entry.reviews, entry.correctReviews, entry.intervalDays) == (1, 1, 1, 3))
        #expect(entry.firstSeenAt == Self.date("2026-02-01T10:03:00Z"))
        #expect(entry.lastReviewedAt == Self.date("2026-02-02T10:00:00Z"))
        #expect(entry.nextReviewAt == Self.date("2026-02-05T10:00:00Z"))
        #expect(entry.isDue && !entry.isLearned && entry.learnedAt == nil && entry.encounters == 0)
    }

    @Test func `the vocabulary in numbers`() throws {
        let stats = try ana.vocabulary(language: "es", at: Self.at)
        #expect((stats.known, stats.mastery.new, stats.mastery.learning, stats.mastery.reviewing) == (3, 2, 1, 0))
        #expect((stats.mastery.mastered, stats.learned, stats.due) == (0, 1, 3))
        #expect(try ana.vocabulary(at: Self.at).known == 4)
    }

    @Test func `completed words, per category and language`() throws {
        #expect(try ana.words(.learned, order: .learned, at: Self.at).map(\.id) == ["w2", "f1"])
        var filter = WordFilter.learned
        filter.category = "nature"
        let completed = try ana.words(filter, language: "es", at: Self.at)
        #expect(completed.map(\.learnedAt) == [Self.date("2026-02-03T10:00:00Z")])
        let categories = try ana.vocabulary(at: Self.at).categories
        #expect(categories.map(\.language) == ["es", "es", "fr"])
        #expect(categories.map(\.category) == ["home", "nature", nil])
        #expect(categories.map(\.learned) == [0, 1, 1])
        #expect(categories.map(\.known) == [1, 2, 1])
    }

    @Test func `session history with statistics and dialog lines`() throws {
        let sessions = try ana.sessions(at: Self.at)
        #expect(sessions.map(\.id) == ["s2", "s1"])
        #expect(try ana.sessions(language: "es", at: Self.at).map(\.id) == ["s1"])
        #expect(try ana.sessions(limit: 1, at: Self.at).map(\.id) == ["s2"])
        let session = try #require(try ana.session("s1", at: Self.at))
        #expect((session.scenario, session.duration, session.partner) == ("cafe", .seconds(750), "leo"))
        #expect((session.mode, session.linesSpoken, session.newVocabulary) == ("host", 1, 3))
        #expect(session.xpBreakdown == ["lines": 10, "sessions": 50])
        #expect(session.lines.map(\.line) == ["l1", "l2"])
        #expect(session.lines.map(\.isSkipped) == [false, true])
        #expect(session.lines[0].text == "Hola")
        #expect(try ana.session("s9", at: Self.at) == nil)
    }

    @Test func `achievements, hidden ones from when they are unlocked`() throws {
        let achievements = try ana.achievements(at: Self.at)
        #expect(achievements.map(\.id) == ["talker", "fluent", "fluent"])
        let talker = achievements[0]
        #expect((talker.name, talker.description, talker.category) == ("Talker", "Speak", "SOCIAL"))
        #expect((talker.tier, talker.tiers, talker.progress) == (1, 2, 0.5))
        #expect(talker.isUnlocked && !talker.isComplete)
        #expect(talker.unlockedAt == Self.date("2026-02-02T10:00:00Z"))
        #expect(try ana.achievements(language: "fr", at: Self.at).map(\.progress) == [0.25])
        try engine.ingest(
            [
                Event(
                    id: "x",
                    source: "app",
                    type: "line.spoken",
                    subject: "ana",
                    time: Timestamp("2026-02-05T10:00:00Z")
                )
            ],
            now: Self.at
        )
        #expect(try ana.achievements(at: Self.at).map(\.id) == ["talker", "secret", "fluent", "fluent"])
    }

    @Test func `study time, in total and per day`() throws {
        let time = try ana.studyTime(at: Self.at)
        #expect(time.total == .seconds(750 + 600))
        #expect(time.days.map(\.day.description) == ["2026-02-04", "2026-02-03", "2026-02-02", "2026-02-01"])
        #expect(time.days.map(\.duration) == [.zero, .zero, .seconds(600), .seconds(750)])
        #expect(time.days.map(\.isActive) == [false, false, true, true])
        #expect(try ana.studyTime(language: "fr", at: Self.at).total == .seconds(600))
    }

    @Test func `a learner without events has nothing yet`() throws {
        let ben = engine.learner("ben")
        #expect(try ben.progress() == nil)
        #expect(try ben.words().isEmpty && ben.achievements().isEmpty && ben.sessions().isEmpty)
        #expect(try ben.studyTime() == engine.learner("cleo").studyTime())
        #expect(try engine.learnerIDs() == ["ana"])
    }

    @Test func `today is the learner's own`() throws {
        let night = Self.date("2026-02-02T23:30:00Z")
        let tokyo = engine.learner("ana", timeZone: Foundation.TimeZone(identifier: "Asia/Tokyo")!)
        #expect(try engine.learner("ana", timeZone: .gmt).progress(at: night)?.todayMinutes == 10)
        #expect(try tokyo.progress(at: night)?.todayMinutes == 0)
    }
}
