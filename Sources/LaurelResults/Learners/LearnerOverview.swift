// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A learner's most important numbers, all languages together.
public struct LearnerOverview: Codable, Sendable, Hashable, Identifiable {
    /// The learner's id.
    public var id: String
    /// The name that others see; nil if no event gave one.
    public var displayName: String?
    /// The learner's group, such as a class; nil if no event gave one.
    public var cohort: String?
    /// The level, from 1.
    public var currentLevel: Int
    /// The XP of all time; negative if more was taken than given.
    public var totalXP: Int
    /// The streak in days, as of the instant asked about, or else of the learner's latest practice.
    public var currentStreak: Int
    /// The number of known words that count as learned.
    public var totalWordsLearned: Int
    /// The number of events that count, without void ones.
    public var events: Int
    /// The time when the latest event that counts happened; nil without any.
    public var lastEventAt: Date?
    /// The time of the latest event that could make a day count; profiles and corrections cannot. nil without any.
    public var lastPracticeAt: Date?

    /// Creates a value, for previews and tests.
    public init(
        id: String,
        displayName: String? = nil,
        cohort: String? = nil,
        currentLevel: Int,
        totalXP: Int,
        currentStreak: Int,
        totalWordsLearned: Int,
        events: Int,
        lastEventAt: Date?,
        lastPracticeAt: Date? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.cohort = cohort
        self.currentLevel = currentLevel
        self.totalXP = totalXP
        self.currentStreak = currentStreak
        self.totalWordsLearned = totalWordsLearned
        self.events = events
        self.lastEventAt = lastEventAt
        self.lastPracticeAt = lastPracticeAt
    }

    private enum CodingKeys: String, CodingKey {
        case id = "learner"
        case displayName, cohort, currentLevel, totalXP, currentStreak, totalWordsLearned, events, lastEventAt
        case lastPracticeAt
    }
}
