// SPDX-License-Identifier: Apache-2.0

import LaurelProgress

/// The grades and the lengths of a learner's reviews.
package struct ReviewHabits {
    /// The length of a review in milliseconds that is assumed for apps that send no lengths. Reviews of known length
    /// take 4 to 6 seconds.
    package static let usualMilliseconds: Int64 = 4000

    /// The numbers of reviews at least a day after the previous review in which the word was recalled, by grade.
    private(set) var recalled = (hard: 0, good: 0, easy: 0)
    private var durations: [Int64] = []

    mutating func add(_ review: ReviewFact) {
        if let duration = review.durationMs { durations.append(duration) }
        guard review.isSpaced else { return }
        switch review.grade {
        case .again: break
        case .hard: recalled.hard += 1
        case .good: recalled.good += 1
        case .easy: recalled.easy += 1
        }
    }

    /// The median length of reviews.
    var milliseconds: Double {
        durations.sorted().medianOfSorted ?? Double(Self.usualMilliseconds)
    }
}
