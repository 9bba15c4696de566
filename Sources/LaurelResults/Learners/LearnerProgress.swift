// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A learner's progress in one track, as of an instant: all languages together, or one of them.
public struct LearnerProgress: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// nil for all languages together.
    public var language: String?
    /// As others see it; nil if no event gave one.
    public var displayName: String?
    /// In days, as of the instant's local day, or the latest active day if that is later.
    public var currentStreak = 0
    /// In days.
    public var longestStreak = 0
    /// Freezes held.
    public var streakFreezes = 0
    /// The last active local day; nil without one.
    public var lastActivityDate: LocalDay?
    /// Minutes of practice on the local day of the question.
    public var todayMinutes = 0
    /// 15 where nobody set another.
    public var dailyGoalMinutes = 15
    /// XP of all time, in whole numbers.
    public var totalXP = 0
    /// Of the events whose local day is in the week of the instant's.
    public var weeklyXP = 0
    /// Bucket → XP, where not 0, in byte order.
    public var xpBreakdown = NumbersByName()
    /// From 1.
    public var currentLevel = 1
    /// 0 … 100, towards the next level.
    public var levelProgressPercent = 0.0
    /// Words met and not removed.
    public var totalWordsKnown = 0
    /// Known words that count as learned.
    public var totalWordsLearned = 0
    /// Known words whose next review is due.
    public var wordsDueForReview = 0
    /// Known words by where they stand.
    public var vocabulary = MasteryCounts()
    /// 100 × learned ÷ known; 0 if none is known.
    public var vocabularyMasteryPercent = 0.0
    /// Sessions that ended.
    public var totalSessions = 0
    /// Minutes of practice of all time.
    public var totalMinutesPlayed = 0
    /// Sessions alone.
    public var soloSessions = 0
    /// Sessions with others.
    public var multiplayerSessions = 0
    /// Misunderstandings that were cleared up.
    public var successfulRepairs = 0
    /// How often others were helped.
    public var helpGiven = 0
    /// How often a team won with them.
    public var teamWins = 0
    /// An estimate by the rules' score; nil for all languages together, and where the rules have none.
    public var estimatedCEFR: CEFRLevel?
    /// 0 … 100, towards the next level of the CEFR.
    public var cefrProgressPercent: Double?
    /// Metric → total, in the order of the rules.
    public var metrics = NumbersByName()
    /// Those of the track, in the order of the rules.
    public var achievements: [Achievement] = []
    /// Counted events, without void ones.
    public var events = 0
    /// The version of the rules that the learner is in; nil if the rules have one version.
    public var rules: RulesVersion?

    /// Creates one, for previews and tests.
    public init(learner: String, language: String? = nil) {
        self.learner = learner
        self.language = language
    }

    /// A learner's progress in one achievement.
    public struct Achievement: Codable, Sendable, Hashable, Identifiable {
        public var id: String
        /// Tiers unlocked so far, and how many there are.
        public var tier: Int
        /// How many tiers there are.
        public var tiers: Int
        /// Of the latest tier unlocked.
        public var unlockedAt: Date?
        /// 0 … 1, towards the next locked tier; 1 when all are unlocked.
        public var progress: Double

        /// Creates one, for previews and tests.
        public init(id: String, tier: Int, tiers: Int, unlockedAt: Date?, progress: Double) {
            (self.id, self.tier, self.tiers, self.unlockedAt, self.progress) = (id, tier, tiers, unlockedAt, progress)
        }
    }

    /// A version of the rules.
    public struct RulesVersion: Codable, Sendable, Hashable {
        /// The rules' name.
        public var name: String
        /// The local day from which it is in force; nil: from the beginning.
        public var from: LocalDay?

        /// Creates one, for previews and tests.
        public init(name: String, from: LocalDay?) { (self.name, self.from) = (name, from) }
    }

    private enum CodingKeys: String, OmittableKey {
        case learner = "userId"
        case language, displayName, currentStreak, longestStreak, streakFreezes, lastActivityDate, todayMinutes
        case dailyGoalMinutes, totalXP, weeklyXP, xpBreakdown, currentLevel, levelProgressPercent, totalWordsKnown
        case totalWordsLearned, wordsDueForReview, vocabulary, vocabularyMasteryPercent, totalSessions
        case totalMinutesPlayed, soloSessions, multiplayerSessions, successfulRepairs, helpGiven, teamWins
        case estimatedCEFR, cefrProgressPercent, metrics, achievements, events, rules

        var isOmittedIfNil: Bool { self == .rules }
    }
}

/// Known words by where they stand.
public struct MasteryCounts: Codable, Sendable, Hashable {
    /// Mastery 0 and never reviewed.
    public var new = 0
    /// Mastery 1 and 2, or 0 with a review.
    public var learning = 0
    /// Mastery 3 and 4.
    public var reviewing = 0
    /// Mastery 5.
    public var mastered = 0

    /// Creates one, for previews and tests.
    public init() {}

    /// Creates one, for previews and tests.
    public init(new: Int, learning: Int, reviewing: Int, mastered: Int) {
        (self.new, self.learning, self.reviewing, self.mastered) = (new, learning, reviewing, mastered)
    }
}
