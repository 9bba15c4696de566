public import Foundation
public import LaurelProgress

/// The same questions for tasks; see ``ProgressEngine``.
extension Learner {
    /// Streak, XP, level, words and achievements; nil without events (in that language).
    public func progress(language: String? = nil, at date: Date? = nil) async throws -> UserProgress? {
        try await engine.asking { try progress(language: language, at: date) }
    }

    /// The languages with events, in byte order.
    public func languages(at date: Date? = nil) async throws -> [String] {
        try await engine.asking { try languages(at: date) }
    }

    /// Words whose next review is due, the longest overdue first.
    public func dueForReview(
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) async throws -> [VocabularyEntry] {
        try await engine.asking { try dueForReview(language: language, limit: limit, at: date) }
    }

    /// Words that begin so, or whose id does; by word. Case, diacritics and width matter in neither.
    public func searchByWord(
        _ query: String,
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) async throws -> [VocabularyEntry] {
        try await engine.asking { try searchByWord(query, language: language, limit: limit, at: date) }
    }

    /// Every known word, by word; see the synchronous call.
    public func vocabulary(
        language: String? = nil,
        tag: String? = nil,
        favourites: Bool = false,
        at date: Date? = nil
    ) async throws -> [VocabularyEntry] {
        try await engine.asking { try vocabulary(language: language, tag: tag, favourites: favourites, at: date) }
    }

    /// How many words there are, by how far they are.
    public func vocabularyStats(language: String? = nil, at date: Date? = nil) async throws -> VocabularyStats {
        try await engine.asking { try vocabularyStats(language: language, at: date) }
    }

    /// Learned words, in the order in which they were learned; see the synchronous call.
    public func completedWords(
        language: String? = nil,
        category: String? = nil,
        at date: Date? = nil
    ) async throws -> [VocabularyEntry] {
        try await engine.asking { try completedWords(language: language, category: category, at: date) }
    }

    /// How many of all words are completed, per language and category.
    public func categories(language: String? = nil, at date: Date? = nil) async throws -> [CategoryProgress] {
        try await engine.asking { try categories(language: language, at: date) }
    }

    /// Sessions, newest first.
    public func sessionHistory(
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) async throws -> [SavedSession] {
        try await engine.asking { try sessionHistory(language: language, limit: limit, at: date) }
    }

    /// The latest session of that id.
    public func session(_ session: String, at date: Date? = nil) async throws -> SavedSession? {
        try await engine.asking { try self.session(session, at: date) }
    }

    /// Achievements with progress, in the order of the rules; hidden ones from when they are unlocked.
    public func achievements(language: String? = nil, at date: Date? = nil) async throws -> [Achievement] {
        try await engine.asking { try achievements(language: language, at: date) }
    }

    /// How long the learner practised, in total and per day.
    public func studyTime(language: String? = nil, at date: Date? = nil) async throws -> StudyTime {
        try await engine.asking { try studyTime(language: language, at: date) }
    }
}
