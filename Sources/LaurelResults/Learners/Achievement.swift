// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An achievement, and the learner's progress towards it.
public struct Achievement: Codable, Sendable, Hashable, Identifiable {
    /// The achievement's id, as the rules spell it.
    public var id: String
    /// The name that learners see.
    public var name: String
    /// A sentence for learners that says how the achievement is unlocked.
    public var description: String
    /// The category, such as `SOCIAL`; nil if the rules give none.
    public var category: String?
    /// The language of the track; nil for the overall one.
    public var language: String?
    /// The number of unlocked tiers; 0 while it is locked.
    public var tier: Int
    /// The number of tiers.
    public var tiers: Int
    /// The time when the latest tier was unlocked; nil while none is.
    public var unlockedAt: Date?
    /// The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked.
    public var progress: Double
    /// The local days on which it can be unlocked; nil if there is no limit.
    public var period: ActivePeriod?

    /// True if the first tier is unlocked. Every count of unlocked achievements uses this property.
    public var isUnlocked: Bool { tier > 0 }
    /// True if all tiers are unlocked.
    public var isComplete: Bool { tier == tiers }

    /// Creates a value, for previews and tests.
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
