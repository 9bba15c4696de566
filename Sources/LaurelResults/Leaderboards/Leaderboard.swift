// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A selection of a leaderboard's rows.
public enum LeaderboardPart: Sendable, Hashable {
    /// At most so many from the top; nil for everyone.
    case top(Int?)
    /// So many in all, with this learner in the middle where there are enough on both sides.
    case around(learner: String, count: Int)
}

/// The time whose XP a leaderboard compares.
public enum LeaderboardPeriod: Sendable, Hashable {
    /// The week that holds this day, each learner's own by their local days.
    case week(of: LocalDay)
    /// From the first event on.
    case allTime
}

/// Learners by XP; those without any are not listed.
public struct Leaderboard: Codable, Sendable, Hashable {
    /// How many learners have XP.
    public var participants: Int
    /// The rows that were asked for, the highest rank first.
    public var rows: [Row]

    /// Creates one, for previews and tests.
    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    /// A learner on the board.
    public struct Row: Codable, Sendable, Hashable {
        /// From 1; equal XP shares a rank, and those after it are counted on: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        /// As others see it; nil if no event gave one.
        public var displayName: String?
        /// Such as a class; nil if no event gave one.
        public var cohort: String?
        /// What the rank goes by.
        public var xp: Int
        /// When the last XP came or went, which orders those of equal XP. nil if nobody has the same and the tables alone
        /// answered.
        public var reachedAt: Date?

        /// Creates one, for previews and tests.
        public init(rank: Int, learner: String, xp: Int) { (self.rank, self.learner, self.xp) = (rank, learner, xp) }

        private enum CodingKeys: String, CodingKey {
            case rank
            case learner = "userId"
            case displayName, cohort, xp, reachedAt
        }
    }
}

/// Those who took part in a session, ordered by the XP that it gave them.
public struct SessionLeaderboard: Codable, Sendable, Hashable {
    /// How many took part, of the cohort and in the language asked for.
    public var participants: Int
    /// The rows that were asked for, the highest rank first.
    public var rows: [Row]

    /// Creates one, for previews and tests.
    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    /// A learner's own part of the session; the latest where an id served several times.
    public struct Row: Codable, Sendable, Hashable {
        /// From 1; equal XP shares a rank, and those after it are counted on: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        /// As others see it; nil if no event gave one.
        public var displayName: String?
        /// Such as a class; nil if no event gave one.
        public var cohort: String?
        /// What the rank goes by.
        public var xp: Int
        /// When XP last came or went, which orders those of equal XP.
        public var reachedAt: Date?
        /// A tag, such as `es`; nil if the session has none.
        public var language: String?
        /// As the app calls it; nil if no event says.
        public var mode: String?
        /// In milliseconds; nil while it has not ended.
        public var durationMs: Int?
        /// How many lines of the dialog.
        public var linesSpoken: Int
        /// 0 … 1.
        public var accuracy: Double?
        /// How many mistakes.
        public var errorsDetected: Int
        /// How many of them the learner corrected.
        public var errorsCorrected: Int
        /// Words that became known.
        public var newVocabulary: Int
        /// Bucket → XP, where not 0, in byte order.
        public var xpBreakdown: NumbersByName

        /// Creates one, for previews and tests.
        public init(rank: Int, learner: String, _ report: SessionReport) {
            (self.rank, self.learner) = (rank, learner)
            (xp, reachedAt, xpBreakdown) = (report.xpEarned, report.xpReachedAt, report.xpBreakdown)
            (language, mode, durationMs) = (report.language, report.mode, report.durationMs)
            (linesSpoken, accuracy, newVocabulary) = (report.linesSpoken, report.accuracy, report.newVocabulary)
            (errorsDetected, errorsCorrected) = (report.errorsDetected, report.errorsCorrected)
        }

        private enum CodingKeys: String, CodingKey {
            case rank
            case learner = "userId"
            case displayName, cohort, xp, reachedAt, language, mode, durationMs, linesSpoken, accuracy, errorsDetected
            case errorsCorrected, newVocabulary, xpBreakdown
        }
    }
}
