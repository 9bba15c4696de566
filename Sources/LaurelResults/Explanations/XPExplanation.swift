// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The sources of a track's XP.
public struct XPExplanation: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The only local day that is explained; nil for all days.
    public var day: LocalDay?
    /// The only session that is explained; nil for all events.
    public var session: String?
    /// The events that XP rules apply to, and other events that gave or took XP, in the learner's order. Void events of
    /// these types are included.
    public var events: [Event]
    /// The XP of each bucket, without zeros, in byte order of the buckets.
    public var xpBreakdown: NumbersByName
    /// The XP of all buckets together; negative if more was taken than given.
    public var totalXP: Int

    /// Creates a value, for previews and tests.
    public init(
        learner: String,
        language: String?,
        day: LocalDay?,
        session: String?,
        events: [Event],
        xpBreakdown: NumbersByName,
        totalXP: Int
    ) {
        (self.learner, self.language, self.day, self.session) = (learner, language, day, session)
        (self.events, self.xpBreakdown, self.totalXP) = (events, xpBreakdown, totalXP)
    }

    /// An event, and the XP that it brought. The JSON has both in one object.
    public struct Event: Sendable, Hashable {
        /// The event that brought the XP.
        public var event: EventReference
        /// The sum of the entries; negative if more was taken than given.
        public var xp: Int
        /// The entries in the order of crediting; empty for a void event.
        public var entries: [Entry]

        /// Creates a value, for previews and tests.
        public init(event: EventReference, entries: [Entry]) {
            (self.event, self.entries) = (event, entries)
            xp = entries.reduce(0) { $0 + $1.amount }
        }
    }

    /// XP that an event gave, took or could have given.
    public struct Entry: Sendable, Hashable {
        /// The reason why XP was given or withheld.
        public enum Cause: Sendable, Hashable {
            /// A rule awarded XP. `whole` is the value of `award`, rounded down and at least 0. The amount is lower if
            /// the daily cap limited it.
            case award(rule: String, award: ExplainedExpression, whole: Int, dailyCap: Int?)
            /// The rule's `when` did not hold. `award` is the XP that the rule would have given.
            case withheld(rule: String, when: ExplainedExpression, award: ExplainedExpression)
            /// The day is outside the rule's period. `obstacle` gives the reason, such as `not before 2026-12-24`;
            /// `award` is the XP that the rule would have given.
            case outOfPeriod(rule: String, obstacle: String?, award: ExplainedExpression)
            /// An `xp.adjusted` gave or took XP.
            case adjustment(reason: String?)
            /// An `xp.declared` set the total. The amount is the difference between that total and the track's XP
            /// before.
            case declaration(total: Int)
            /// An achievement was unlocked. Tiers count from 1. `language` is nil for an achievement of the overall
            /// track.
            case reward(achievement: String, tiers: ClosedRange<Int>, language: String?)
            /// A goal was completed.
            case goal(goal: String)
            /// An achievement was revoked, and the rewards of this many tiers were deducted.
            case rewardTakenBack(achievement: String, tiers: Int, language: String?)
        }

        /// The reason for the entry.
        public var cause: Cause
        /// The bucket that was credited.
        public var bucket: String
        /// The XP; negative if it was taken, 0 if none was given.
        public var amount: Int

        /// Creates a value, for previews and tests.
        public init(cause: Cause, bucket: String, amount: Int) {
            (self.cause, self.bucket, self.amount) = (cause, bucket, amount)
        }
    }
}

// MARK: JSON

extension XPExplanation.Event: Codable {
    private enum CodingKeys: CodingKey {
        case xp, entries
    }

    public func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(xp, forKey: .xp)
        try container.encode(entries, forKey: .entries)
    }

    public init(from decoder: any Decoder) throws {
        event = try EventReference(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        xp = try container.decode(Int.self, forKey: .xp)
        entries = try container.decode([XPExplanation.Entry].self, forKey: .entries)
    }
}

extension XPExplanation.Entry: Codable {
    fileprivate enum CodingKeys: CodingKey {
        case bucket, amount
        /// The kind of reason. It decides which other members are present.
        case kind
        /// The XP rule's id.
        case rule
        /// The award that the rule gives, or would have given.
        case award
        /// The award, rounded down and at least 0, before the daily cap.
        case whole
        /// The maximum XP that the rule awards in a day; nil without a cap.
        case dailyCap
        /// The condition of the rule that did not hold.
        case when
        /// The reason given for an adjustment, or the reason why the day is outside the rule's period; nil if there is
        /// none.
        case reason
        /// The total that `xp.declared` set.
        case total
        /// The achievement's id.
        case achievement
        /// The language of the achievement's track; nil for the overall one.
        case language
        /// The first tier that was rewarded, from 1.
        case fromTier
        /// The last tier that was rewarded, from 1.
        case tier
        /// The number of tiers whose rewards were deducted.
        case tiers
        /// The goal's id.
        case goal
    }

