// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// Computes the log loss of FSRS's predictions, and the derivatives of this loss by the weights.
///
/// The log loss of a review is −ln p, where p is the predicted probability of what happened: the learner recalled the
/// word, or forgot it. ``FSRS`` computes each prediction. The derivatives are computed backwards, from the last review
/// of a word to the first (reverse-mode differentiation). For the formulas whose derivatives these are see
/// open-spaced-repetition, "The Algorithm", FSRS-6.
struct LossGradient {
    /// The smallest probability that counts, as in fsrs-rs. It bounds the loss of a single review.
    private static let least = 0.0001

    /// A step from one review to the next.
    private struct Step {
        var grade: Grade
        var days: Double
        /// The memory before the review; nil before the first review.
        var before: Memory?
        var after: Memory
    }

    private let fsrs: FSRS
    private let w: [Double]
    /// The derivative of the factor of the forgetting curve by w20.
    private let curveSlope: Double
    private(set) var loss = 0.0
    private(set) var gradient = [Double](repeating: 0, count: FSRS.weightCount)
    private var steps: [Step] = []

    init(_ fsrs: FSRS) {
        self.fsrs = fsrs
        w = fsrs.weights
        curveSlope = (fsrs.factor + 1) * log(0.9) / (w[20] * w[20])
    }

    /// The log loss of a review.
    static func loss(_ recall: Double, isRecalled: Bool) -> Double {
        -log(max(isRecalled ? recall : 1 - recall, least))
    }

    /// Adds the reviews of a word.
    mutating func add(_ sequence: ReviewSequence) {
        steps.removeAll(keepingCapacity: true)
        var memory = sequence.start
        for review in sequence.reviews {
            let days = Double(review.days)
            let after =
                memory.map { fsrs.memory(after: review.grade, days: days, from: $0) }
                ?? fsrs.memory(afterFirst: review.grade)
            if let before = memory, review.isPredicted {
                loss += LossGradient.loss(fsrs.recall(before.stability, after: days), isRecalled: review.isRecalled)
            }
            steps.append(Step(grade: review.grade, days: days, before: memory, after: after))
            memory = after
        }
        addGradient()
    }

    private mutating func addGradient() {
        // The derivatives of the loss by the memory after the current step.
        var slope = Memory.empty
        for step in steps.reversed() {
            guard let before = step.before else { return addFirst(step, slope) }
            var earlier = Memory.empty
            addDifficulty(step, before, slope.difficulty, &earlier)
            var recallSlope = 0.0
            // A stability at its lower bound does not depend on the weights.
            let stabilitySlope = step.after.stability > 0.001 ? slope.stability : 0
            if step.days < 1 {
                addShortTerm(step, before, stabilitySlope, &earlier)
            } else {
                let recall = fsrs.recall(before.stability, after: step.days)
                if step.grade == .again {
                    addForgotten(step, before, recall, stabilitySlope, &earlier, &recallSlope)
                } else {
                    addRecalled(step, before, recall, stabilitySlope, &earlier, &recallSlope)
                }
                recallSlope += lossSlope(recall, step.grade)
                addRecall(step, before, recall, recallSlope, &earlier)
            }
            slope = earlier
        }
    }

    private func lossSlope(_ recall: Double, _ grade: Grade) -> Double {
        let probability = grade == .again ? 1 - recall : recall
        guard probability > LossGradient.least else { return 0 }
        return (grade == .again ? 1 : -1) / probability
    }

    private mutating func addFirst(_ step: Step, _ slope: Memory) {
        gradient[step.grade.rawValue - 1] += slope.stability
        guard step.after.isInside else { return }
        addInitialDifficulty(Double(step.grade.rawValue), slope.difficulty)
    }

    private mutating func addInitialDifficulty(_ rating: Double, _ slope: Double) {
        gradient[4] += slope
        gradient[5] -= slope * (rating - 1) * exp(w[5] * (rating - 1))
    }

