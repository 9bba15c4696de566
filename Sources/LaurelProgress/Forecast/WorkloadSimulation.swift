// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// A word at the beginning of a simulation.
package struct SimulatedWord: Sendable {
    fileprivate let memory: Memory
    /// The days since the last review, at least 0.
    fileprivate let elapsedDays: Int
    /// The seed of the word's random numbers. The seed depends only on the language and the word. So the order of words
    /// does not matter, and each simulated retention uses the same random numbers.
    fileprivate let seed: UInt64
}

extension LearnerState {
    /// The words of a language that FSRS has scheduled; empty under SM-2.
    package func simulatedWords(of vocabulary: Vocabulary, at time: ReviewTime) -> [SimulatedWord] {
        let scheduler = scheduler(language: vocabulary.language)
        guard case .fsrs = scheduler else { return [] }
        return vocabulary.known.compactMap { _, word, state in
            guard let memory = state.memory, memory.isFinite, let days = scheduler.daysSinceReview(state, at: time)
            else { return nil }
            let name = String(decoding: vocabulary.language + [0] + word, as: UTF8.self)
            return SimulatedWord(memory: memory, elapsedDays: max(0, Int(days)), seed: UInt64(FNV1a.hash(name)))
        }
    }
}

/// Simulates the reviews of words in the next year. `docs/numbers.md` defines the simulation.
package struct WorkloadSimulation: Sendable {
    package static let days = 365
    /// The fewest words to simulate. If a learner has fewer words, each word is simulated several times, so that chance
    /// changes the result little.
    private static let fewestWords = 1000

    /// The mean outcome of a year.
    package struct Outcome: Sendable {
        package var reviews = 0.0
        /// The sum over all words of the probability of recall at the end of the year.
        package var recall = 0.0

        package init(reviews: Double = 0, recall: Double = 0) { (self.reviews, self.recall) = (reviews, recall) }

        package static func += (outcome: inout Outcome, other: Outcome) {
            outcome.reviews += other.reviews
            outcome.recall += other.recall
        }
    }

    /// The learner's shares of the grades hard and good among reviews in which the word was recalled.
    private let (hard, good): (Double, Double)
    private let runs: Int

    /// - Parameters:
    ///   - grades: the numbers of the learner's reviews that were graded hard, good and easy.
    ///   - words: the number of all words of the learner.
    package init(grades: (hard: Int, good: Int, easy: Int), words: Int) {
        let count = Double(grades.hard + grades.good + grades.easy)
        (hard, good) = count > 0 ? (Double(grades.hard) / count, Double(grades.good) / count) : (0, 1)
        runs = max(1, (Self.fewestWords + words - 1) / max(1, words))
    }

    /// - Parameter fsrs: the scheduler of the words, with the desired retention to simulate.
    /// - Complexity: O(words · reviews of a year), about a microsecond for each review.
    package func outcome(of words: [SimulatedWord], under fsrs: FSRS) -> Outcome {
        var total = Outcome()
        for word in words {
            for run in 0..<runs { total += self.outcome(of: word, seed: word.seed + UInt64(run), under: fsrs) }
        }
        return Outcome(reviews: total.reviews / Double(runs), recall: total.recall / Double(runs))
    }

    private func outcome(of word: SimulatedWord, seed: UInt64, under fsrs: FSRS) -> Outcome {
        var random = SplitMix64(state: seed)
        var memory = word.memory
        var outcome = Outcome()
        // The simulation begins on day 0, on which all overdue words are reviewed.
        var last = -word.elapsedDays
        var day = max(0, last + fsrs.interval(memory.stability))
        while day < Self.days {
            let elapsed = Double(day - last)
            let isRecalled = random.next() < fsrs.recall(memory.stability, after: elapsed)
            memory = fsrs.memory(after: isRecalled ? grade(random.next()) : .again, days: elapsed, from: memory)
            outcome.reviews += 1
            last = day
            day += fsrs.interval(memory.stability)
        }
        outcome.recall = fsrs.recall(memory.stability, after: Double(Self.days - last))
        return outcome
    }

    private func grade(_ chance: Double) -> Grade { chance < hard ? .hard : chance < hard + good ? .good : .easy }
}

/// The generator SplitMix64 by Steele, Lea and Flood, with results from 0 up to 1.
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / 9_007_199_254_740_992
    }
}
