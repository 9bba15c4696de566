// SPDX-License-Identifier: Apache-2.0

/// A language that a learner studies, with the words that the learner has met so far. They are in the order of the
/// class's word list.
struct Course {
    let language: UInt8
    var words: [WordMemory] = []

    init(language: UInt8) {
        self.language = language
    }

    /// The word at an index of a class's list. The lists of different classes begin at different words.
    static func word(at position: Int, cohort: UInt32) -> UInt16 {
        let (sense, step) = position.quotientAndRemainder(dividingBy: Vocabulary.conceptCount)
        return UInt16(sense * Vocabulary.conceptCount + (step + Int(cohort % 120) * 17) % Vocabulary.conceptCount)
    }
}

/// A learner's memory of a word. The probability of recall t days after the last review is 9S / (9S + t).
struct WordMemory {
    /// The stability S: the number of days until the probability of recall has fallen to 90 %.
    private(set) var stability: Float = 0.9
    /// The day on which the word is due, in days since the simulation began.
    private(set) var due: UInt16
    private var last: UInt16

    init(metOn day: Int) {
        last = UInt16(day)
        due = UInt16(day + 1)
    }

    func recall(on day: Int) -> Float {
        9 * stability / (9 * stability + Float(day - Int(last)))
    }

    /// Updates the memory after a review. Because of the spacing effect, a successful recall after more days increases
    /// the stability more.
    mutating func review(_ grade: Happening.Grade, on day: Int) {
        let forgotten = 1 - recall(on: day)
        switch grade {
        case .again: stability = max(0.4, stability * 0.3)
        case .hard: stability *= 1 + 3 * forgotten
        case .good: stability *= 1 + 10 * forgotten
        case .easy: stability *= 1.1 + 16 * forgotten
        }
        stability = min(stability, 400)
        last = UInt16(day)
        due = UInt16(day + max(1, Int(stability)))
    }
}
