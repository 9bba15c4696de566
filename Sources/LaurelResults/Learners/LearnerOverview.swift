// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A learner's headline numbers, all languages together.
public struct LearnerOverview: Codable, Sendable, Hashable, Identifiable {
    /// The learner's id.
    public var id: String
    /// As others see it; nil if no event gave one.
    public var displayName: String?
    /// Such as a class; nil if no event gave one.
    public var cohort: String?
    /// From 1.
    public var currentLevel: Int
    /// XP of all time.
    public var totalXP: Int
    /// In days, as of the latest event or the instant asked for.
    public var currentStreak: Int
    /// Words that count as learned.
    public var totalWordsLearned: Int
    /// Counted events, without void ones.
    public var events: Int
    /// When the last event was; nil without any.
    public var lastEventAt: Date?

    /// Creates one, for previews and tests.
    public init(
        id: String,
        displayName: String? = nil,
        cohort: String? = nil,
        currentLevel: Int,
        totalXP: Int,
        currentStreak: Int,
        totalWordsLearned: Int,
        events: Int,
        lastEventAt: Date?
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
    }

    private enum CodingKeys: String, CodingKey {
        case id = "userId"
        case displayName, cohort, currentLevel, totalXP, currentStreak, totalWordsLearned, events, lastEventAt
    }
}
