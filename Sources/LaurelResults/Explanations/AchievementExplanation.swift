// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The history of an achievement, and the conditions of its next tier.
public struct AchievementExplanation: Sendable, Hashable, Identifiable {
    /// The achievement's id, as the rules spell it.
    public var id: String
    /// The name that learners see.
    public var name: String
    /// A sentence for learners that says how the achievement is unlocked.
    public var description: String
    /// The local days on which it can be unlocked; nil if there is no limit.
    public var period: ActivePeriod?
    /// The language of the track; nil for the overall one.
    public var language: String?
    /// True if lists leave it out until its first tier is unlocked.
    public var isHidden = false
    /// The expression that is compared with the thresholds, as written in the rules.
    public var value: String
    /// The condition that must also hold, as written in the rules; nil if there is none.
    public var when: String?
    /// The threshold of each tier, the lowest tier first.
    public var thresholds: [Threshold] = []
    /// The number of unlocked tiers; 0 while it is locked.
    public var tier = 0
    /// The number of tiers.
    public var tiers = 0
    /// The time when the latest tier was unlocked; nil while none is.
    public var unlockedAt: Date?
    /// The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked.
    public var progress = 0.0
    /// True if it was revoked. It then stays locked until it is granted.
    public var isRevoked = false
    /// The achievements that must be unlocked first.
    public var requires: [Requirement] = []
    /// The changes that events made to the achievement, in the learner's order.
    public var history: [Change] = []
    /// The achievement's grants and revocations that a correction voids.
    public var voided: [EventReference] = []
    /// The values at the last event at which the achievement was evaluated; nil if it was never evaluated. It is
    /// evaluated only while a tier is locked.
    public var latest: Reading?
    /// The reading with the largest value since the last revocation, among readings where `when` and `requires` held;
    /// nil if there is none.
    public var best: Reading?
    /// The XP that each tier brings. The JSON leaves it out, so it is nil in a decoded explanation.
    public var xpPerTier: Int?

    /// Creates a value, for previews and tests.
    public init(id: String, name: String, description: String, value: String) {
        (self.id, self.name, self.description, self.value) = (id, name, description, value)
    }

    /// The value from which a tier is unlocked.
    public struct Threshold: Codable, Sendable, Hashable {
        /// The tier's number, from 1.
        public var tier: Int
        /// The value that unlocks it.
        public var atLeast: Double
        /// True if the learner has this tier.
        public var isUnlocked: Bool

        /// Creates a value, for previews and tests.
        public init(tier: Int, atLeast: Double, isUnlocked: Bool) {
            (self.tier, self.atLeast, self.isUnlocked) = (tier, atLeast, isUnlocked)
        }

        private enum CodingKeys: String, CodingKey {
            case tier, atLeast
            case isUnlocked = "unlocked"
        }
    }

    /// Another achievement that must be unlocked first, with all its tiers.
    public struct Requirement: Codable, Sendable, Hashable, Identifiable {
        /// The id of the required achievement.
        public var id: String
        /// The number of its unlocked tiers.
        public var tier: Int
        /// The number of its tiers.
        public var tiers: Int
        /// True if all its tiers are unlocked.
        public var isUnlocked: Bool

        /// Creates a value, for previews and tests.
        public init(id: String, tier: Int, tiers: Int) {
            (self.id, self.tier, self.tiers, isUnlocked) = (id, tier, tiers, tier == tiers)
        }

        private enum CodingKeys: String, CodingKey {
            case id = "achievement"
            case tier, tiers
            case isUnlocked = "unlocked"
        }
    }

    /// A change that an event made to the achievement.
    public struct Change: Sendable, Hashable {
        /// The kinds of changes to an achievement.
        public enum Kind: Sendable, Hashable {
            /// The value reached the thresholds of these tiers. Tiers count from 1.
            case unlocked(ClosedRange<Int>)
            /// `achievement.granted` unlocked these tiers; nil if all tiers were unlocked already.
            case granted(ClosedRange<Int>?)
            /// `achievement.revoked` locked this many tiers.
            case revoked(Int)
        }

        /// The kind of change.
        public var kind: Kind
        /// The XP of the change; negative if rewards were taken back.
        public var xp: Int
        /// The reason that an administrator gave; nil if none was given.
        public var reason: String?
        /// The event that made the change.
        public var event: EventReference
        /// The values at the event that unlocked the tiers; nil for grants and revocations.
        public var reading: Reading?

        /// Creates a value, for previews and tests.
        public init(kind: Kind, xp: Int, reason: String?, event: EventReference, reading: Reading?) {
            (self.kind, self.xp, self.reason, self.event, self.reading) = (kind, xp, reason, event, reading)
        }
    }

