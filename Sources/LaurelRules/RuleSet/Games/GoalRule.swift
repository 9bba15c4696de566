// SPDX-License-Identifier: Apache-2.0

/// A goal: a target that a learner can reach once in each window.
package struct GoalRule: Sendable {
    package let id: String
    /// The name in each language; nil if `name` is not set.
    package let names: LocalizedText?
    /// The window: the day, the week or the season.
    package let every: FrameLayout.Window
    /// The index of the pool; nil if the goal always counts.
    package internal(set) var pool: Int?
    package let value: Program
    package let target: Program
    package internal(set) var when: Program?
    /// The XP for each completion, a whole number ≥ 0.
    package internal(set) var xp: Double
    /// The gift of each completion, in addition to XP.
    package internal(set) var gift: Gift
    /// The days on which the goal can be completed.
    package internal(set) var period: Period
}
