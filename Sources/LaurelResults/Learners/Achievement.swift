// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An achievement, with how far the learner is.
public struct Achievement: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    /// What people call it.
    public var name: String
    /// What it is given for, for people.
    public var description: String
    /// Such as `SOCIAL`: the rules say which there are.
    public var category: String?
    /// nil for one over all languages.
    public var language: String?
    /// Tiers unlocked so far, and how many there are.
    public var tier: Int
    /// How many tiers there are.
    public var tiers: Int
    /// Of the latest tier unlocked.
    public var unlockedAt: Date?
    /// 0 … 1, towards the next locked tier; 1 when all are unlocked.
    public var progress: Double
    /// Where it can be unlocked on some local days only; nil if it always can.
    public var period: ActivePeriod?

    /// Whether at least its first tier is: what every count of unlocked achievements counts.
    public var isUnlocked: Bool { tier > 0 }
    /// Whether all tiers are.
    public var isComplete: Bool { tier == tiers }

    /// Creates one, for previews and tests.
    public init(
        id: String,
        name: String,
        description: String,
        category: String?,
        language: String?,
        tier: Int,
        tiers: Int,
        unlockedAt: Date?,
        progress: Double,
        period: ActivePeriod?
    ) {
        (self.id, self.name, self.description) = (id, name, description)
        (self.category, self.language) = (category, language)
        (self.tier, self.tiers, self.unlockedAt) = (tier, tiers, unlockedAt)
        (self.progress, self.period) = (progress, period)
    }

    private enum CodingKeys: CodingKey {
        case id, name, description, category, language, tier, tiers, unlockedAt, progress
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(description, forKey: .description)
        try container.encodeIfPresent(category, forKey: .category)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(tier, forKey: .tier)
        try container.encode(tiers, forKey: .tiers)
        try container.encodeIfPresent(unlockedAt, forKey: .unlockedAt)
        try container.encode(progress, forKey: .progress)
        try period?.encode(to: encoder)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        description = try container.decode(String.self, forKey: .description)
        category = try container.decodeIfPresent(String.self, forKey: .category)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        tier = try container.decode(Int.self, forKey: .tier)
        tiers = try container.decode(Int.self, forKey: .tiers)
        unlockedAt = try container.decodeIfPresent(Date.self, forKey: .unlockedAt)
        progress = try container.decode(Double.self, forKey: .progress)
        let period = try ActivePeriod(from: decoder)
        self.period = period.isAlways ? nil : period
    }
}
