public import Foundation
import LaurelProgress

/// A known word with its schedule.
public struct VocabularyEntry: Sendable, Hashable, Identifiable {
    /// Your id of the entry: the `word` of its events.
    public let id: String
    /// The word in the target language, where an event told; else its id.
    public let word: String
    public let translation: String?
    public let language: String?
    public let partOfSpeech: String?
    public let category: String?
    public let tags: [String]
    public let isFavourite: Bool
    /// 0 new … 5 mastered.
    public let masteryLevel: Int
    /// Under the scheduler `sm2`; 1.3 or more.
    public let easeFactor: Double?
    /// Under `fsrs`, after the first review: in days, and 1 … 10.
    public let stability: Double?
    public let difficulty: Double?
    public let intervalDays: Int
    public let nextReviewAt: Date
    public let totalReviews: Int
    public let correctReviews: Int
    public let firstSeenAt: Date
    public let lastReviewedAt: Date?
    /// Whether the scheduler, or the learner, says so.
    public let isLearned: Bool
    /// When it became learned; nil where it is not.
    public let learnedAt: Date?
    /// Whether the next review is due at the instant asked for.
    public let isDue: Bool
    /// How often it was met outside reviews.
    public let timesEncountered: Int

    init(_ record: WordRecord) {
        id = record.word
        word = record.text ?? record.word
        translation = record.translation
        language = record.language
        partOfSpeech = record.partOfSpeech
        category = record.category
        tags = record.tags
        isFavourite = record.favourite
        masteryLevel = record.mastery
        easeFactor = record.easeFactor
        stability = record.stability
        difficulty = record.difficulty
        intervalDays = record.intervalDays
        nextReviewAt = Date(milliseconds: record.nextReviewAt)
        totalReviews = Int(record.reviews)
        correctReviews = Int(record.correct)
        firstSeenAt = Date(milliseconds: record.firstSeenAt)
        lastReviewedAt = record.lastReviewedAt.map(Date.init(milliseconds:))
        isLearned = record.learned
        learnedAt = record.learnedAt.map(Date.init(milliseconds:))
        isDue = record.due
        timesEncountered = record.encounters
    }
}

/// A vocabulary in numbers.
public struct VocabularyStats: Sendable, Hashable {
    public internal(set) var total = 0
    /// Mastery 0 and never reviewed.
    public internal(set) var newCount = 0
    /// Mastery 1 and 2, or 0 with a review.
    public internal(set) var learningCount = 0
    /// Mastery 3 and 4.
    public internal(set) var reviewingCount = 0
    /// Mastery 5.
    public internal(set) var masteredCount = 0
    public internal(set) var learnedCount = 0
    public internal(set) var dueCount = 0

    init(_ words: some Collection<WordRecord>) {
        total = words.count
        for word in words {
            switch word.bucket {
            case .new: newCount += 1
            case .learning: learningCount += 1
            case .reviewing: reviewingCount += 1
            case .mastered: masteredCount += 1
            }
            if word.learned { learnedCount += 1 }
            if word.due { dueCount += 1 }
        }
    }
}

/// How much of a category is completed.
public struct CategoryProgress: Sendable, Hashable {
    /// nil for words of events without a language.
    public let language: String?
    /// nil for words without a category.
    public let category: String?
    /// Known words.
    public let total: Int
    /// Learned ones among them.
    public let completed: Int

    init(_ record: CategoryRecord) {
        (language, category) = (record.language, record.category)
        (total, completed) = (record.known, record.learned)
    }
}

extension Date {
    /// Milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
