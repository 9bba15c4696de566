// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// FSRS-6's memory of a word after a review.
package struct Memory: Sendable, Equatable {
    /// The days after which the probability of recall is 0.9; at least 0.001.
    package var stability: Double
    /// The difficulty, from 1 to 10.
    package var difficulty: Double

    package init(stability: Double, difficulty: Double) {
        (self.stability, self.difficulty) = (stability, difficulty)
    }

    /// False if unusual parameters made the memory infinite or NaN.
    package var isFinite: Bool { stability.isFinite && difficulty.isFinite }
}

/// FSRS-6 without learning steps and fuzz, in double precision. Each operation is computed as in version 6 of the
/// Python package `fsrs`. For the formulas see open-spaced-repetition, "The Algorithm", FSRS-6.
package struct FSRS: Sendable, Equatable {
    static let weightCount = 21

    /// The weights w0 … w20.
    package let weights: [Double]
    /// The probability of recall at which a review is due, between 0 and 1.
    package let desiredRetention: Double
    /// The stabilities, in days, at which mastery rises by 1. There are five numbers, ascending.
    package let masteryDays: [Double]
    /// True if days between reviews are calendar days by the learner's clock, as in Anki; false if they are periods of
    /// 24 hours.
    package let countsCalendarDays: Bool

    /// The exponent of the forgetting curve, −w20. With `factor`, recall is 0.9 when the elapsed days equal the
    /// stability.
    let decay: Double
    let factor: Double
    /// The factor from stability to interval. The unrounded interval is (S / `factor`) · `intervalTerm`, where S is the
    /// stability. The operations are in the order of the Python package.
    private let intervalTerm: Double

    package init(
        weights: [Double],
        desiredRetention: Double,
        masteryDays: [Double],
        countsCalendarDays: Bool = false
    ) {
        precondition(weights.count == FSRS.weightCount && masteryDays.count == 5)
        self.weights = weights
        self.desiredRetention = desiredRetention
        self.masteryDays = masteryDays
        self.countsCalendarDays = countsCalendarDays
        decay = -weights[20]
        factor = pow(0.9, 1 / decay) - 1
        intervalTerm = pow(desiredRetention, 1 / decay) - 1
    }

    /// The same scheduler with other weights, or with another desired retention.
    package func with(_ weights: [Double]? = nil, desiredRetention: Double? = nil) -> FSRS {
        FSRS(
            weights: weights ?? self.weights,
            desiredRetention: desiredRetention ?? self.desiredRetention,
            masteryDays: masteryDays,
            countsCalendarDays: countsCalendarDays
        )
    }

    func review(_ word: inout WordState, grade: Grade, at time: ReviewTime) {
        let memory: Memory
        if let before = word.memory {
            let days = word.daysSinceReview(at: time, byCalendar: countsCalendarDays) ?? 0
            memory = self.memory(after: grade, days: Double(days), from: before)
        } else {
            memory = self.memory(afterFirst: grade)
        }
        (word.stability, word.difficulty) = (memory.stability, memory.difficulty)
        schedule(&word)
    }

    /// The memory after a word's first review.
    package func memory(afterFirst grade: Grade) -> Memory {
        Memory(
            stability: clamped(stability: weights[grade.rawValue - 1]),
            difficulty: clamped(difficulty: initialDifficulty(Double(grade.rawValue)))
        )
    }

    /// The memory after a later review.
    /// - Parameter days: the days since the previous review.
    package func memory(after grade: Grade, days: Double, from memory: Memory) -> Memory {
        let (stability, difficulty) = (memory.stability, memory.difficulty)
        let next: Double
        if days < 1 {
            next = shortTermStability(stability, grade)
        } else {
            let likelihood = recall(stability, after: days)
            next =
                grade == .again
                ? forgottenStability(stability, difficulty, likelihood)
                : recalledStability(stability, difficulty, likelihood, grade)
        }
        return Memory(
            stability: clamped(stability: next),
            difficulty: clamped(difficulty: nextDifficulty(difficulty, Double(grade.rawValue)))
        )
    }

    /// The forgetting curve: the probability of recall after some days.
    package func recall(_ stability: Double, after days: Double) -> Double { pow(1 + factor * days / stability, decay) }

    /// The probability that the learner recalls a word; nil before a full day has passed since the last review, or
    /// without a stability.
    func recall(_ word: WordState, at time: ReviewTime) -> Double? {
        guard let stability = word.stability,
            let days = word.daysSinceReview(at: time, byCalendar: countsCalendarDays), days >= 1
        else { return nil }
        return recall(stability, after: Double(days))
    }

    func take(_ schedule: ImportedSchedule, into word: inout WordState) {
        if let difficulty = schedule.difficulty { word.difficulty = difficulty }
        guard let stability = schedule.stability ?? schedule.intervalDays.map(Double.init) else { return }
        word.stability = stability
        word.difficulty = word.difficulty ?? 5
        self.schedule(&word)
        if let days = schedule.intervalDays { word.intervalDays = days }
    }

    /// Computes the interval and the mastery from the stability.
    private func schedule(_ word: inout WordState) {
        guard let stability = word.stability else { return }
        word.intervalDays = interval(stability)
        word.hasInterval = true
        updateMastery(of: &word)
    }

    /// The days after which recall has fallen to the desired retention.
    func interval(_ stability: Double) -> Int {
        let days = ((stability / factor) * intervalTerm).rounded(.toNearestOrEven)
        // Unusual weights can make the stability infinite or NaN.
        return days < Double(longestIntervalDays) ? Int(max(1, days)) : longestIntervalDays
    }

    /// Converts a word from another scheduler. The new stability is the word's interval, or the stability at which FSRS
    /// gives the word's mastery, whichever is larger.
    func convert(_ word: inout WordState) {
        var hints = word.hasInterval ? [Double(word.intervalDays)] : []
        if word.mastery > 0 { hints.append(masteryDays[word.mastery - 1]) }
        if let stability = hints.max() {
            word.stability = stability
            word.difficulty = 5
            word.lastReviewedAt = word.lastReviewedAt ?? word.firstSeenAt
        } else {
            word.intervalDays = 0
        }
        word.ease = WordState().ease
        updateMastery(of: &word)
    }

    /// Computes the mastery from the stability.
    func updateMastery(of word: inout WordState) {
        word.mastery = word.stability.map { stability in masteryDays.count { $0 <= stability } } ?? 0
    }

    func initialDifficulty(_ rating: Double) -> Double {
        weights[4] - pow(euler, weights[5] * (rating - 1)) + 1
    }

    private func shortTermStability(_ stability: Double, _ grade: Grade) -> Double {
        let rating = Double(grade.rawValue)
        let increase = pow(euler, weights[17] * (rating - 3 + weights[18])) * pow(stability, -weights[19])
        return stability * (grade == .again ? increase : max(increase, 1))
    }

    private func forgottenStability(_ stability: Double, _ difficulty: Double, _ recall: Double) -> Double {
        let longTerm =
            weights[11] * pow(difficulty, -weights[12]) * (pow(stability + 1, weights[13]) - 1)
            * pow(euler, (1 - recall) * weights[14])
        return min(longTerm, stability / pow(euler, weights[17] * weights[18]))
    }

    private func recalledStability(
        _ stability: Double,
        _ difficulty: Double,
        _ recall: Double,
        _ grade: Grade
    ) -> Double {
        let hardPenalty = grade == .hard ? weights[15] : 1
        let easyBonus = grade == .easy ? weights[16] : 1
        let growth =
            pow(euler, weights[8]) * (11 - difficulty) * pow(stability, -weights[9])
            * (pow(euler, (1 - recall) * weights[10]) - 1)
        return stability * (1 + growth * hardPenalty * easyBonus)
    }

    private func nextDifficulty(_ difficulty: Double, _ rating: Double) -> Double {
        let change = -(weights[6] * (rating - 3))
        let damped = difficulty + (10 - difficulty) * change / 9
        let reverted = weights[7] * initialDifficulty(4) + (1 - weights[7]) * damped
        return clamped(difficulty: reverted)
    }

    private func clamped(stability: Double) -> Double { max(stability, 0.001) }
    private func clamped(difficulty: Double) -> Double { min(max(difficulty, 1), 10) }
}

/// Python's `math.e`. The Python package raises this constant to a power; `exp` would give another last digit.
let euler = 2.718281828459045
