// SPDX-License-Identifier: Apache-2.0

/// What makes a day active, and what a missed one costs.
package struct StreakRule: Sendable {
    package let when: Program
    /// Streak days that earn a freeze; nil if none are earned.
    package let earnEvery: Int?
    /// Freezes that can be held.
    package let hold: Int
    /// Bit 1 Monday … bit 7 Sunday.
    package let restDays: UInt8

    /// - Parameter weekday: 1 Monday … 7 Sunday.
    package func isRestDay(_ weekday: Int) -> Bool {
        restDays & (1 << UInt8(weekday)) != 0
    }
}
