public import Foundation

/// A learner's headline numbers, all languages together.
public struct LearnerOverview: Codable, Sendable, Hashable, Identifiable {
    /// The learner's id.
    public var id: String
    public var displayName: String?
    public var cohort: String?
    /// From 1.
    public var currentLevel: Int
    public var totalXP: Int
    /// In days, as of the latest event or the instant asked for.
    public var currentStreak: Int
    public var totalWordsLearned: Int
    /// Counted events, without void ones.
    public var events: Int
    public var lastEventAt: Date?

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
