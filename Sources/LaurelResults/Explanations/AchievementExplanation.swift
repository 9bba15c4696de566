// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How an achievement was unlocked, or what it still takes.
public struct AchievementExplanation: Sendable, Hashable, Identifiable {
    public var id: String
    /// What people call it.
    public var name: String
    /// What it is given for, for people.
    public var description: String
    /// Where it can be unlocked on some local days only; nil if it always can.
    public var period: ActivePeriod?
    /// nil for one over all languages.
    public var language: String?
    /// Whether it stays out of listings until it is unlocked.
    public var isHidden = false
    /// What is measured, as written in the rules.
    public var value: String
    /// What must hold besides, as written in the rules.
    public var when: String?
    /// One per tier, the lowest first.
    public var thresholds: [Threshold] = []
    /// Tiers unlocked so far, and how many there are.
    public var tier = 0
    /// How many tiers there are.
    public var tiers = 0
    /// Of the latest tier unlocked.
    public var unlockedAt: Date?
    /// 0 … 1, towards the next locked tier; 1 when all are unlocked.
    public var progress = 0.0
    /// Whether it was revoked, and stays locked until it is granted.
    public var isRevoked = false
    /// Other achievements that have to be unlocked first.
    public var requires: [Requirement] = []
    /// In the learner's order.
    public var history: [Change] = []
    /// Grants and revocations that corrections void.
    public var voided: [EventReference] = []
    /// When it was last looked at while locked; nil if it never was.
    public var latest: Reading?
    /// The best so far, while `when` and `requires` held; nil if they never did.
    public var best: Reading?
    /// The reward of each tier. It is not in the JSON: nil if the explanation was decoded.
    public var xpPerTier: Int?

    /// Creates one, for previews and tests.
    public init(id: String, name: String, description: String, value: String) {
        (self.id, self.name, self.description, self.value) = (id, name, description, value)
    }

    /// Where a tier begins.
    public struct Threshold: Codable, Sendable, Hashable {
        /// From 1.
        public var tier: Int
        /// The value that unlocks it.
        public var atLeast: Double
        /// Whether the learner has this tier.
        public var isUnlocked: Bool

        /// Creates one, for previews and tests.
        public init(tier: Int, atLeast: Double, isUnlocked: Bool) {
            (self.tier, self.atLeast, self.isUnlocked) = (tier, atLeast, isUnlocked)
        }

        private enum CodingKeys: String, CodingKey {
            case tier, atLeast
            case isUnlocked = "unlocked"
        }
    }

    /// Another achievement that must be fully unlocked first.
    public struct Requirement: Codable, Sendable, Hashable, Identifiable {
        public var id: String
        /// Tiers unlocked so far, and how many there are.
        public var tier: Int
        /// How many tiers it has.
        public var tiers: Int
        /// Whether all of them are.
        public var isUnlocked: Bool

        /// Creates one, for previews and tests.
        public init(id: String, tier: Int, tiers: Int) {
            (self.id, self.tier, self.tiers, isUnlocked) = (id, tier, tiers, tier == tiers)
        }

        private enum CodingKeys: String, CodingKey {
            case id = "achievement"
            case tier, tiers
            case isUnlocked = "unlocked"
        }
    }

    /// What an event did to it.
    public struct Change: Sendable, Hashable {
        /// What happened to the achievement.
        public enum Kind: Sendable, Hashable {
            /// The value reached the thresholds of these tiers, which count from 1.
            case unlocked(ClosedRange<Int>)
            /// `achievement.granted`: the tiers that it unlocked, if any were locked.
            case granted(ClosedRange<Int>?)
            /// `achievement.revoked`: how many tiers were held.
            case revoked(Int)
        }

        /// What happened.
        public var kind: Kind
        /// The rewards, negative where they were taken back.
        public var xp: Int
        /// What an administrator gave as the reason; nil if none was given.
        public var reason: String?
        /// The event that did it.
        public var event: EventReference
        /// What unlocked it; nil for grants and revocations.
        public var reading: Reading?

        /// Creates one, for previews and tests.
        public init(kind: Kind, xp: Int, reason: String?, event: EventReference, reading: Reading?) {
            (self.kind, self.xp, self.reason, self.event, self.reading) = (kind, xp, reason, event, reading)
        }
    }

    /// Its value and condition at an event.
    public struct Reading: Codable, Sendable, Hashable {
        /// The event at which it was read.
        public var event: EventReference
        /// The rule's `value`.
        public var value: ExplainedExpression
        /// The rule's `when`; nil if it has none.
        public var when: ExplainedExpression?
        /// Ids of the required ones that were not fully unlocked.
        public var missing: [String]

        /// Creates one, for previews and tests.
        public init(
            event: EventReference,
            value: ExplainedExpression,
            when: ExplainedExpression?,
            missing: [String]
        ) {
            (self.event, self.value, self.when, self.missing) = (event, value, when, missing)
        }

        /// Whether `when` and `requires` held.
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
        // Its members stand here wherever there is none, too.
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
        case kind, fromTier, tier, tiers, xp, reason, event, reading
    }

    private enum KindName: String, Codable {
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
