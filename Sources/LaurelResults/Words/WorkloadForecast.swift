// SPDX-License-Identifier: Apache-2.0

/// The reviews of a learner in the next year under several desired retentions, by a simulation of the learner's words.
public struct WorkloadForecast: Codable, Sendable, Hashable {
    /// A simulated year.
    public struct Outcome: Codable, Sendable, Hashable {
        /// The probability of recall at which a word is due, between 0 and 1.
        public var desiredRetention: Double
        /// The mean number of reviews on a day.
        public var reviewsPerDay: Double
        /// The mean minutes of reviews on a day.
        public var minutesPerDay: Double
        /// The expected number of words that the learner could recall at the end of the year.
        public var wordsRecalled: Double

        /// Creates a value, for previews and tests.
        public init(desiredRetention: Double, reviewsPerDay: Double, minutesPerDay: Double, wordsRecalled: Double) {
            (self.desiredRetention, self.reviewsPerDay) = (desiredRetention, reviewsPerDay)
            (self.minutesPerDay, self.wordsRecalled) = (minutesPerDay, wordsRecalled)
        }
    }

    /// The language of the words; nil for all languages.
    public var language: String?
    /// The number of simulated words: the known words that FSRS has scheduled.
    public var words: Int
    /// The desired retention of the rules.
    public var desiredRetention: Double
    /// The length of a review: the median of the learner's reviews, or 4 seconds if the app sends no lengths.
    public var secondsPerReview: Double
    /// The simulated years, by ascending desired retention.
    public var outcomes: [Outcome]

    /// Creates a value, for previews and tests.
    public init(
        language: String? = nil,
        words: Int,
        desiredRetention: Double,
        secondsPerReview: Double,
        outcomes: [Outcome]
    ) {
        (self.language, self.words, self.desiredRetention) = (language, words, desiredRetention)
        (self.secondsPerReview, self.outcomes) = (secondsPerReview, outcomes)
    }

    /// The desired retentions that reports simulate, beside the one of the rules.
    public static let usualRetentions = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97]
}