    fileprivate enum Kind: String, Codable, CaseIterable {
        case award, withheld, outOfPeriod, adjustment, declaration, reward, rewardTakenBack, goal
    }

    private var kind: Kind {
        switch cause {
        case .award: .award
        case .withheld: .withheld
        case .outOfPeriod: .outOfPeriod
        case .adjustment: .adjustment
        case .declaration: .declaration
        case .reward: .reward
        case .rewardTakenBack: .rewardTakenBack
        case .goal: .goal
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(bucket, forKey: .bucket)
        try container.encode(amount, forKey: .amount)
        switch cause {
        case .award(let rule, let award, let whole, let dailyCap):
            try container.encode(rule, forKey: .rule)
            try container.encode(award, forKey: .award)
            try container.encode(whole, forKey: .whole)
            try container.encodeIfPresent(dailyCap, forKey: .dailyCap)
        case .withheld(let rule, let when, let award):
            try container.encode(rule, forKey: .rule)
            try container.encode(when, forKey: .when)
            try container.encode(award, forKey: .award)
        case .outOfPeriod(let rule, let obstacle, let award):
            try container.encode(rule, forKey: .rule)
            try container.encodeIfPresent(obstacle, forKey: .reason)
            try container.encode(award, forKey: .award)
        case .adjustment(let reason): try container.encodeIfPresent(reason, forKey: .reason)
        case .declaration(let total): try container.encode(total, forKey: .total)
        case .reward(let achievement, let tiers, let language):
            try container.encode(achievement, forKey: .achievement)
            try container.encodeIfPresent(language, forKey: .language)
            try container.encode(tiers: tiers, from: .fromTier, through: .tier)
        case .rewardTakenBack(let achievement, let tiers, let language):
            try container.encode(achievement, forKey: .achievement)
            try container.encodeIfPresent(language, forKey: .language)
            try container.encode(tiers, forKey: .tiers)
        case .goal(let goal): try container.encode(goal, forKey: .goal)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bucket = try container.decode(String.self, forKey: .bucket)
        amount = try container.decode(Int.self, forKey: .amount)
        cause = try Cause(container, try container.decode(Kind.self, forKey: .kind))
    }
}

extension XPExplanation.Entry.Cause {
    fileprivate typealias Members = KeyedDecodingContainer<XPExplanation.Entry.CodingKeys>

    fileprivate init(_ members: Members, _ kind: XPExplanation.Entry.Kind) throws {
        func text(_ key: XPExplanation.Entry.CodingKeys) throws -> String {
            try members.decode(String.self, forKey: key)
        }
        func number(_ key: XPExplanation.Entry.CodingKeys) throws -> Int { try members.decode(Int.self, forKey: key) }
        func expression(_ key: XPExplanation.Entry.CodingKeys) throws -> ExplainedExpression {
            try members.decode(ExplainedExpression.self, forKey: key)
        }
        let reason = try members.decodeIfPresent(String.self, forKey: .reason)
        let language = try members.decodeIfPresent(String.self, forKey: .language)
        switch kind {
        case .award:
            let cap = try members.decodeIfPresent(Int.self, forKey: .dailyCap)
            self = try .award(rule: text(.rule), award: expression(.award), whole: number(.whole), dailyCap: cap)
        case .withheld:
            self = try .withheld(rule: text(.rule), when: expression(.when), award: expression(.award))
        case .outOfPeriod: self = try .outOfPeriod(rule: text(.rule), obstacle: reason, award: expression(.award))
        case .adjustment: self = .adjustment(reason: reason)
        case .declaration: self = try .declaration(total: number(.total))
        case .goal: self = try .goal(goal: text(.goal))
        case .reward:
            let tiers = try members.decodeTiers(from: .fromTier, through: .tier)
            self = try .reward(achievement: text(.achievement), tiers: tiers, language: language)
        case .rewardTakenBack:
            self = try .rewardTakenBack(achievement: text(.achievement), tiers: number(.tiers), language: language)
        }
    }
}

/// Writes a range of tiers as two members: the first tier and the last.
extension KeyedEncodingContainer {
    mutating func encode(tiers: ClosedRange<Int>?, from first: Key, through last: Key) throws {
        try encodeIfPresent(tiers?.lowerBound, forKey: first)
        try encodeIfPresent(tiers?.upperBound, forKey: last)
    }
}

extension KeyedDecodingContainer {
    func decodeTiers(from first: Key, through last: Key) throws -> ClosedRange<Int> {
        let (lower, upper) = (try decode(Int.self, forKey: first), try decode(Int.self, forKey: last))
        guard lower <= upper else {
            throw DecodingError.dataCorruptedError(
                forKey: last,
                in: self,
                debugDescription: "tiers from \(lower) through \(upper)"
            )
        }
        return lower...upper
    }
}
