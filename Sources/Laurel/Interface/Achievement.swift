public import Foundation

/// An achievement, with how far the learner is.
public struct Achievement: Sendable, Hashable {
    public let id: String
    public let name: String
    public let description: String
    /// Such as `SOCIAL`: the rules say which there are.
    public let category: String?
    /// nil for one over all languages.
    public let language: String?
    /// Tiers unlocked so far, and how many there are.
    public let tier: Int
    public let tiers: Int
    /// Of the latest tier unlocked.
    public let unlockedAt: Date?
    /// 0 … 1, towards the next locked tier; 1 when all are unlocked.
    public let progress: Double

    /// Whether at least its first tier is: what every count of unlocked achievements counts.
    public var isUnlocked: Bool { tier > 0 }
    /// Whether all tiers are.
    public var isComplete: Bool { tier == tiers }

    init(_ record: AchievementRecord) {
        id = record.id
        name = record.name
        description = record.description
        category = record.category
        language = record.language
        tier = record.tier
        tiers = record.tiers
        unlockedAt = record.unlockedAt.map(Date.init(milliseconds:))
        progress = record.progress
    }
}
