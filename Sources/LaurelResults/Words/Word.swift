// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A word of a learner's vocabulary, with its schedule.
public struct Word: Sendable, Hashable, Identifiable {
    /// Your id of the entry.
    public var id: String
    /// nil for words of events without a language.
    public var language: String?
    /// As it is written; nil if no event says.
    public var text: String?
    /// In the learner's own language; nil if no event says.
    public var translation: String?
    /// Such as `noun`; nil if no event says.
    public var partOfSpeech: String?
    /// By which your app groups words; nil if no event says.
    public var category: String?
    /// As the latest event that has any says, in its order.
    public var tags: [String] = []
    /// Whether the learner marked it.
    public var isFavourite = false
    /// Where it stands: by mastery, and for mastery 0 by whether it was reviewed.
    public var bucket = MasteryBucket.new
    /// 0 … 5.
    public var mastery = 0
    /// How often it was reviewed.
    public var reviews = 0
    /// Those not graded again.
    public var correctReviews = 0
    /// Days until the next review, as the scheduler last set it.
    public var intervalDays = 0
    /// SM-2's, at least 1.3; nil under FSRS.
    public var easeFactor: Double?
    /// FSRS's: in days, and 1 … 10; nil before the first review, and under SM-2.
    public var stability: Double?
    /// FSRS's, 1 … 10; nil before the first review, and under SM-2.
    public var difficulty: Double?
    /// When its next review is due.
    public var nextReviewAt: Date
    /// Whether it counts as learned: by its mastery, or because the learner said so.
    public var isLearned = false
    /// Whether its next review is due.
    public var isDue = false
    /// When it became known.
    public var firstSeenAt: Date
    /// nil if it never was.
    public var lastReviewedAt: Date?
    /// When it became learned; nil while it is not.
    public var learnedAt: Date?
    /// How often it was met outside reviews.
    public var encounters = 0

    /// Creates one, for previews and tests.
    public init(id: String, language: String? = nil, nextReviewAt: Date, firstSeenAt: Date) {
        (self.id, self.language) = (id, language)
        (self.nextReviewAt, self.firstSeenAt) = (nextReviewAt, firstSeenAt)
    }

    /// What people see: its text, or its id if no event gave one.
    public var displayText: String { text ?? id }
}

/// Where a known word stands.
public enum MasteryBucket: String, Codable, Sendable, CaseIterable {
    /// Mastery 0 and never reviewed.
    case new
    /// Mastery 1 and 2, or 0 with a review.
    case learning
    /// Mastery 3 and 4.
    case reviewing
    /// Mastery 5.
    case mastered
}

extension Word: Codable, ScheduledWord {
    private enum CodingKeys: String, CodingKey {
        case language
        case id = "word"
        case text, translation, partOfSpeech, category, tags
        case isFavourite = "favourite"
        case bucket, mastery, reviews
        case correctReviews = "correct"
        case intervalDays, easeFactor, stability, difficulty, nextReviewAt
        case isLearned = "learned"
        case isDue = "due"
        case firstSeenAt, lastReviewedAt, learnedAt, encounters
    }

    /// Of the schedule, what its scheduler goes by.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(translation, forKey: .translation)
        try container.encodeIfPresent(partOfSpeech, forKey: .partOfSpeech)
        try container.encodeIfPresent(category, forKey: .category)
        try container.encode(tags, forKey: .tags)
        try container.encode(isFavourite, forKey: .isFavourite)
        try container.encode(bucket, forKey: .bucket)
        try container.encode(mastery, forKey: .mastery)
        try schedule.encode(to: encoder)
        try container.encode(nextReviewAt, forKey: .nextReviewAt)
        try container.encode(isLearned, forKey: .isLearned)
        try container.encode(isDue, forKey: .isDue)
        try container.encode(firstSeenAt, forKey: .firstSeenAt)
        try container.encodeIfPresent(lastReviewedAt, forKey: .lastReviewedAt)
        try container.encodeIfPresent(learnedAt, forKey: .learnedAt)
        try container.encode(encounters, forKey: .encounters)
    }
}
