// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What became of a word, and why it stands where it does.
public struct WordExplanation: Sendable, Hashable, Identifiable {
    /// Your id of the entry.
    public var id: String
    /// nil for words of events without a language.
    public var language: String?
    /// As it is written; nil if no event says.
    public var text: String?
    /// In the learner's own language; nil if no event says.
    public var translation: String?
    /// nil if it is not known, or no longer.
    public var state: State?
    /// Whether it counts as learned: by its mastery, or because the learner said so.
    public var isLearned = false
    /// Whether its next review is due.
    public var isDue = false
    /// In the learner's order.
    public var steps: [Step] = []

    /// Creates one, for previews and tests.
    public init(id: String, language: String?) { (self.id, self.language) = (id, language) }

    /// A word's schedule.
    public struct State: Sendable, Hashable {
        /// 0 … 5.
        public var mastery = 0
        /// Where it stands.
        public var bucket = MasteryBucket.new
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
        /// nil if it never was.
        public var lastReviewedAt: Date?
        /// When its next review is due.
        public var nextReviewAt: Date
        /// Whether the learner said that it is learned.
        public var isDeclaredLearned = false
        /// When it became known. It is not in the JSON: nil if the state was decoded.
        public var firstSeenAt: Date?

        /// Creates one, for previews and tests.
        public init(nextReviewAt: Date) { self.nextReviewAt = nextReviewAt }
    }

    /// What an event did to the word, nothing if the event is void; in JSON beside what the event is.
    public struct Step: Sendable, Hashable {
        /// The event.
        public var event: EventReference
        /// Of `review.graded`.
        public var grade: String?
        /// Of `word.encountered`.
        public var count: Int?
        /// nil while the word was not known.
        public var before: State?
        /// nil if the event removed it.
        public var after: State?

        /// Creates one, for previews and tests.
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
        case steps
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(translation, forKey: .translation)
        try container.encodeIfPresent(state, forKey: .state)
        try container.encode(isLearned, forKey: .isLearned)
        try container.encode(isDue, forKey: .isDue)
        try container.encode(steps, forKey: .steps)
    }
}

extension WordExplanation.State: Codable, ScheduledWord {
    private enum CodingKeys: String, CodingKey {
        case mastery, bucket, reviews
        case correctReviews = "correct"
        case intervalDays, easeFactor, stability, difficulty, lastReviewedAt, nextReviewAt
        case isDeclaredLearned = "saidLearned"
    }

    /// Of the schedule, what its scheduler goes by.
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
        case grade, count, before, after
    }

    public func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(grade, forKey: .grade)
        try container.encodeIfPresent(count, forKey: .count)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encodeIfPresent(after, forKey: .after)
    }

    public init(from decoder: any Decoder) throws {
        event = try EventReference(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        grade = try container.decodeIfPresent(String.self, forKey: .grade)
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        before = try container.decodeIfPresent(WordExplanation.State.self, forKey: .before)
        after = try container.decodeIfPresent(WordExplanation.State.self, forKey: .after)
    }
}
