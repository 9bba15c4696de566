// SPDX-License-Identifier: Apache-2.0

/// The condition of an active day, and the rules for missed days.
package struct StreakRule: Sendable {
    package let when: Program
    /// The number of streak days that earn a freeze; nil if none is earned.
    package let earnEvery: Int?
    /// The number of freezes that can be held.
    package let hold: Int
    /// The rest days, from bit 1 for Monday to bit 7 for Sunday.
    package let restDays: UInt8

    /// - Parameter weekday: 1 Monday … 7 Sunday.
    package func isRestDay(_ weekday: Int) -> Bool {
        restDays & (1 << UInt8(weekday)) != 0
    }
}
