// SPDX-License-Identifier: Apache-2.0

/// The scheduler of words, and the mastery at which words count as learned.
package struct MasteryRule: Sendable, Equatable {
    package enum Scheduler: Sendable, Equatable {
        case sm2
        /// FSRS-6 with its weights w0 … w20. `desiredRetention` is the target probability of recall, between 0 and 1.
        case fsrs(weights: [Double], desiredRetention: Double)
    }

    package var scheduler: Scheduler = .sm2
    /// The lowest stabilities, in days, at which mastery is 1, 2, 3, 4 and 5 under `fsrs`. Ascending.
    package var masteryDays: [Double] = [1, 7, 21, 60, 180]
    /// The lowest mastery at which a word counts as learned, 0 … 5.
    package var learnedAt = 3
    /// True if `fsrs` counts local calendar days between two reviews, as Anki does; false if it counts periods of 24
    /// hours.
    package var countsCalendarDays = false

    package init() {}

    /// FSRS-6's default weights.
    package static let defaultWeights: [Double] = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]
}
