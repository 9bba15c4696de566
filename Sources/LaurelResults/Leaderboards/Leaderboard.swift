public import Foundation
public import LaurelWire

/// Which rows of a leaderboard are asked for.
public enum LeaderboardPart: Sendable, Hashable {
    /// At most so many from the top; nil for everyone.
    case top(Int?)
    /// So many in all, with this learner in the middle where there are enough on both sides.
    case around(learner: String, count: Int)
}

/// Whose XP a leaderboard compares.
public enum LeaderboardPeriod: Sendable, Hashable {
    /// The week that holds this day, each learner's own by their local days.
    case week(of: LocalDay)
    case allTime
}

/// Learners by XP; those without any are not listed.
public struct Leaderboard: Codable, Sendable, Hashable {
    /// How many learners have XP.
    public var participants: Int
    public var rows: [Row]

    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    public struct Row: Codable, Sendable, Hashable {
        /// From 1; equal XP shares a rank, and those after it are counted on: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        public var displayName: String?
        public var cohort: String?
        public var xp: Int
        /// When the last XP came or went, which orders those of equal XP. nil where nobody has the same and the tables alone
        /// answered.
        public var reachedAt: Date?

        public init(rank: Int, learner: String, xp: Int) { (self.rank, self.learner, self.xp) = (rank, learner, xp) }

        private enum CodingKeys: String, CodingKey {
            case rank
            case learner = "userId"
            case displayName, cohort, xp, reachedAt
        }
    }
}

/// Who took part in a session, by the XP that it brought each of them.
public struct SessionLeaderboard: Codable, Sendable, Hashable {
    /// How many took part, of the cohort and in the language asked for.
    public var participants: Int
    public var rows: [Row]

    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    /// A learner's own part of the session; the latest where an id served several times.
    public struct Row: Codable, Sendable, Hashable {
        /// From 1; equal XP shares a rank, and those after it are counted on: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        public var displayName: String?
        public var cohort: String?
        public var xp: Int
        /// When XP last came or went, which orders those of equal XP.
        public var reachedAt: Date?
        public var language: String?
        public var mode: String?
        /// In milliseconds; nil while it has not ended.
        public var durationMs: Int?
        public var linesSpoken: Int
        /// 0 … 1.
        public var accuracy: Double?
        public var errorsDetected: Int
        public var errorsCorrected: Int
        /// Words that became known.
        public var newVocabulary: Int
        /// Bucket → XP, where not 0, in byte order.
        public var xpBreakdown: NumbersByName

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
