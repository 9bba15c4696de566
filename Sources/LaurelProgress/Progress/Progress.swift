// SPDX-License-Identifier: Apache-2.0

package import LaurelRules

/// A learner's progress in one track as of an instant.
package struct FoldedProgress: Sendable, Equatable {
    package var userId: String
    /// The language; nil for the overall track.
    package var language: String?
    package var displayName: String?
    /// The track's numbers. The streak is as of the instant's local day, or as of the latest active day if that is
    /// later.
    package var numbers = TrackNumbers()
    package var todayMinutes = 0
    package var dailyGoalMinutes = 15
    /// The XP of the events of the instant's local day.
    package var todayXP: Double = 0
    /// The XP from events in the week that contains the instant's local day. Each event belongs to the week of its own
    /// local day.
    package var weeklyXP: Double = 0
    /// The XP that is missing to the next level; nil at the highest level. The number is rounded up, because XP is
    /// whole and a level may start at a fraction.
    package var xpToNextLevel: Double?
    package var wordsDueForReview = 0
    /// The XP of the instant's local day, and the metrics that the rules read in the day's window.
    package var day: [NamedNumber] = []
    /// The XP of the instant's week, and the metrics that the rules read in the week's window.
    package var week: [NamedNumber] = []
    /// The XP of the season of the instant's local day, and the metrics that the rules read in the season's window; nil if
    /// the rules have no seasons.
    package var season: [NamedNumber]?
    /// The learner's variants on the instant's local day, in file order; nil in a language's track, and if the rules
    /// have no experiments.
    package var experiments: [NamedText]?
    /// The achievements that the track can unlock, in file order.
    package var achievements: [AchievementProgress] = []
    /// The goals that can be completed on the instant's local day, in file order; nil in a language's track, and under rules
    /// without goals.
    package var goals: [GoalProgress]?
    /// The balances, in the order of the rules; nil in a language's track, and under rules without currencies.
    package var balances: [BalanceProgress]?
    /// The number of bought items, in the order of the rules; nil in a language's track, and under rules without items.
    package var items: [NamedNumber]?
    /// True if the learner's version of the rules has limits, or an earlier version's limit flagged an event.
    package var hasLimits = false
    /// The version of the rules that applies to the learner; nil if the rules have only one version.
    package var rules: RulesVersion?

    init(userId: String, language: String?) {
        self.userId = userId
        self.language = language
    }
}

/// A short name, for files that do not import Foundation's `Progress`.
package typealias Progress = FoldedProgress

/// A learner's balance of a currency as of an instant.
package struct BalanceProgress: Sendable, Equatable {
    package var currency: String
    package var amount: Double
    /// The highest amount that awards and refills reach; nil for no limit.
    package var hold: Double?
    /// The instant from which the present period of the refill counts, in milliseconds since 1970; nil while nothing refills.
    package var refillAnchor: Int64?
    /// The refill in the rules; nil if the rules have no refill for the currency.
    package var refill: Refill?

    package struct Refill: Sendable, Equatable {
        /// The length of a period in milliseconds.
        package var every: Int64
        /// The amount that each period adds.
        package var amount: Double
    }

    /// The instant of the next refill, in milliseconds since 1970; nil while nothing refills.
    package var nextRefill: Int64? { refill.flatMap { refill in refillAnchor.map { $0 + refill.every } } }
}

/// A text with a name.
package struct NamedText: Sendable, Equatable {
    package var name: String
    package var text: String
}

/// A version of the rules.
package struct RulesVersion: Sendable, Equatable {
    package var name: String
    /// The local day from which the version is in force, `YYYY-MM-DD`; nil if it is in force from the beginning.
    package var from: String?
}

/// A learner's progress in one achievement.
package struct AchievementProgress: Sendable, Equatable {
    package var id: String
    package var names: LocalizedText
    /// The number of unlocked tiers.
    package var tier: Int
    package var tiers: Int
    /// The time of the latest unlocked tier, in milliseconds since 1970; nil before the first.
    package var unlockedAt: Int64?
    /// The share of the way to the next locked tier, 0 … 1.
    package var progress: Double
    package var isHidden: Bool
}

/// A learner's progress towards a goal in the window of an instant.
package struct GoalProgress: Sendable, Equatable {
    package var id: String
    /// The name of the goal in each language; nil if the rules have no name for the goal.
    package var names: LocalizedText?
    /// The window: `day`, `week` or `season`.
    package var every: String
    /// The name of the present window, such as `2026-04-05`.
    package var window: String
    package var value: Double
    package var target: Double
    /// The share of the way to the target, 0 … 1; 1 once the goal is completed in the window.
    package var progress: Double
    /// The time of the completion in the window, in milliseconds since 1970; nil if there was none.
    package var completedAt: Int64?
    /// The number of completions in all windows.
    package var times: Int
}
