// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The history of a word, and the schedule that resulted from it.
public struct WordExplanation: Sendable, Hashable, Identifiable {
    /// The word's id, as your app gave it.
    public var id: String
    /// The language of the word's events; nil if they have none.
    public var language: String?
    /// The spelling of the word; nil if no event gives it.
    public var text: String?
    /// The word in the learner's own language; nil if no event gives it.
    public var translation: String?
    /// The word's schedule now; nil if the word is unknown or was removed.
    public var state: State?
    /// True if the word counts as learned, by its mastery or by `word.learned`.
    public var isLearned = false
    /// True if the next review is due at the requested instant.
    public var isDue = false
    /// The share of reviews that the learner should recall, 0 … 1, as the rules ask for; nil under SM-2.
    public var desiredRetention: Double?
    /// The probability that the learner recalls the word at the requested instant, as FSRS predicts it. nil under SM-2,
    /// and within a day of the last review.
    public var recall: Double?
    /// The probability that the learner recalls the word when its next review is due; nil under SM-2.
    public var recallWhenDue: Double?
    /// The parameters w0 … w20 with which FSRS schedules the word now; nil under SM-2.
    public var parameters: [Double]?
    /// The `scheduler.fitted` event that gave these parameters; nil if the rules give them.
    public var fit: EventReference?
    /// The events about the word with their effects, in the learner's order, including void events.
    public var steps: [Step] = []

    /// Creates a value, for previews and tests.
    public init(id: String, language: String?) { (self.id, self.language) = (id, language) }

    /// A word's schedule.
    public struct State: Sendable, Hashable {
        /// The mastery of the word, 0 … 5. The scheduler sets it.
        public var mastery = 0
        /// The stage that results from the word's mastery and reviews.
        public var bucket = MasteryBucket.new
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
        /// The time when the word was last reviewed; nil if it never was.
        public var lastReviewedAt: Date?
        /// The time when the next review is due.
        public var nextReviewAt: Date
        /// True if the learner declared the word learned, with `word.learned`.
        public var isDeclaredLearned = false
        /// The time when the word became known. The JSON leaves it out, so it is nil in a decoded state.
        public var firstSeenAt: Date?

        /// Creates a value, for previews and tests.
        public init(nextReviewAt: Date) { self.nextReviewAt = nextReviewAt }
    }

    /// An event, and its effect on the word. The JSON has both in one object.
    public struct Step: Sendable, Hashable {
        /// The event.
        public var event: EventReference
        /// The grade of `review.graded`; nil for other events.
        public var grade: String?
        /// The count of `word.encountered`, which is 1 if the event gives none; nil for other events.
        public var count: Int?
        /// The days since the last review, as the scheduler counts them; nil before the first review, and for a void
        /// event.
        public var daysSinceReview: Int?
        /// The probability just before the event that the learner recalls the word, as FSRS predicts it. nil under
        /// SM-2, and within a day of the last review.
        public var recall: Double?
        /// The time of the `scheduler.fitted` event whose parameters FSRS used; nil if the rules gave them.
        public var fittedAt: Date?
        /// The schedule before the event; nil if the word was unknown, and for a void event.
        public var before: State?
        /// The schedule after the event; nil if the event removed the word, and for a void event.
        public var after: State?

        /// Creates a value, for previews and tests.
        public init(event: EventReference) { self.event = event }
    }
}

// MARK: JSON

extension WordExplanation: Codable {
    private enum CodingKeys: String, CodingKey {
        case language
        case id = "word"
        case text, translation, state
        case isLearned = "learned"
        case isDue = "due"
        case desiredRetention, recall, recallWhenDue, parameters, fit, steps
    }
}

extension WordExplanation.State: Codable, ScheduledWord {
    private enum CodingKeys: String, CodingKey {
        case mastery, bucket, reviews
        case correctReviews = "correct"
        case intervalDays, easeFactor, stability, difficulty, lastReviewedAt, nextReviewAt
        case isDeclaredLearned = "declaredLearned"
    }

    /// Writes only those members of the schedule that the scheduler uses.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mastery, forKey: .mastery)
        try container.encode(bucket, forKey: .bucket)
        try schedule.encode(to: encoder)
        try container.encodeIfPresent(lastReviewedAt, forKey: .lastReviewedAt)
        try container.encode(nextReviewAt, forKey: .nextReviewAt)
        try container.encode(isDeclaredLearned, forKey: .isDeclaredLearned)
    }
}

extension WordExplanation.Step: Codable {
    private enum CodingKeys: CodingKey {
        case grade, count, daysSinceReview, recall, fittedAt, before, after
    }

    public func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(grade, forKey: .grade)
        try container.encodeIfPresent(count, forKey: .count)
        try container.encodeIfPresent(daysSinceReview, forKey: .daysSinceReview)
        try container.encodeIfPresent(recall, forKey: .recall)
        try container.encodeIfPresent(fittedAt, forKey: .fittedAt)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encodeIfPresent(after, forKey: .after)
    }

    public init(from decoder: any Decoder) throws {
        event = try EventReference(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        grade = try container.decodeIfPresent(String.self, forKey: .grade)
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        daysSinceReview = try container.decodeIfPresent(Int.self, forKey: .daysSinceReview)
        recall = try container.decodeIfPresent(Double.self, forKey: .recall)
        fittedAt = try container.decodeIfPresent(Date.self, forKey: .fittedAt)
        before = try container.decodeIfPresent(WordExplanation.State.self, forKey: .before)
        after = try container.decodeIfPresent(WordExplanation.State.self, forKey: .after)
    }
}
