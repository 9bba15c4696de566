// SPDX-License-Identifier: Apache-2.0

/// The condition of an active day, and the rules for missed days.
package struct StreakRule: Sendable {
    package let when: Program
    /// The number of streak days after which the learner earns a freeze; nil if freezes are never earned.
    package let earnEvery: Int?
    /// The maximum number of unused freezes.
    package let hold: Int
    /// The number of freezes that the learner has when the streak's first day begins, at most `hold`.
    package internal(set) var freezesAtStart = 0
    /// True for `every: week`: the streak counts weeks instead of days.
    package internal(set) var isWeekly = false
    /// The rest days as a bit set: bit 1 for Monday to bit 7 for Sunday.
    package let restDays: UInt8

    /// - Parameter weekday: from 1 for Monday to 7 for Sunday.
    package func isRestDay(_ weekday: Int) -> Bool {
        restDays & (1 << UInt8(weekday)) != 0
    }
}
