// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelWire

// The data of webhooks' messages.

/// An achievement of which a tier was unlocked.
struct AchievementUnlocked: Codable {
    /// The learner's id.
    var learner: String
    /// The achievement's id, as the rules spell it.
    var achievement: String
    /// Language of the track; null for the overall one.
    var language: String?
    /// Number of unlocked tiers.
    var tier: Int
    /// Number of tiers.
    var tiers: Int
}

/// A goal that was completed.
struct GoalCompleted: Codable {
    /// The learner's id.
    var learner: String
    /// The goal's id, as the rules spell it.
    var goal: String
    /// The goal's window: `day`, `week` or `season`.
    var every: String
    /// Number of completions so far, in all windows.
    var times: Int
    /// Time of the event that completed the goal.
    var completedAt: Date
}

/// A level that was reached.
struct LevelReached: Codable {
    /// The learner's id.
    var learner: String
    /// Overall level that was reached.
    var level: Int
}

/// A balance that an event has changed.
struct BalanceChanged: Codable {
    /// The learner's id.
    var learner: String
    /// Name of the currency.
    var currency: String
    /// Balance at the learner's latest event; negative if corrections took more than there was.
    var balance: Int
    /// Difference from the balance before the newly stored events, refills included; negative if the balance fell.
    var change: Int
    /// Time of the next refill; null if nothing refills.
    var nextRefillAt: Date?
}

/// A learner's result of a week in a league.
struct LeagueFinished: Codable {
    /// The learner's id.
    var learner: String
    /// The league's name in the rules.
    var league: String
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    var week: String
    /// The tier in that week.
    var tier: String
    /// The tier for the next week.
    var next: String
    /// The outcome of the week: `promoted`, `stayed` or `demoted`.
    var outcome: String
    /// The rank in the room, from 1; null if the learner did not compete.
    var rank: Int?
    /// The number of learners in the room; null if the learner did not compete.
    var of: Int?
    /// The learner's XP of the week that counted; negative if more was taken than given.
    var xp: Int
}

/// A streak that has begun.
struct StreakStarted: Codable {
    /// The learner's id.
    var learner: String
    /// First day of the streak; of a weekly streak, the first day of its first week.
    var day: LocalDay
}

/// A streak that has grown.
struct StreakExtended: Codable {
    /// The learner's id.
    var learner: String
    /// Streak, in days.
    var days: Int
    /// Latest active day by the learner's clock; null if there is none.
    var day: LocalDay?
}

/// Streak freezes that were earned or granted.
struct FreezeEarned: Codable {
    /// The learner's id.
    var learner: String
    /// Number of new freezes.
    var count: Int
    /// Number of unused freezes.
    var freezes: Int
}

/// A missed day on which a freeze saved a streak.
struct FreezeUsed: Codable {
    /// The learner's id.
    var learner: String
    /// Missed day by the learner's clock; of a weekly streak, the first day of the week.
    var day: LocalDay
    /// Streak, in days.
    var days: Int
    /// Number of freezes that are left.
    var freezes: Int
}

/// A streak that is about to end.
struct StreakAtRisk: Codable {
    /// The learner's id.
    var learner: String
    /// Streak, in days.
    var days: Int
    /// End of the learner's local day.
    var endsAt: Date
}

/// A streak that has ended.
struct StreakLost: Codable {
    /// The learner's id.
    var learner: String
    /// Missed day by the learner's clock; of a weekly streak, the first day of the week.
    var day: LocalDay
    /// Length of the lost streak, in days.
    var days: Int
}

/// A reminder for a learner who has not practised on the local day.
struct ReminderDue: Codable {
    /// The learner's id.
    var learner: String
    /// Streak that practice would continue, in days; 0 without a streak.
    var days: Int
    /// Hour of the learner's wall clock for which the reminder was due.
    var hour: Int
}

/// The numbers of a learner's week that has ended.
struct RecapDue: Codable {
    /// The learner's id.
    var learner: String
    /// First day of the week.
    var from: LocalDay
    /// Last day of the week.
    var through: LocalDay
    /// Number of days with practice.
    var activeDays: Int
    /// Whole minutes of practice.
    var minutes: Int
    /// XP of these days; negative if more was taken than given.
    var xp: Int
    /// Number of dialog lines that were spoken.
    var lines: Int
    /// Number of reviews, including repeated reviews of a word.
    var reviews: Int
    /// Number of words that became known.
    var newWords: Int
    /// Number of words that became learned.
    var learnedWords: Int
}

/// A goal that a group has completed.
struct GroupGoalCompleted: Codable {
    /// The group's id.
    var group: String
    /// The goal's id, as the rules spell it.
    var goal: String
    /// The goal's window: `day` or `week`.
    var every: String
    /// The window in which the goal is complete: a date, or the name of a week.
    var window: String
    /// Sum that completes the goal.
    var target: Double
}

/// A group's streak that is about to end.
struct GroupStreakAtRisk: Codable {
    /// The group's id.
    var group: String
    /// Streak of the group, in days.
    var days: Int
    /// Number of members who must practise for the group's day to count.
    var needed: Int
    /// Number of members who have practised on the group's day.
    var practised: Int
    /// End of the group's day: the time when the local day has ended for the last member.
    var endsAt: Date
}

/// A word that is mastered.
struct WordMastered: Codable {
    /// The learner's id.
    var learner: String
    /// Language of the word.
    var language: String
    /// The word's id, as the app gave it.
    var word: String
}
