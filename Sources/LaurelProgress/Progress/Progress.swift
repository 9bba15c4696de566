/// A learner's progress in one track as of an instant.
public struct UserProgress: Sendable, Equatable {
    public var userId: String
    /// nil for the overall track.
    public var language: String?
    public var displayName: String?
    /// In days, as of the instant's local day, or the latest active day if that is later.
    public var currentStreak = 0
    public var longestStreak = 0
    /// Freezes held.
    public var streakFreezes = 0
    /// The latest active day, `YYYY-MM-DD`.
    public var lastActivityDate: String?
    public var todayMinutes = 0
    public var dailyGoalMinutes = 15
    public var totalXP: Double = 0
    /// Of the events whose local day is in the week of the instant's.
    public var weeklyXP: Double = 0
    /// Bucket → XP, where not 0, in byte order.
    public var xpBreakdown: [NamedNumber] = []
    public var currentLevel = 1
    /// 0 … 100.
    public var levelProgressPercent: Double = 0
    public var totalWordsKnown = 0
    public var totalWordsLearned = 0
    public var wordsDueForReview = 0
    public var vocabulary = VocabularyBuckets()
    /// 100 × learned ÷ known; 0 where none is known.
    public var vocabularyMasteryPercent: Double = 0
    public var totalSessions = 0
    public var totalMinutesPlayed = 0
    public var soloSessions = 0
    public var multiplayerSessions = 0
    public var successfulRepairs = 0
    public var helpGiven = 0
    public var teamWins = 0
    /// An estimate by the rules' score; nil overall, and where the rules have none.
    public var estimatedCEFR: String?
    public var cefrProgressPercent: Double?
    /// Metric → total, in file order.
    public var metrics: [NamedNumber] = []
    /// Those of the track's scope, in file order.
    public var achievements: [AchievementProgress] = []
    /// Folded events, without void ones.
    public var events = 0
    /// The version of the rules that the learner is in; nil where the rules have one version.
    public var rules: RulesVersion?

    init(userId: String, language: String?) {
        self.userId = userId
        self.language = language
    }
}

/// A version of the rules.
public struct RulesVersion: Sendable, Equatable {
    public var name: String
    /// The local day from which it is in force, `YYYY-MM-DD`; nil: from the beginning.
    public var from: String?
}

/// In this package's own modules, where no `Progress` of Foundation stands beside it.
package typealias Progress = UserProgress

/// Known words by where they stand.
public struct VocabularyBuckets: Sendable, Equatable {
    public var new = 0
    public var learning = 0
    public var reviewing = 0
    public var mastered = 0

    public init() {}
}

/// How far a learner is with one achievement.
public struct AchievementProgress: Sendable, Equatable {
    public var id: String
    /// Tiers unlocked so far.
    public var tier: Int
    public var tiers: Int
    /// Milliseconds since 1970, of the latest tier unlocked.
    public var unlockedAt: Int64?
    /// 0 … 1, towards the next locked tier.
    public var progress: Double
    public var isHidden: Bool
}
