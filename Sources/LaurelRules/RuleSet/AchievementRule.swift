// SPDX-License-Identifier: Apache-2.0

/// The conditions and rewards of an achievement.
package struct AchievementRule: Sendable {
    package let id: String
    /// The name by language; the `id` if not set.
    package let names: LocalizedText
    /// The description by language; empty if not set.
    package let descriptions: LocalizedText
    package let category: String?
    package let value: Program
    /// The thresholds, one per tier, above 0 and ascending.
    package internal(set) var thresholds: [Double]
    package internal(set) var when: Program?
    /// The indexes of the achievements that must be fully unlocked before.
    package internal(set) var requires: [Int]
    /// True for `scope: language`: the achievement is unlocked in each language's track. Otherwise it is unlocked in
    /// the overall track.
    package let isPerLanguage: Bool
    package let isHidden: Bool
    /// The XP per tier, a whole number ≥ 0.
    package internal(set) var xp: Double
    /// The days on which it is evaluated.
    package internal(set) var period = Period.always

    /// The name in English, or in the first language if there is no English.
    package var name: String { names.text }
    package var description: String { descriptions.text }
}
