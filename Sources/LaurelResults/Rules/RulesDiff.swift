// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// What would change for whom if other rules replaced those in force.
public struct RulesDiff: Sendable, Hashable {
    /// Progress was compared as of this instant.
    public var at: Timestamp
    /// Events folded, void ones included.
    public var events = 0
    /// What differs, and what comes of it for everyone together.
    public var summary = DifferenceSummary()
    /// The most affected first; those for whom something differs, or everyone where that was asked for.
    public var learners: [LearnerDifference] = []

    /// Creates one, for previews and tests.
    public init(at instant: Timestamp) { at = instant }
}

extension RulesDiff: Codable {
    private enum CodingKeys: CodingKey {
        case at, events, learners
    }

    /// The summary's members stand among its own.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("\(at)", forKey: .at)
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
        events = try container.decode(Int.self, forKey: .events)
        summary = try DifferenceSummary(from: decoder)
        learners = try container.decode([LearnerDifference].self, forKey: .learners)
    }
}

/// One learner under both rule sets.
public struct LearnerDifference: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// As others see it; nil if no event gave one.
    public var displayName: String?
    /// That of all languages together first, then by language; those in which something differs, or all.
    public var tracks: [TrackDifference]

    /// Creates one, for previews and tests.
    public init(learner: String, displayName: String? = nil, tracks: [TrackDifference] = []) {
        (self.learner, self.displayName, self.tracks) = (learner, displayName, tracks)
    }

    /// Whether anything differs.
    public var differs: Bool { tracks.contains(where: \.differs) }
    /// All languages together; nil if that is not listed.
    public var overall: TrackDifference? { tracks.first { $0.language == nil } }

    private enum CodingKeys: String, CodingKey {
        case learner = "userId"
        case displayName, tracks
    }
}

/// A learner's language, or all of them together, under both rule sets.
public struct TrackDifference: Codable, Sendable, Hashable {
    /// The numbers that are compared.
    public struct Numbers: Codable, Sendable, Hashable {
        /// XP of all time.
        public var totalXP = 0
        /// From 1.
        public var currentLevel = 1
        /// In days.
        public var currentStreak = 0
        /// In days.
        public var longestStreak = 0
        /// Words that count as learned.
        public var totalWordsLearned = 0
        /// nil for all languages together, and where the rules estimate none.
        public var estimatedCEFR: CEFRLevel?

        /// Creates one, for previews and tests.
        public init() {}
    }

    /// nil for all languages together.
    public var language: String?
    /// Under the rules of the store.
    public var before: Numbers
    /// Under the other rules.
    public var after: Numbers
    /// Those that differ, in the order of the new rules' file; what only the old ones have comes last.
    public var achievements: [AchievementDifference]

    /// Creates one, for previews and tests.
    public init(language: String?, before: Numbers, after: Numbers, achievements: [AchievementDifference] = []) {
        (self.language, self.before, self.after, self.achievements) = (language, before, after, achievements)
    }

    /// Whether anything differs.
    public var differs: Bool { before != after || !achievements.isEmpty }
}

/// How an achievement would change.
public struct AchievementDifference: Codable, Sendable, Hashable, Identifiable {
    /// How it would change.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// Unlocked where it was not, or the reverse.
        case won, lost
        /// Unlocked before and after, with more tiers or with fewer.
        case moreTiers, fewerTiers
        /// The same tiers, the latest of them at another time.
        case earlier, later
    }

    public var id: String
    /// How it would change.
    public var outcome: Outcome
    /// Tiers unlocked; 0 for none.
    public var tierBefore: Int
    /// Tiers unlocked under the other rules.
    public var tierAfter: Int
    /// Of the latest tier unlocked.
    public var unlockedBefore: Date?
    /// When, under the other rules; nil if it is locked.
    public var unlockedAfter: Date?

    /// Creates one, for previews and tests.
    public init(id: String, outcome: Outcome, tierBefore: Int, tierAfter: Int) {
        (self.id, self.outcome, self.tierBefore, self.tierAfter) = (id, outcome, tierBefore, tierAfter)
    }
}
