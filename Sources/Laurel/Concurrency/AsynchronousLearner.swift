// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
public import LaurelWire

/// The same questions for tasks; see ``ProgressEngine``.
extension Learner {
    /// Whether the store has events of the learner, whenever they were.
    public func isKnown() async throws -> Bool { try await engine.asking { try isKnown() } }

    /// Streak, XP, level, words and achievements; nil without events (in that language).
    public func progress(language: String? = nil, at date: Date? = nil) async throws -> LearnerProgress? {
        try await engine.asking { try progress(language: language, at: date) }
    }

    /// Progress in all languages together and in each; nil for an unknown learner.
    public func tracks(at date: Date? = nil) async throws -> LearnerTracks? {
        try await engine.asking { try tracks(at: date) }
    }

    /// The languages with events, in byte order.
    public func languages(at date: Date? = nil) async throws -> [String] {
        try await engine.asking { try languages(at: date) }
    }

    /// Known words; see the synchronous call.
    public func words(
        _ filter: WordFilter = WordFilter(),
        language: String? = nil,
        order: WordOrder = .review,
        at date: Date? = nil
    ) async throws -> WordList {
        try await engine.asking { try words(filter, language: language, order: order, at: date) }
    }

    /// How many words there are, by how far they are and by category.
    public func vocabulary(language: String? = nil, at date: Date? = nil) async throws -> VocabularySummary {
        try await engine.asking { try vocabulary(language: language, at: date) }
    }

    /// Sessions, newest first; see the synchronous call.
    public func sessions(
        language: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) async throws -> [Session] {
        try await engine.asking { try sessions(language: language, limit: limit, at: date) }
    }

    /// The latest session of that id, with all that is known of it; nil if there is none.
    public func session(_ session: String, at date: Date? = nil) async throws -> SessionReport? {
        try await engine.asking { try self.session(session, at: date) }
    }

    /// Achievements with progress; see the synchronous call.
    public func achievements(language: String? = nil, at date: Date? = nil) async throws -> [Achievement] {
        try await engine.asking { try achievements(language: language, at: date) }
    }

    /// How long the learner practised; see the synchronous call.
    public func studyTime(
        language: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) async throws -> StudyTime {
        try await engine.asking { try studyTime(language: language, limit: limit, at: date) }
    }

    /// Where XP comes from; see the synchronous call.
    public func explainXP(
        language: String? = nil,
        day: LocalDay? = nil,
        session: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) async throws -> XPExplanation? {
        try await engine.asking {
            try explainXP(language: language, day: day, session: session, limit: limit, at: date)
        }
    }

    /// How an achievement was unlocked, or what it still takes; see the synchronous call.
    public func explainAchievement(
        _ achievement: String,
        language: String? = nil,
        at date: Date? = nil
    ) async throws -> [AchievementExplanation] {
        try await engine.asking { try explainAchievement(achievement, language: language, at: date) }
    }

    /// The streak day by day; see the synchronous call.
    public func explainStreak(
        language: String? = nil,
        around day: LocalDay? = nil,
        at date: Date? = nil
    ) async throws -> StreakExplanation? {
        try await engine.asking { try explainStreak(language: language, around: day, at: date) }
    }

    /// What became of a word; see the synchronous call.
    public func explainWord(
        _ word: String,
        language: String? = nil,
        at date: Date? = nil
    ) async throws -> [WordExplanation] {
        try await engine.asking { try explainWord(word, language: language, at: date) }
    }
}
