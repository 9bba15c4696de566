// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A word of a learner's vocabulary, with its schedule.
public struct Word: Sendable, Hashable, Identifiable {
    /// The word's id, as your app gave it.
    public var id: String
    /// The language of the word's events; nil if they have none.
    public var language: String?
    /// The spelling of the word; nil if no event gives it.
    public var text: String?
    /// The word in the learner's own language; nil if no event gives it.
    public var translation: String?
    /// The part of speech, such as `noun`; nil if no event gives it.
    public var partOfSpeech: String?
    /// The category in which your app groups the word; nil if no event gives it.
    public var category: String?
    /// The tags of the latest event that has tags, in the order of that event.
    public var tags: [String] = []
    /// True if the learner marked the word as a favourite.
    public var isFavourite = false
    /// The stage that results from the word's mastery and reviews.
    public var bucket = MasteryBucket.new
    /// The mastery of the word, 0 … 5. The scheduler sets it.
    public var mastery = 0
    /// The number of reviews of the word.
    public var reviews = 0
    /// The number of reviews that were graded hard, good or easy.
    public var correctReviews = 0
    /// Days until the next review, as the scheduler last set it; 0 … 36 500.
    public var intervalDays = 0
    /// SM-2's ease factor, at least 1.3; nil under FSRS.
    public var easeFactor: Double?
    /// FSRS's stability, in days. nil under SM-2, and before the first review or import that gives a stability.
    public var stability: Double?
    /// FSRS's difficulty, 1 … 10. nil under SM-2, and before the first review or import that gives a difficulty.
    public var difficulty: Double?
    /// The time when the next review is due.
    public var nextReviewAt: Date
    /// True if the word counts as learned, by its mastery or by `word.learned`.
    public var isLearned = false
    /// True if the next review is due at the requested instant.
    public var isDue = false
    /// The time when the word became known.
    public var firstSeenAt: Date
    /// The time when the word was last reviewed; nil if it never was.
    public var lastReviewedAt: Date?
    /// The time when the word became learned; nil if it is not learned.
    public var learnedAt: Date?
    /// The sum of the counts of `word.encountered`; reviews are not counted.
    public var encounters = 0

    /// Creates a value, for previews and tests.
    public init(id: String, language: String? = nil, nextReviewAt: Date, firstSeenAt: Date) {
        (self.id, self.language) = (id, language)
        (self.nextReviewAt, self.firstSeenAt) = (nextReviewAt, firstSeenAt)
    }

    /// The text for learners: the spelling of the word, or its id if no event gives the spelling.
    public var displayText: String { text ?? id }
}

/// The stage of a known word.
public enum MasteryBucket: String, Codable, Sendable, CaseIterable {
    /// Mastery 0 without any review.
    case new
    /// Mastery 1 or 2, or mastery 0 after a review.
    case learning
    /// Mastery 3 or 4.
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

    /// Writes only those members of the schedule that the scheduler uses.
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
