// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// An engine with a few learners, and questions about them, in functions and in tasks.
struct School {
    let folder: URL
    let engine: ProgressEngine
    let ana: Learner
    /// 2026-02-06, in the afternoon.
    static let now = Date(timeIntervalSince1970: 1_770_390_000)

    init(_ folder: URL) throws {
        self.folder = folder
        var settings = StoreSettings()
        settings.patience = .seconds(5)
        settings.rulesAppliedAt = Self.now
        use((settings.fileMode, settings.quarantineLimit, settings.learnerMemory))
        engine = try ProgressEngine.open(path: folder.appending(path: "school.db").path, settings: settings)
        ana = engine.learner("ana", timeZone: .gmt, locale: "de_DE")
        use((ana.id, ana.timeZone, ana.locale))
        let events = ["ana", "ben"].flatMap { learner in (0..<4).map { Self.line($0, learner) } }
        tell("stored", try engine.ingest(events, now: Self.now).stored)
        let more = [
            Self.event("w1", "ana", "word.added", ["word": "w1", "text": "Árbol", "translation": "tree"]),
            Self.event("r1", "ana", "review.graded", ["word": "w1", "grade": "good"]),
            Self.event("e1", "ana", "session.ended", ["durationMs": 300_000, "mode": "solo"]),
            Self.event("p1", "ben", "learner.updated", ["displayName": "Ben", "cohort": "a"]),
        ]
        let ndjson = (more.map(\.json) + ["no event"]).joined(separator: "\n")
        let report = try engine.ingest(cloudEvents: Data(ndjson.utf8), now: Self.now)
        tell("and", "\(report.stored), refused \(report.refused)")
    }

    static func event(_ id: String, _ learner: String, _ type: String, _ data: [String: JSONValue]) -> Event {
        Event(
            id: id,
            source: "outside",
            type: type,
            subject: learner,
            time: Timestamp(now.addingTimeInterval(-7200)),
            language: "es",
            session: "s1",
            data: data
        )
    }

    private static func line(_ number: Int, _ learner: String) -> Event {
        var event = event(
            "l\(number)",
            learner,
            "line.spoken",
            ["line": .string("c\(number)"), "accuracy": 0.9, "errors": 1]
        )
        event.time = Timestamp(now.addingTimeInterval(Double(number) * 60 - 86_400 - 7200))
        return event
    }

    func ask() throws {
        let progress = try ana.progress(language: "es", at: Self.now)
        tell("progress", "\(progress?.totalXP ?? 0) XP, streak \(progress?.currentStreak ?? 0)")
        tell("known", "\(try ana.isKnown()), \(try ana.languages(at: Self.now))")
        tell("tracks", try ana.tracks(at: Self.now)?.languages.count ?? 0)
        tell("vocabulary", try ana.vocabulary(language: "es", at: Self.now).known)
        tell("study time", try ana.studyTime(language: "es", at: Self.now).total)
        tell("achievements", try ana.achievements(at: Self.now).contains { $0.isUnlocked })
        tell("sessions", try ana.sessions(limit: 3, at: Self.now).map(\.id))
        var session = try ana.session("s1", at: Self.now)
        session?.mode = "pair"
        use(session?.duration)
        tell("session", "\(session?.linesSpoken ?? 0) lines, \(session?.lines.first?.line ?? "")")
        try askForWords()
        try askForMany()
        let json = try LaurelJSON.encode(progress)
        tell("JSON", try LaurelJSON.decode(LearnerProgress?.self, from: json) == progress)
        use(LaurelJSON.decoder)
    }

    private func askForWords() throws {
        let words = try ana.words(.prefix("arb"), language: "es", order: .alphabetical, at: Self.now)
        tell("words", words.map(\.displayText))
        use((try ana.words(.due, at: Self.now).count, try ana.words(.learned, order: .learned, at: Self.now).count))
        var filter = WordFilter()
        filter.bucket = .learning
        use((filter.category, filter.tag, filter.isDue, filter.isLearned, filter.isFavourite, filter.prefix))
        let matching = words.matching(filter)
        tell("of them", matching[matching.startIndex..<matching.endIndex].map(\.id) + matching.map { "\($0.reviews)" })
        use(words[0].id)
    }

    private func askForMany() throws {
        tell("learners", try engine.learners(order: .xp, limit: 5, at: Self.now).map(\.id))
        tell("ids", try engine.learnerIDs())
        var seen = 0
        try engine.forEachLearner(at: Self.now) { seen += $0.events }
        tell("events of all", seen)
        let week = try engine.week(named: "this", at: Self.now, timeZone: .gmt)
        tell("week", "\(engine.weekName(of: week)), \(try engine.week(of: Self.now, for: "ana") == week)")
        let board = try engine.leaderboard(.week(of: week), language: "es", part: .top(3), at: Self.now)
        tell("leaderboard", board?.rows.map(\.learner) ?? [])
        let around = LeaderboardPart.around(learner: "ben", count: 1)
        tell("around", try engine.leaderboard(.allTime, part: around, at: Self.now)?.rows.map(\.rank) ?? [])
        tell("of the session", try engine.leaderboard(ofSession: "s1", at: Self.now)?.participants ?? 0)
    }

    func askInTask() async throws {
        let same = try await engine.read { _ in try ana.progress(language: "es", at: Self.now) }
        tell("in a task", "\(same?.totalXP ?? 0) XP")
    }

    func explain() throws {
        tell("why so much", try ana.explainXP(language: "es", at: Self.now)?.totalXP ?? 0)
        tell("why a streak", try ana.explainStreak(language: "es", at: Self.now)?.days.count ?? 0)
        let word = try ana.explainWord("w1", at: Self.now).first
        tell("why a word is there", word?.steps.count ?? 0)
        tell("days and recall at its reviews", word?.steps.map { ($0.daysSinceReview, $0.recall, $0.fittedAt) } ?? [])
        tell("recall now, when due, and as wanted", [word?.recall, word?.recallWhenDue, word?.desiredRetention])
        tell("its parameters", (word?.parameters ?? [], word?.fit?.id))
        let id = try ana.achievements(at: Self.now).first?.id ?? ""
        let balance = try ana.explainBalance("gems", at: Self.now)
        use(balance.map { ($0.learner, $0.currency, $0.balance) })
        use(balance?.changes.map { ($0.kind, $0.name, $0.amount, $0.event) })
        tell("why a balance", balance == nil)
        tell("why an achievement", try ana.explainAchievement(id, at: Self.now).isEmpty)
    }

    func watch() async throws {
        let before = 0
        let changes = try engine.changes(since: CommitPosition(before))
        tell("changed", "\(try changed()), \(changes.commit)")
        var one = engine.changes(of: "ana", language: "es", timeZone: .gmt).makeAsyncIterator()
        tell("now", try await one.next()??.learner ?? "nobody")
        var all = engine.changes().makeAsyncIterator()
        tell("everyone", try await all.next()?.everyone ?? false)
    }

    private func changed() throws -> [String] { try engine.changes(since: 0).learners.sorted() }
}
