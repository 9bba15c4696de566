// SPDX-License-Identifier: Apache-2.0

/// A variant of SM-2, in IEEE single precision, so that results equal those that phones compute.
///
/// The original is Piotr Woźniak's algorithm of 1987 (SuperMemo 2). The variant differs in three points: there are
/// four grades, `hard` lengthens the interval by a fifth, and each word has a mastery of 0 … 5.
package enum SM2 {
    static func review(_ word: inout WordState, grade: Grade) {
        let interval = Float(word.intervalDays)
        switch grade {
        case .again:
            word.intervalDays = 1
            word.ease -= 0.2
            word.mastery -= 1
        case .hard:
            word.intervalDays = truncated(interval * 1.2)
            word.ease -= 0.15
        case .good:
            word.intervalDays = truncated(interval * word.ease)
            word.mastery += 1
        case .easy:
            word.intervalDays = truncated(interval * word.ease * 1.3)
            word.ease += 0.15
            word.mastery += 1
        }
        word.ease = max(word.ease, 1.3)
        word.mastery = min(max(word.mastery, 0), 5)
    }

    static func take(_ schedule: ImportedSchedule, into word: inout WordState) {
        if let mastery = schedule.masteryLevel { word.mastery = mastery }
        if let ease = schedule.easeFactor { word.ease = max(Float(ease), 1.3) }
        if let days = schedule.intervalDays { word.intervalDays = days }
    }

    /// Converts a word from FSRS.
    static func convert(_ word: inout WordState) {
        (word.stability, word.difficulty) = (nil, nil)
        word.ease = WordState().ease
        word.intervalDays = max(word.intervalDays, 1)
    }

    private static func truncated(_ days: Float) -> Int {
        days < Float(longestIntervalDays) ? max(1, Int(days)) : longestIntervalDays
    }
}
