// SPDX-License-Identifier: Apache-2.0

/// The conditions and rewards of an achievement.
package struct AchievementRule: Sendable {
    package let id: String
    /// The name in each language. If `name` is not set, the only name is the `id`.
    package let names: LocalizedText
    /// The description in each language; empty if `description` is not set.
    package let descriptions: LocalizedText
    package let category: String?
    package let value: Program
    /// The thresholds, one per tier, ascending. All are greater than 0.
    package internal(set) var thresholds: [Double]
    package internal(set) var when: Program?
    /// The indexes of the achievements whose tiers must all be unlocked before this achievement can be.
    package internal(set) var requires: [Int]
    /// True for `scope: language`, so that each language's track unlocks the achievement separately. If false, only the
    /// overall track unlocks it.
    package let isPerLanguage: Bool
    package let isHidden: Bool
    /// The XP for each unlocked tier, whole numbers ≥ 0.
    package internal(set) var xp: TierAmounts
    /// The gift of each tier, in addition to XP. A learner gets it only once.
    package internal(set) var gift = Gift()
    /// The days on which the achievement is evaluated.
    package internal(set) var period = Period.always

    /// The English name; without an English name, the name in the first language.
    package var name: String { names.text }
    package var description: String { descriptions.text }
}