    /// The value and the condition of an achievement at one event.
    public struct Reading: Codable, Sendable, Hashable {
        /// The event at which the values were read.
        public var event: EventReference
        /// The rule's `value`.
        public var value: ExplainedExpression
        /// The rule's `when`; nil if it has none.
        public var when: ExplainedExpression?
        /// The ids of the required achievements that were not fully unlocked.
        public var missing: [String]

        /// Creates a value, for previews and tests.
        public init(
            event: EventReference,
            value: ExplainedExpression,
            when: ExplainedExpression?,
            missing: [String]
        ) {
            (self.event, self.value, self.when, self.missing) = (event, value, when, missing)
        }

        /// True if `when` and `requires` held, so that the value counted.
        public var isOpen: Bool { missing.isEmpty && when?.isTrue ?? true }
    }
}

// MARK: JSON

extension AchievementExplanation: Codable {
    private enum CodingKeys: String, CodingKey {
        case id = "achievement"
        case name, description, language
        case isHidden = "hidden"
        case value, when, thresholds, tier, tiers, unlockedAt, progress
        case isRevoked = "revoked"
        case requires, history, voided, latest, best
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        // The members of a period are members of this object. They are null if there is no period.
        try (period ?? ActivePeriod(from: nil, through: nil, place: .within)).encode(to: encoder)
        try container.encode(description, forKey: .description)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(isHidden, forKey: .isHidden)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(when, forKey: .when)
        try container.encode(thresholds, forKey: .thresholds)
        try container.encode(tier, forKey: .tier)
        try container.encode(tiers, forKey: .tiers)
        try container.encodeIfPresent(unlockedAt, forKey: .unlockedAt)
        try container.encode(progress, forKey: .progress)
        try container.encode(isRevoked, forKey: .isRevoked)
        try container.encode(requires, forKey: .requires)
        try container.encode(history, forKey: .history)
        try container.encode(voided, forKey: .voided)
        try container.encodeIfPresent(latest, forKey: .latest)
        try container.encodeIfPresent(best, forKey: .best)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        let period = try ActivePeriod(from: decoder)
        self.period = period.isAlways ? nil : period
        description = try container.decode(String.self, forKey: .description)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        isHidden = try container.decode(Bool.self, forKey: .isHidden)
        value = try container.decode(String.self, forKey: .value)
        when = try container.decodeIfPresent(String.self, forKey: .when)
        thresholds = try container.decode([Threshold].self, forKey: .thresholds)
        tier = try container.decode(Int.self, forKey: .tier)
        tiers = try container.decode(Int.self, forKey: .tiers)
        unlockedAt = try container.decodeIfPresent(Date.self, forKey: .unlockedAt)
        progress = try container.decode(Double.self, forKey: .progress)
        isRevoked = try container.decode(Bool.self, forKey: .isRevoked)
        requires = try container.decode([Requirement].self, forKey: .requires)
        history = try container.decode([Change].self, forKey: .history)
        voided = try container.decode([EventReference].self, forKey: .voided)
        latest = try container.decodeIfPresent(Reading.self, forKey: .latest)
        best = try container.decodeIfPresent(Reading.self, forKey: .best)
    }
}

extension AchievementExplanation.Change: Codable {
    private enum CodingKeys: CodingKey {
        case kind, xp, reason, event, reading
        /// The first tier that was unlocked, from 1; nil if none was.
        case fromTier
        /// The last tier that was unlocked, from 1; nil if none was.
        case tier
        /// The number of tiers that were locked.
        case tiers
    }

    private enum KindName: String, Codable, CaseIterable {
        case unlocked, granted, revoked
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch kind {
        case .unlocked(let tiers):
            try container.encode(KindName.unlocked, forKey: .kind)
            try container.encode(tiers: tiers, from: .fromTier, through: .tier)
        case .granted(let tiers):
            try container.encode(KindName.granted, forKey: .kind)
            try container.encode(tiers: tiers, from: .fromTier, through: .tier)
        case .revoked(let tiers):
            try container.encode(KindName.revoked, forKey: .kind)
            try container.encode(tiers, forKey: .tiers)
        }
        try container.encode(xp, forKey: .xp)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(event, forKey: .event)
        try container.encodeIfPresent(reading, forKey: .reading)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(KindName.self, forKey: .kind) {
        case .unlocked: kind = .unlocked(try container.decodeTiers(from: .fromTier, through: .tier))
        case .granted:
            let isNew = try container.decodeIfPresent(Int.self, forKey: .tier) != nil
            kind = .granted(isNew ? try container.decodeTiers(from: .fromTier, through: .tier) : nil)
        case .revoked: kind = .revoked(try container.decode(Int.self, forKey: .tiers))
        }
        xp = try container.decode(Int.self, forKey: .xp)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        event = try container.decode(EventReference.self, forKey: .event)
        reading = try container.decodeIfPresent(AchievementExplanation.Reading.self, forKey: .reading)
    }
}
