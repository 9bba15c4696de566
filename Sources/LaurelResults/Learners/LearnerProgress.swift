// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A learner's progress in one track, as of an instant. A track is one language, or all languages together.
public struct LearnerProgress: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The name that others see; nil if no event gave one.
    public var displayName: String?
    /// The streak in days, as of the instant's local day, or as of the latest active day if that is later.
    public var currentStreak = 0
    /// The longest streak up to that day, in days.
    public var longestStreak = 0
    /// The freezes held on that day.
    public var streakFreezes = 0
    /// The latest active day; nil if there is none.
    public var lastActivityDate: LocalDay?
    /// Whole minutes of practice on the local day of the instant.
    public var todayMinutes = 0
    /// The practice goal in minutes a day, 1 … 1440. It is 15 if no event sets another goal.
    public var dailyGoalMinutes = 15
    /// The XP of all time; negative if more was taken than given.
    public var totalXP = 0
    /// The XP of events on the instant's local day; negative if more was taken than given.
    public var todayXP = 0
    /// The XP of events whose local day is in the week of the instant's local day; negative if more was taken than given.
    public var weeklyXP = 0
    /// The XP of each bucket, without zeros, in byte order of the buckets.
    public var xpBreakdown = NumbersByName()
    /// The level, from 1.
    public var currentLevel = 1
    /// The progress towards the next level in percent, 0 … 100, not rounded; 100 if there is no next level.
    public var levelProgressPercent = 0.0
    /// The XP still needed for the next level; nil if there is no next level.
    public var xpToNextLevel: Int?
    /// The number of known words. A word is known from its first event until it is removed.
    public var totalWordsKnown = 0
    /// The number of known words that count as learned.
    public var totalWordsLearned = 0
    /// The number of known words that are due for review at the instant.
    public var wordsDueForReview = 0
    /// The known words by stage.
    public var vocabulary = MasteryCounts()
    /// 100 × learned ÷ known, in percent, not rounded; 0 if no word is known.
    public var vocabularyMasteryPercent = 0.0
    /// The number of ended sessions.
    public var totalSessions = 0
    /// Whole minutes of practice of all time, within ended sessions and outside sessions.
    public var totalMinutesPlayed = 0
    /// The number of ended sessions with mode solo or without a mode.
    public var soloSessions = 0
    /// The number of ended sessions with mode host or client.
    public var multiplayerSessions = 0
    /// The number of misunderstandings that were cleared up.
    public var successfulRepairs = 0
    /// The number of times that the learner helped others.
    public var helpGiven = 0
    /// The number of times that the learner's team won.
    public var teamWins = 0
    /// The CEFR level for the score that the rules compute; nil for all languages together, and if the rules estimate
    /// no level.
    public var estimatedCEFR: CEFRLevel?
    /// The progress towards the next CEFR level in percent, 0 … 100, not rounded; 100 in C2; nil without an estimate.
    public var cefrProgressPercent: Double?
    /// The total of each metric, in the order of the rules.
    public var metrics = NumbersByName()
    /// `xp`, and each metric that the rules read as `day.NAME`, on the instant's local day; 0 if nothing happened on
    /// that day.
    public var day = NumbersByName()
    /// `xp`, and each metric that the rules read as `week.NAME`, in the week of the instant's local day.
    public var week = NumbersByName()
    /// `xp`, and each metric that the rules read as `season.NAME`, in the season of the instant's local day. If the rules
    /// have no seasons, it is nil and left out of the JSON.
    public var season: NumbersByName?
    /// The learner's variant in each experiment on the instant's local day. For a language's track, and if the rules have
    /// no experiments, it is nil and left out of the JSON.
    public var experiments: TextsByName?
    /// The achievements of the track, in the order of the rules.
    public var achievements: [Achievement] = []
    /// The number of events that count, excluding void events.
    public var events = 0
    /// The goals that can be completed on the instant's local day, in the order of the rules. In a language's track, and if
    /// the rules have no goals, it is nil and left out of the JSON.
    public var goals: [Goal]?
    /// The balance of each currency. In a language's track, and if the rules have no currencies, it is nil and left out
    /// of the JSON.
    public var balances: NumbersByName?
    /// The next refill of each balance that is refilled at present. It is nil where `balances` is.
    public var nextRefillAt: InstantsByName?
    /// The number of bought items, for each item of the rules. In a language's track, and if the rules have no items, it
    /// is nil and left out of the JSON.
    public var items: NumbersByName?
    /// The number of events that exceed a limit of the rules and are therefore flagged. If the rules have no limits, it is
    /// nil and left out of the JSON.
    public var flaggedEvents: Int?
    /// The XP of flagged events. It is part of the XP of all time, but leaderboards leave it out. It is nil where
    /// `flaggedEvents` is.
    public var flaggedXP: Int?
    /// The version of the rules that applies to the learner. If the rules have only one version, it is nil and left out
    /// of the JSON.
    public var rules: RulesVersion?

    /// Creates a value, for previews and tests.
    public init(learner: String, language: String? = nil) {
        self.learner = learner
        self.language = language
    }

    /// A learner's progress towards one achievement.
    public struct Achievement: Codable, Sendable, Hashable, Identifiable {
        /// The achievement's id, as the rules spell it.
        public var id: String
        /// The name that learners see, in the reader's language if the rules give the name in it.
        public var name: String
        /// The number of unlocked tiers; 0 while it is locked.
        public var tier: Int
        /// The number of tiers.
        public var tiers: Int
        /// The time when the latest tier was unlocked; nil while none is.
        public var unlockedAt: Date?
        /// The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked.
        public var progress: Double

        /// Creates a value, for previews and tests.
        public init(id: String, name: String, tier: Int, tiers: Int, unlockedAt: Date?, progress: Double) {
            (self.id, self.name, self.tier, self.tiers) = (id, name, tier, tiers)
            (self.unlockedAt, self.progress) = (unlockedAt, progress)
        }
    }

    /// A learner's progress towards a goal in the window that contains the instant's local day.
    public struct Goal: Codable, Sendable, Hashable, Identifiable {
        /// The goal's id, as the rules spell it.
        public var id: String
        /// The name that learners see, in the reader's language if the rules give the name in it; nil if they give none.
        public var name: String?
        /// The window in which the goal begins anew: `day`, `week` or `season`.
        public var every: String
        /// The value so far in the window.
        public var value: Double
        /// The value that completes the goal, above 0.
        public var target: Double
        /// The progress towards the target, 0 … 1; 1 once the goal is completed in the window.
        public var progress: Double
        /// The time when the goal was completed in the window; nil if it was not.
        public var completedAt: Date?
        /// The number of completions in all windows.
        public var times: Int

        /// Creates a value, for previews and tests.
        public init(
            id: String,
            name: String?,
            every: String,
            value: Double,
            target: Double,
            progress: Double,
            completedAt: Date?,
            times: Int
        ) {
            (self.id, self.name, self.every, self.value, self.target) = (id, name, every, value, target)
            (self.progress, self.completedAt, self.times) = (progress, completedAt, times)
        }
    }

    /// A version of the rules.
    public struct RulesVersion: Codable, Sendable, Hashable {
        /// The rules' name.
        public var name: String
        /// The first local day on which it is in force; nil if it is in force from the beginning.
        public var from: LocalDay?

        /// Creates a value, for previews and tests.
        public init(name: String, from: LocalDay?) { (self.name, self.from) = (name, from) }
    }

    private enum CodingKeys: String, OmittableKey {
        case learner = "userId"
        case language, displayName, currentStreak, longestStreak, streakFreezes, lastActivityDate, todayMinutes
        case dailyGoalMinutes, totalXP, todayXP, weeklyXP, xpBreakdown, currentLevel, levelProgressPercent
        case xpToNextLevel, totalWordsKnown
        case totalWordsLearned, wordsDueForReview, vocabulary, vocabularyMasteryPercent, totalSessions
        case totalMinutesPlayed, soloSessions, multiplayerSessions, successfulRepairs, helpGiven, teamWins
        case estimatedCEFR, cefrProgressPercent, metrics, day, week, season, experiments, achievements, events
        case balances, nextRefillAt, items, goals, flaggedEvents, flaggedXP, rules

        var isOmittedIfNil: Bool {
            switch self {
            case .season, .experiments, .balances, .nextRefillAt, .items, .goals, .flaggedEvents, .flaggedXP, .rules:
                true
            default: false
            }
        }
    }
}

/// Known words by stage. The four numbers add up to all known words.
public struct MasteryCounts: Codable, Sendable, Hashable {
    /// The number of words that have mastery 0 and were never reviewed.
    public var new = 0
    /// The number of words that have mastery 1 or 2, or mastery 0 after a review.
    public var learning = 0
    /// The number of words that have mastery 3 or 4.
    public var reviewing = 0
    /// The number of words that have mastery 5.
    public var mastered = 0

    /// Creates a value, for previews and tests.
    public init() {}

    /// Creates a value, for previews and tests.
    public init(new: Int, learning: Int, reviewing: Int, mastered: Int) {
        (self.new, self.learning, self.reviewing, self.mastered) = (new, learning, reviewing, mastered)
    }
}
