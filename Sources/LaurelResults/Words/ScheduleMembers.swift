// SPDX-License-Identifier: Apache-2.0

/// A word with a schedule.
protocol ScheduledWord {
    var reviews: Int { get }
    var correctReviews: Int { get }
    var intervalDays: Int { get }
    var easeFactor: Double? { get }
    var stability: Double? { get }
    var difficulty: Double? { get }
}

extension ScheduledWord {
    var schedule: ScheduleMembers {
        ScheduleMembers(
            reviews: reviews,
            correct: correctReviews,
            intervalDays: intervalDays,
            easeFactor: easeFactor,
            stability: stability,
            difficulty: difficulty
        )
    }
}

/// The schedule of a word, with the members that words and their explanations have in JSON.
struct ScheduleMembers: Encodable {
    var reviews: Int
    var correct: Int
    var intervalDays: Int
    /// SM-2's ease factor; nil under FSRS.
    var easeFactor: Double?
    /// FSRS's stability in days, and its difficulty. Both are nil under SM-2, and before the first review or import
    /// that gives them.
    var stability: Double?
    var difficulty: Double?

    private enum CodingKeys: CodingKey {
        case reviews, correct, intervalDays, easeFactor, stability, difficulty
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reviews, forKey: .reviews)
        try container.encode(correct, forKey: .correct)
        try container.encode(intervalDays, forKey: .intervalDays)
        if let easeFactor {
            try container.encode(easeFactor, forKey: .easeFactor)
        } else {
            try container.encodeIfPresent(stability, forKey: .stability)
            try container.encodeIfPresent(difficulty, forKey: .difficulty)
        }
    }
}
