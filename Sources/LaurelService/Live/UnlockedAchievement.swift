// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// An achievement that was just unlocked.
struct UnlockedAchievement: Codable {
    /// The learner's id.
    var learner: String
    /// The language of the track; null for the overall one.
    var language: String?
    /// The achievement's id, as the rules spell it.
    var id: String
    /// Number of unlocked tiers.
    var tier: Int
    /// Number of tiers.
    var tiers: Int
    /// Time of the latest unlocked tier.
    var unlockedAt: Date?

    init(learner: String, language: String?, _ achievement: LearnerProgress.Achievement) {
        (self.learner, self.language) = (learner, language)
        (id, tier, tiers) = (achievement.id, achievement.tier, achievement.tiers)
        unlockedAt = achievement.unlockedAt
    }
}
