// SPDX-License-Identifier: Apache-2.0

package import LaurelRules

/// A learner's progress in one track as of an instant.
package struct FoldedProgress: Sendable, Equatable {
    package var userId: String
    /// nil for the overall track.
    package var language: String?
    package var displayName: String?
    /// The streak is as of the instant's local day, or the latest active day if that is later.
    package var numbers = TrackNumbers()
    package var todayMinutes = 0
    package var dailyGoalMinutes = 15
    /// The XP of the events of the instant's local day.
    package var todayXP: Double = 0
    /// Of the events whose local day is in the week of the instant's.
    package var weeklyXP: Double = 0
    /// Rounded up, as XP is whole and a level may start between; nil at the highest level.
    package var xpToNextLevel: Double?
    package var wordsDueForReview = 0
    /// XP of the instant's local day, and the metrics that the rules read in the day's window.
    package var day: [NamedNumber] = []
    /// The same of the week.
    package var week: [NamedNumber] = []
    /// Those of the track's scope, in file order.
    package var achievements: [AchievementProgress] = []
    /// The version of the rules that the learner is in; nil if the rules have one version.
    package var rules: RulesVersion?

    init(userId: String, language: String?) {
        self.userId = userId
        self.language = language
    }
}

/// Short, where no `Progress` of Foundation stands beside it.
package typealias Progress = FoldedProgress

/// A version of the rules.
package struct RulesVersion: Sendable, Equatable {
    package var name: String
    /// The local day from which it is in force, `YYYY-MM-DD`; nil: from the beginning.
    package var from: String?
}

/// A learner's progress in one achievement.
package struct AchievementProgress: Sendable, Equatable {
    package var id: String
    package var names: LocalizedText
    /// Tiers unlocked so far.
    package var tier: Int
    package var tiers: Int
    /// Milliseconds since 1970, of the latest tier unlocked.
    package var unlockedAt: Int64?
    /// 0 … 1, towards the next locked tier.
    package var progress: Double
    package var isHidden: Bool
}
