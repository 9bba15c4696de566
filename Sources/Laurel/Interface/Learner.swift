public import Foundation
import LaurelEvents
public import LaurelProgress

/// All that an app asks about one learner.
///
/// Every answer is as of an instant, now where none is given, and folded from the learner's events up to then. A learner without
/// events has no progress and empty lists. `language` nil means all languages together.
///
/// The methods keep the calling thread for some milliseconds; tasks call their asynchronous forms, with `await`. They throw ``EngineError``.
/// - Complexity: O(events of the learner), for ``progress(language:at:)`` only those since the learner's snapshot.
public struct Learner: Sendable {
    public let id: String
    /// Decides which day is today.
    public let timeZone: Foundation.TimeZone
    let engine: ProgressEngine

    /// Streak, XP, level, words and achievements; nil without events (in that language).
    public func progress(language: String? = nil, at date: Date? = nil) throws(EngineError) -> UserProgress? {
        try EngineError.translating { try engine.progress(of: id, language: language, at: instant(date)) }
    }

    /// The languages with events, in byte order.
    public func languages(at date: Date? = nil) throws(EngineError) -> [String] {
        try EngineError.translating {
            try engine.allProgress(of: id, at: instant(date))?.compactMap(\.language) ?? []
        }
    }

    /// The instant with the offset of the learner's clock.
    private func instant(_ date: Date?) -> Timestamp {
        let date = date ?? Date()
        return Timestamp(
            milliseconds: ProgressEngine.milliseconds(date),
            offset: .minutes(Int16(timeZone.secondsFromGMT(for: date) / 60))
        )
    }
}

// MARK: Words

extension Learner {
    /// Words whose next review is due, the longest overdue first.
    public func dueForReview(
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) throws(EngineError) -> [VocabularyEntry] {
        try words(language, date).lazy.prefix { $0.due }.prefix(max(limit, 0)).map(VocabularyEntry.init)
    }

    /// Words that begin so, or whose id does; by word. Case, diacritics and width matter in neither.
    public func searchByWord(
        _ query: String,
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) throws(EngineError) -> [VocabularyEntry] {
        let prefix = FoldedPrefix(query)
        let words = try words(language, date)
        return words.inWordOrder(words.indices.filter { prefix.begins(words[$0]) }).prefix(max(limit, 0))
            .map { VocabularyEntry(words[$0]) }
    }

    /// Every known word, by word; case and diacritics do not matter.
    /// - Parameters:
    ///   - tag: only words that have it, exactly as written.
    ///   - favourites: only the learner's favourites.
    public func vocabulary(
        language: String? = nil,
        tag: String? = nil,
        favourites: Bool = false,
        at date: Date? = nil
    ) throws(EngineError) -> [VocabularyEntry] {
        let words = try words(language, date)
        let wanted = words.indices.filter { index in
            let word = words[index]
            return (!favourites || word.favourite) && tag.map { word.tags.contains($0) } ?? true
        }
        return words.inWordOrder(wanted).map { VocabularyEntry(words[$0]) }
    }

    /// How many words there are, by how far they are.
    public func vocabularyStats(
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> VocabularyStats {
        VocabularyStats(try words(language, date))
    }

    /// Learned words, in the order in which they were learned.
    /// - Parameter category: nil for those of all categories.
    public func completedWords(
        language: String? = nil,
        category: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [VocabularyEntry] {
        try words(language, date).filter { $0.learned && (category == nil || $0.category == category) }
            .sorted { ($0.learnedAt ?? 0, $0.word) < ($1.learnedAt ?? 0, $1.word) }
            .map(VocabularyEntry.init)
    }

    /// How many of all words are completed, per language and category.
    public func categories(
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [CategoryProgress] {
        try words(language, date).categories.map(CategoryProgress.init)
    }

    private func words(_ language: String?, _ date: Date?) throws(EngineError) -> WordList {
        try EngineError.translating { try engine.words(of: id, language: language, at: instant(date)) ?? .empty }
    }
}

// MARK: Sessions, achievements, time

extension Learner {
    /// Sessions, newest first.
    public func sessionHistory(
        language: String? = nil,
        limit: Int = 20,
        at date: Date? = nil
    ) throws(EngineError) -> [SavedSession] {
        try sessions(date).filter { language == nil || $0.language == language }.prefix(max(limit, 0))
            .map(SavedSession.init)
    }

    /// The latest session of that id.
    public func session(_ session: String, at date: Date? = nil) throws(EngineError) -> SavedSession? {
        try sessions(date).first { $0.sessionId == session }.map(SavedSession.init)
    }

    /// Achievements with progress, in the order of the rules; hidden ones from when they are unlocked.
    public func achievements(
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [Achievement] {
        try EngineError.translating {
            try engine.achievements(of: id, language: language, at: instant(date))?.map(Achievement.init) ?? []
        }
    }

    /// How long the learner practised, in total and per day.
    public func studyTime(language: String? = nil, at date: Date? = nil) throws(EngineError) -> StudyTime {
        try EngineError.translating {
            StudyTime(try engine.projection(of: id, at: instant(date))?.tracks.first { $0.language == language })
        }
    }

    private func sessions(_ date: Date?) throws(EngineError) -> [SessionRecord] {
        try EngineError.translating { try engine.sessions(of: id, at: instant(date)) ?? [] }
    }
}
