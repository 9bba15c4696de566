// SPDX-License-Identifier: Apache-2.0

import LaurelRules
import LaurelSystem
import SeededRandom
import Testing

@testable import LaurelProgress

/// The mathematics of fitting parameters.
@Suite struct FittingTests {
    private static func scheduler(_ weights: [Double]) -> FSRS {
        FSRS(weights: weights, desiredRetention: 0.9, masteryDays: [1, 7, 21, 60, 180])
    }

    /// Random reviews of a word, which begin with its first review or with an import.
    private static func sequence(_ generator: inout SeededGenerator) -> ReviewSequence {
        var memory = Bool.random(using: &generator) ? nil : Memory(stability: 3, difficulty: 4)
        let scheduler = scheduler(MasteryRule.defaultWeights)
        var sequence = ReviewSequence(language: [])
        for time in 0..<Int64.random(in: 1...12, using: &generator) {
            let grade = Grade(rawValue: Int.random(in: 1...4, using: &generator))!
            let days = memory == nil ? 0 : Int64.random(in: 0...40, using: &generator)
            sequence.reviews.append(PastReview(time: time, days: days, grade: grade, before: memory))
            memory =
                memory.map { scheduler.memory(after: grade, days: Double(days), from: $0) }
                ?? scheduler.memory(afterFirst: grade)
        }
        return sequence
    }

    private static func loss(_ weights: [Double], _ sequences: [ReviewSequence]) -> LossGradient {
        var loss = LossGradient(scheduler(weights))
        for sequence in sequences { loss.add(sequence) }
        return loss
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `derivatives are those of the loss`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let weights = MasteryRule.defaultWeights.map { $0 * Double.random(in: 0.8...1.25, using: &generator) }
        let sequences = (0..<30).map { _ in Self.sequence(&generator) }
        let gradient = Self.loss(weights, sequences).gradient
        for index in weights.indices {
            let step = max(1e-6, weights[index] * 1e-6)
            var (more, less) = (weights, weights)
            more[index] += step
            less[index] -= step
            let difference = Self.loss(more, sequences).loss - Self.loss(less, sequences).loss
            let expected = difference / (2 * step)
            #expect(
                abs(gradient[index] - expected) <= 1e-4 * max(1, abs(expected)),
                "seed \(seed), w\(index): \(gradient[index]), not \(expected)"
            )
        }
    }

    @Test func `the loss is that of the predictions`() {
        var generator = SeededGenerator(seed: 7)
        let sequence = Self.sequence(&generator)
        var sum = 0.0
        sequence.forEachPrediction(Self.scheduler(MasteryRule.defaultWeights)) { review, recall in
            sum -= log(review.grade == .again ? 1 - recall : recall)
        }
        #expect(abs(Self.loss(MasteryRule.defaultWeights, [sequence]).loss - sum) < 1e-9)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bounds: [ClosedRange<Double>]
        let minimum: [Double]
    }

    @Test(arguments: [
        Row(testDescription: "inside its bounds", bounds: [-2...2, -2...2], minimum: [1, 1]),
        Row(testDescription: "at a bound", bounds: [-2...0.5, -2...2], minimum: [0.5, 0.25]),
        Row(testDescription: "with a fixed variable", bounds: [-2...2, 0...0], minimum: [0.1613, 0]),
    ]) func `Rosenbrock's function has its minimum`(row: Row) {
        let minimiser = BoundedMinimiser(bounds: row.bounds, iterations: 300)
        let found = minimiser.minimum(from: [-1.2, 1]) { place in
            let (x, y) = (place[0], place[1])
            let value = (1 - x) * (1 - x) + 100 * (y - x * x) * (y - x * x)
            return (value, [-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
        }
        for (one, other) in zip(found, row.minimum) { #expect(abs(one - other) < 0.001, "\(found)") }
    }
}
