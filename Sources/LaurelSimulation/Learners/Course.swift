// SPDX-License-Identifier: Apache-2.0

/// One language of a learner: the words met so far, in the order of the class's word list.
struct Course {
    let language: UInt8
    var words: [WordMemory] = []

    init(language: UInt8) {
        self.language = language
    }

    /// The word at an index of a class's list. Classes begin at different words.
    static func word(at place: Int, cohort: UInt32) -> UInt16 {
        let (sense, step) = place.quotientAndRemainder(dividingBy: Vocabulary.conceptCount)
        return UInt16(sense * Vocabulary.conceptCount + (step + Int(cohort % 120) * 17) % Vocabulary.conceptCount)
    }
}

/// The memory of a word. The probability of recall falls as 9S / (9S + t), t days after the last review.
struct WordMemory {
    /// S: the days until recall has fallen to 90 %.
    private(set) var stability: Float = 0.9
    /// The due day, in days since the simulation began.
    private(set) var due: UInt16
    private var last: UInt16

    init(metOn day: Int) {
        last = UInt16(day)
        due = UInt16(day + 1)
    }

    func recall(on day: Int) -> Float {
        9 * stability / (9 * stability + Float(day - Int(last)))
    }

    /// Reviews the word. By the spacing effect, a later successful recall helps more.
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
