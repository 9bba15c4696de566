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
    /// The streak in days, as of the requested instant. If none was requested, as of the learner's latest practice.
    public var currentStreak: Int
    /// The number of known words that count as learned.
    public var totalWordsLearned: Int
    /// The number of events that count, excluding void events.
    public var events: Int
    /// The time of the latest event that counts; nil if there is none.
    public var lastEventAt: Date?
    /// The time of the latest event of practice; nil if there is none. Profile changes and corrections are not
    /// practice.
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
