// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Words and their reviews. `word` is your own id of the entry, not its spelling; words are kept apart by language.
extension LearningEvent {
    /// What a word is, for those who show it.
    public struct WordDetails: Sendable, Hashable {
        /// As it is written; nil where no event told.
        public var text: String?
        /// In the learner's own language; nil where no event told.
        public var translation: String?
        /// Such as `noun`.
        public var partOfSpeech: String?
        /// By which you group words.
        public var category: String?
        /// By which words can be found again.
        public var tags: [String]?
        /// Where it comes from, such as a deck or a scenario.
        public var origin: String?

        /// What is told of a word; nil leaves as it is what was told before.
        public init(
            text: String? = nil,
            translation: String? = nil,
            partOfSpeech: String? = nil,
            category: String? = nil,
            tags: [String]? = nil,
            origin: String? = nil
        ) {
            self.text = text
            self.translation = translation
            self.partOfSpeech = partOfSpeech
            self.category = category
            self.tags = tags
            self.origin = origin
        }

        var event: LearningEvent {
            LearningEvent(
                "",
                [
                    "text": text, "translation": translation, "partOfSpeech": partOfSpeech, "category": category,
                    "tags": tags, "origin": origin,
                ]
            )
        }
    }

    /// `word.added`: a word was added to the vocabulary.
    public static func wordAdded(word: String, _ details: WordDetails = WordDetails()) -> LearningEvent {
        LearningEvent("word.added", ["word": word]).with(details)
    }

    /// `word.updated`: a word's details changed; those that are absent stay.
    public static func wordUpdated(word: String, _ details: WordDetails = WordDetails()) -> LearningEvent {
        LearningEvent("word.updated", ["word": word]).with(details)
    }

    /// `word.removed`: a word was removed; after that it starts afresh.
    public static func wordRemoved(word: String) -> LearningEvent {
        LearningEvent("word.removed", ["word": word])
    }

    /// `word.encountered`: a word was met.
    /// - Parameters:
    ///   - word: your id of the entry.
    ///   - count: How often, 0 or more; once where absent.
    ///   - category: by which you group words.
    public static func wordEncountered(
        word: String,
        count: Int? = nil,
        category: String? = nil
    ) -> LearningEvent {
        LearningEvent("word.encountered", ["word": word, "count": count, "category": category])
    }

    /// `word.learned`: the learner says the word is learned.
    public static func wordLearned(word: String) -> LearningEvent {
        LearningEvent("word.learned", ["word": word])
    }

    /// `word.unlearned`: the learner takes `word.learned` back.
    public static func wordUnlearned(word: String) -> LearningEvent {
        LearningEvent("word.unlearned", ["word": word])
    }

    /// `word.imported`: a word with its schedule from elsewhere.
    /// - Parameters:
    ///   - word: your id of the entry.
    ///   - masteryLevel: 0 to 5.
    ///   - easeFactor: 1.3 or more.
    ///   - intervalDays: 1 to 36 500.
    ///   - stability: In days, more than 0.
    ///   - difficulty: 1 to 10.
    ///   - nextReviewAt: when it is due; nil where `intervalDays` says it.
    ///   - lastReviewedAt: nil where it is not known.
    ///   - totalReviews: 0 or more, as is `correctReviews`.
    ///   - correctReviews: those not graded again, of `totalReviews`.
    ///   - details: what people see of it.
    public static func wordImported(
        word: String,
        masteryLevel: Int? = nil,
        easeFactor: Double? = nil,
        intervalDays: Int? = nil,
        stability: Double? = nil,
        difficulty: Double? = nil,
        nextReviewAt: Date? = nil,
        lastReviewedAt: Date? = nil,
        totalReviews: Int? = nil,
        correctReviews: Int? = nil,
        _ details: WordDetails = WordDetails()
    ) -> LearningEvent {
        LearningEvent(
            "word.imported",
            [
                "word": word, "masteryLevel": masteryLevel, "easeFactor": easeFactor, "intervalDays": intervalDays,
                "stability": stability, "difficulty": difficulty, "nextReviewAt": nextReviewAt,
                "lastReviewedAt": lastReviewedAt, "totalReviews": totalReviews, "correctReviews": correctReviews,
            ]
        ).with(details)
    }

    /// `review.graded`: a review of a word was graded.
    /// - Parameters:
    ///   - word: your id of the entry.
    ///   - grade: how well it was remembered.
    ///   - durationMs: 0 or more.
    ///   - mode: Your app's name for the kind of exercise.
    public static func reviewGraded(
        word: String,
        grade: ReviewGrade,
        durationMs: Int? = nil,
        mode: String? = nil
    ) -> LearningEvent {
        LearningEvent("review.graded", ["word": word, "grade": grade, "durationMs": durationMs, "mode": mode])
    }

    private func with(_ details: WordDetails) -> LearningEvent {
        details.event.data.reduce(self) { $0.adding($1.key, $1.value) }
    }
}
