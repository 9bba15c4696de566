// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// The changes for learners if other rules replaced the store's rules.
public struct RulesDiff: Sendable, Hashable {
    /// The instant as of which progress is compared.
    public var at: Timestamp
    /// The variant that the comparison assumes for every learner; nil without this assumption,
    /// and left out of the JSON.
    public var variant: AssumedVariant?
    /// The number of folded events, including void events.
    public var events = 0
    /// The differences of the rules, and their effect on all learners together.
    public var summary = DifferenceSummary()
    /// The learners with differences, or all learners on request. The most affected come first.
    public var learners: [LearnerDifference] = []

    /// Creates a value, for previews and tests.
    public init(at instant: Timestamp) { at = instant }
}

extension RulesDiff: Codable {
    private enum CodingKeys: CodingKey {
        case at, variant, events, learners
    }

    /// Writes the members of the summary directly into this object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("\(at)", forKey: .at)
        if let variant { try container.encode(variant, forKey: .variant) }
        try container.encode(events, forKey: .events)
        try summary.encode(to: encoder)
        try container.encode(learners, forKey: .learners)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        do {
            at = try Timestamp(container.decode(String.self, forKey: .at))
        } catch let error as Timestamp.ParseError {
            throw DecodingError.dataCorruptedError(forKey: .at, in: container, debugDescription: "\(error)")
        }
        variant = try container.decodeIfPresent(AssumedVariant.self, forKey: .variant)
        events = try container.decode(Int.self, forKey: .events)
        summary = try DifferenceSummary(from: decoder)
        learners = try container.decode([LearnerDifference].self, forKey: .learners)
    }
}

/// One learner's progress under both rule sets.
public struct LearnerDifference: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The name that others see; nil if no event gave one.
    public var displayName: String?
    /// The tracks with differences, or all tracks on request. All languages together come first, then the languages in
    /// byte order.
    public var tracks: [TrackDifference]

    /// Creates a value, for previews and tests.
    public init(learner: String, displayName: String? = nil, tracks: [TrackDifference] = []) {
        (self.learner, self.displayName, self.tracks) = (learner, displayName, tracks)
    }

    /// True if anything differs.
    public var differs: Bool { tracks.contains(where: \.differs) }
    /// The track of all languages together; nil if it is not listed.
    public var overall: TrackDifference? { tracks.first { $0.language == nil } }
}

/// One track of a learner under both rule sets.
public struct TrackDifference: Codable, Sendable, Hashable {
    /// The numbers that are compared.
    public struct Numbers: Codable, Sendable, Hashable {
        /// XP of all time; negative if more was taken than given.
        public var totalXP = 0
        /// The level, from 1.
        public var currentLevel = 1
        /// The current streak, in days.
        public var currentStreak = 0
        /// The longest streak, in days.
        public var longestStreak = 0
        /// The number of known words that count as learned.
        public var totalWordsLearned = 0
        /// The CEFR estimate; nil for all languages together, and where the rules estimate none.
        public var estimatedCEFR: CEFRLevel?

        /// Creates a value, for previews and tests.
        public init() {}
    }

    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The numbers under the store's rules.
    public var before: Numbers
    /// The numbers under the other rules.
    public var after: Numbers
    /// The achievements that differ, in the order of the new rules' file. Achievements that only the old rules have
    /// come last.
    public var achievements: [AchievementDifference]

    /// Creates a value, for previews and tests.
    public init(language: String?, before: Numbers, after: Numbers, achievements: [AchievementDifference] = []) {
        (self.language, self.before, self.after, self.achievements) = (language, before, after, achievements)
    }

    /// True if anything differs.
    public var differs: Bool { before != after || !achievements.isEmpty }
}

/// The difference in one achievement.
public struct AchievementDifference: Codable, Sendable, Hashable, Identifiable {
    /// The ways in which an achievement can change.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// The achievement is unlocked only under the other rules, or only under the store's rules.
        case won, lost
        /// The achievement is unlocked under both rule sets, with more tiers or fewer under the other rules.
        case moreTiers, fewerTiers
        /// The same tiers are unlocked, the latest tier earlier or later under the other rules.
        case earlier, later
    }

    /// The achievement's id, as the rules spell it.
    public var id: String
    /// The way in which the achievement changes.
    public var outcome: Outcome
    /// The number of tiers unlocked under the store's rules; 0 for none.
    public var tierBefore: Int
    /// The number of tiers unlocked under the other rules; 0 for none.
    public var tierAfter: Int
    /// The time when the latest tier was unlocked under the store's rules; nil if no tier is unlocked.
    public var unlockedBefore: Date?
    /// The time when the latest tier is unlocked under the other rules; nil if no tier is unlocked.
    public var unlockedAfter: Date?

    /// Creates a value, for previews and tests.
    public init(id: String, outcome: Outcome, tierBefore: Int, tierAfter: Int) {
        (self.id, self.outcome, self.tierBefore, self.tierAfter) = (id, outcome, tierBefore, tierAfter)
    }
}
