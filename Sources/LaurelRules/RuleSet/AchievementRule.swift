// SPDX-License-Identifier: Apache-2.0

/// What unlocks an achievement.
package struct AchievementRule: Sendable {
    package let id: String
    /// Its `id` where not set.
    package let names: LocalizedText
    /// Empty if not set.
    package let descriptions: LocalizedText
    package let category: String?
    package let value: Program
    /// One per tier; > 0, ascending.
    package internal(set) var thresholds: [Double]
    package internal(set) var when: Program?
    /// Indexes of the achievements that must be fully unlocked before.
    package internal(set) var requires: [Int]
    /// `scope: language`: unlocked in each language track, else in the overall one.
    package let isPerLanguage: Bool
    package let isHidden: Bool
    /// Per tier; a whole number ≥ 0.
    package internal(set) var xp: Double
    /// The days on which it is evaluated.
    package internal(set) var period = Period.always

    /// In English, where it is there in English.
    package var name: String { names.text }
    package var description: String { descriptions.text }
}
