// SPDX-License-Identifier: Apache-2.0

/// A review that FSRS scheduled, as the fold saw it.
package struct PastReview: Sendable, Equatable {
    /// The time, in milliseconds since 1970.
    package var time: Int64
    /// The days since the word's previous review, as the scheduler counts them; 0 for the first review.
    package var days: Int64
    package var grade: Grade
    /// The word's memory before the review, by the parameters in force at that time; nil before the first review.
    package var before: Memory?

    package init(time: Int64, days: Int64, grade: Grade, before: Memory?) {
        (self.time, self.days, self.grade, self.before) = (time, days, grade, before)
    }

    /// True if FSRS predicts the probability of recall: at least a day has passed since the word's previous review.
    package var isPredicted: Bool { days >= 1 && before != nil }
    var isRecalled: Bool { grade != .again }
}

/// Consecutive reviews of one word. Each review starts with the memory that the previous review left.
package struct ReviewSequence: Sendable, Equatable {
    /// The language of the word; empty if the word has none.
    package var language: [UInt8]
    package var reviews: [PastReview]

    package init(language: [UInt8], reviews: [PastReview] = []) {
        (self.language, self.reviews) = (language, reviews)
    }

    /// The memory before the first of the reviews; nil if the word had none. An imported word, for example, has a
    /// memory before its first review.
    var start: Memory? { reviews.first?.before }

    /// The reviews before an instant.
    func before(_ time: Int64) -> ReviewSequence {
        ReviewSequence(language: language, reviews: Array(reviews.prefix { $0.time < time }))
    }

    /// The reviews from an instant on. They start with the memory that the word had then.
    func since(_ time: Int64) -> ReviewSequence {
        ReviewSequence(language: language, reviews: Array(reviews.drop { $0.time < time }))
    }

    /// Calls `body` with each review that FSRS predicts, and with the predicted probability of recall.
    func forEachPrediction(_ fsrs: FSRS, _ body: (PastReview, Double) -> Void) {
        var memory = start
        for review in reviews {
            let days = Double(review.days)
            if let before = memory, review.isPredicted { body(review, fsrs.recall(before.stability, after: days)) }
            memory =
                memory.map { fsrs.memory(after: review.grade, days: days, from: $0) }
                ?? fsrs.memory(afterFirst: review.grade)
        }
    }
}
