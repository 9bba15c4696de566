// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import SeededRandom

/// The reviews of a learner whose memory follows FSRS with known parameters. An app schedules the words with other
/// parameters: four new words a day, and up to 30 due words. A word that was forgotten is reviewed again on the same
/// day, in most cases.
struct SimulatedReviews {
    struct Review {
        var word: Int
        /// Seconds after the first day.
        var second: Int
        var grade: Grade
    }

    private struct Word {
        var known: Memory
        var scheduled: Memory
        var last: Int
        var due: Int
    }

    private static let day = 86_400
    private let memory: FSRS
    private let app: FSRS
    private var generator: SeededGenerator
    private var words: [Word] = []
    private(set) var reviews: [Review] = []

    /// - Parameters:
    ///   - parameters: the parameters of the learner's memory.
    ///   - usual: the parameters of the app.
    init(seed: UInt64, count: Int, parameters: [Double], usual: [Double]) {
        func scheduler(_ weights: [Double]) -> FSRS {
            FSRS(weights: weights, desiredRetention: 0.9, masteryDays: [1, 7, 21, 60, 180])
        }
        (memory, app) = (scheduler(parameters), scheduler(usual))
        generator = SeededGenerator(seed: seed)
        var start = 0
        while reviews.count < count {
            practise(from: start)
            start += Self.day
        }
        reviews = Array(reviews.prefix(count))
    }

    private mutating func chance() -> Double { Double.random(in: 0..<1, using: &generator) }

    private mutating func practise(from start: Int) {
        var second = start
        var forgotten: [Int] = []
        for index in words.indices.filter({ words[$0].due <= start }).prefix(30) {
            second += 15
            if review(index, second) == .again { forgotten.append(index) }
        }
        for _ in 0..<4 {
            second += 15
            begin(second)
        }
        for index in forgotten where chance() < 0.7 {
            second += 15
            review(index, second)
        }
    }

    private mutating func begin(_ second: Int) {
        let draw = chance()
        let grade: Grade = draw < 0.3 ? .again : draw < 0.42 ? .hard : draw < 0.9 ? .good : .easy
        let scheduled = app.memory(afterFirst: grade)
        let due = second + interval(scheduled)
        words.append(Word(known: memory.memory(afterFirst: grade), scheduled: scheduled, last: second, due: due))
        reviews.append(Review(word: words.count - 1, second: second, grade: grade))
    }

    @discardableResult
    private mutating func review(_ index: Int, _ second: Int) -> Grade {
        var word = words[index]
        let days = Double((second - word.last) / Self.day)
        let probability = days < 1 ? 0.9 : memory.recall(word.known.stability, after: days)
        let draw = chance()
        let grade: Grade = chance() >= probability ? .again : draw < 0.1 ? .hard : draw < 0.85 ? .good : .easy
        word.known = memory.memory(after: grade, days: days, from: word.known)
        word.scheduled = app.memory(after: grade, days: days, from: word.scheduled)
        (word.last, word.due) = (second, second + interval(word.scheduled))
        words[index] = word
        reviews.append(Review(word: index, second: second, grade: grade))
        return grade
    }

    /// The seconds to the next review. With the default weights, the interval at a retention of 0.9 is the stability.
    private mutating func interval(_ memory: Memory) -> Int {
        Int(max(1, memory.stability.rounded()) * Double(Self.day) * (0.9 + 0.3 * chance()))
    }
}