    private mutating func addDifficulty(_ step: Step, _ before: Memory, _ slope: Double, _ earlier: inout Memory) {
        // A difficulty at its bounds does not depend on the weights.
        guard step.after.isInside else { return }
        let change = -w[6] * Double(step.grade.rawValue - 3)
        let damped = before.difficulty + (10 - before.difficulty) * change / 9
        earlier.difficulty += slope * (1 - w[7]) * (1 - change / 9)
        gradient[6] -= slope * (1 - w[7]) * (10 - before.difficulty) / 9 * Double(step.grade.rawValue - 3)
        gradient[7] += slope * (fsrs.initialDifficulty(4) - damped)
        addInitialDifficulty(4, slope * w[7])
    }

    /// Adds the derivatives of the forgetting curve.
    private mutating func addRecall(
        _ step: Step,
        _ before: Memory,
        _ recall: Double,
        _ slope: Double,
        _ earlier: inout Memory
    ) {
        let elapsed = step.days / before.stability
        let base = 1 + fsrs.factor * elapsed
        earlier.stability += slope * w[20] * recall / base * fsrs.factor * elapsed / before.stability
        gradient[20] -= slope * recall * (log(base) + w[20] / base * elapsed * curveSlope)
    }

    private mutating func addShortTerm(_ step: Step, _ before: Memory, _ slope: Double, _ earlier: inout Memory) {
        let stability = step.after.stability
        guard step.grade == .again || stability > before.stability else {
            // The increase is 1.
            earlier.stability += slope
            return
        }
        earlier.stability += slope * (1 - w[19]) * stability / before.stability
        gradient[17] += slope * stability * (Double(step.grade.rawValue - 3) + w[18])
        gradient[18] += slope * stability * w[17]
        gradient[19] -= slope * stability * log(before.stability)
    }

    private mutating func addForgotten(
        _ step: Step,
        _ before: Memory,
        _ recall: Double,
        _ slope: Double,
        _ earlier: inout Memory,
        _ recallSlope: inout Double
    ) {
        let stability = step.after.stability
        if stability == before.stability / pow(euler, w[17] * w[18]) {
            // The stability after a lapse has this upper bound.
            earlier.stability += slope * stability / before.stability
            gradient[17] -= slope * stability * w[18]
            gradient[18] -= slope * stability * w[17]
            return
        }
        let growing = pow(before.stability + 1, w[13])
        let ratio = stability * growing / (growing - 1)
        earlier.stability += slope * ratio * w[13] / (before.stability + 1)
        earlier.difficulty -= slope * stability * w[12] / before.difficulty
        recallSlope -= slope * stability * w[14]
        gradient[11] += slope * stability / w[11]
        gradient[12] -= slope * stability * log(before.difficulty)
        gradient[13] += slope * ratio * log(before.stability + 1)
        gradient[14] += slope * stability * (1 - recall)
    }

    private mutating func addRecalled(
        _ step: Step,
        _ before: Memory,
        _ recall: Double,
        _ slope: Double,
        _ earlier: inout Memory,
        _ recallSlope: inout Double
    ) {
        let bonus = step.grade == .hard ? w[15] : step.grade == .easy ? w[16] : 1
        let spacing = exp((1 - recall) * w[10])
        // The added stability, without the factor of the grade.
        let plain = exp(w[8]) * (11 - before.difficulty) * pow(before.stability, 1 - w[9]) * (spacing - 1)
        let added = plain * bonus
        let spacingSlope = spacing == 1 ? 0 : added * spacing / (spacing - 1)
        earlier.stability += slope * (1 + added * (1 - w[9]) / before.stability)
        earlier.difficulty -= slope * added / (11 - before.difficulty)
        recallSlope -= slope * spacingSlope * w[10]
        gradient[8] += slope * added
        gradient[9] -= slope * added * log(before.stability)
        gradient[10] += slope * spacingSlope * (1 - recall)
        if step.grade == .hard { gradient[15] += slope * plain }
        if step.grade == .easy { gradient[16] += slope * plain }
    }
}

extension Memory {
    fileprivate static let empty = Memory(stability: 0, difficulty: 0)
    /// True if the difficulty is not at one of its bounds.
    fileprivate var isInside: Bool { difficulty > 1 && difficulty < 10 }
}
