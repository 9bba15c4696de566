// SPDX-License-Identifier: Apache-2.0

package import LaurelRules

/// A learner's progress in one track as of an instant.
package struct FoldedProgress: Sendable, Equatable {
    package var userId: String
    /// nil for the overall track.
    package var language: String?
    package var displayName: String?
    /// In days, as of the instant's local day, or the latest active day if that is later.
    package var currentStreak = 0
    package var longestStreak = 0
    /// Freezes held.
    package var streakFreezes = 0
    /// The latest active day, `YYYY-MM-DD`.
    package var lastActivityDate: String?
    package var todayMinutes = 0
    package var dailyGoalMinutes = 15
    package var totalXP: Double = 0
    /// The XP of the events of the instant's local day.
    package var todayXP: Double = 0
    /// Of the events whose local day is in the week of the instant's.
    package var weeklyXP: Double = 0
    /// Bucket → XP, where not 0, in byte order.
    package var xpBreakdown: [NamedNumber] = []
    package var currentLevel = 1
    /// 0 … 100.
    package var levelProgressPercent: Double = 0
    /// Rounded up, as XP is whole and a level may start between; nil at the highest level.
    package var xpToNextLevel: Double?
    package var totalWordsKnown = 0
    package var totalWordsLearned = 0
    package var wordsDueForReview = 0
    package var vocabulary = VocabularyBuckets()
    /// 100 × learned ÷ known; 0 if none is known.
    package var vocabularyMasteryPercent: Double = 0
    package var totalSessions = 0
    package var totalMinutesPlayed = 0
    package var soloSessions = 0
    package var multiplayerSessions = 0
    package var successfulRepairs = 0
    package var helpGiven = 0
    package var teamWins = 0
    /// An estimate by the rules' score; nil overall, and where the rules have none.
    package var estimatedCEFR: String?
    package var cefrProgressPercent: Double?
    /// Metric → total, in file order.
    package var metrics: [NamedNumber] = []
    /// XP of the instant's local day, and the metrics that the rules read in the day's window.
    package var day: [NamedNumber] = []
    /// The same of the week.
    package var week: [NamedNumber] = []
    /// Those of the track's scope, in file order.
    package var achievements: [AchievementProgress] = []
    /// Folded events, without void ones.
    package var events = 0
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

/// Known words by where they stand.
package struct VocabularyBuckets: Sendable, Equatable {
    package var new = 0
    package var learning = 0
    package var reviewing = 0
    package var mastered = 0

    package init() {}
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
