// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// The rows of a leaderboard to return.
public enum LeaderboardPart: Sendable, Hashable {
    /// The first rows, at most this many; nil for all.
    case top(Int?)
    /// This many rows, with the learner in the middle. Near the top or bottom of the board, the learner is not in the
    /// middle.
    case around(learner: String, count: Int)
}

/// The period in which XP counts.
public enum LeaderboardPeriod: Sendable, Hashable {
    /// The week that contains the day. The week of each learner consists of the learner's own local days.
    case week(of: LocalDay)
    /// All events.
    case allTime
}

/// A leaderboard: learners in the order of their XP. Learners whose XP is 0 are not on it.
public struct Leaderboard: Codable, Sendable, Hashable {
    /// The number of learners on the board, within the requested cohort.
    public var participants: Int
    /// The rows asked for, the highest rank first.
    public var rows: [Row]

    /// Creates a value, for previews and tests.
    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    /// A learner on the board.
    public struct Row: Codable, Sendable, Hashable {
        /// The rank, from 1. Learners with equal XP share a rank, and the ranks after it are skipped: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        /// The name that others see; nil if no event gave one.
        public var displayName: String?
        /// The learner's group, such as a class; nil if no event gave one.
        public var cohort: String?
        /// The XP of the requested track and period; negative if more was taken than given.
        public var xp: Int
        /// The time when that XP last changed. Learners with equal XP are sorted by it. It may be nil if no other
        /// learner has the same XP.
        public var reachedAt: Date?

        /// Creates a value, for previews and tests.
        public init(rank: Int, learner: String, xp: Int) { (self.rank, self.learner, self.xp) = (rank, learner, xp) }
    }
}

/// The leaderboard of a session: all participants, sorted by the XP that the session gave them.
public struct SessionLeaderboard: Codable, Sendable, Hashable {
    /// The number of participants, within the requested cohort and language.
    public var participants: Int
    /// The requested rows, the highest rank first.
    public var rows: [Row]

    /// Creates a value, for previews and tests.
    public init(participants: Int, rows: [Row]) { (self.participants, self.rows) = (participants, rows) }

    /// A participant's own part of the session. If the learner had several sessions with this id, the latest counts.
    public struct Row: Codable, Sendable, Hashable {
        /// The rank, from 1. Learners with equal XP share a rank, and the ranks after it are skipped: 1, 2, 2, 4.
        public var rank: Int
        /// The learner's id.
        public var learner: String
        /// The name that others see; nil if no event gave one.
        public var displayName: String?
        /// The learner's group, such as a class; nil if no event gave one.
        public var cohort: String?
        /// The XP that the session gave in the overall track, 0 included; negative if more was taken than given.
        public var xp: Int
        /// The time when that XP last changed. Learners with equal XP are sorted by it. nil if it never changed.
        public var reachedAt: Date?
        /// The tag of the session's language, such as `es`; nil if its events carry none.
        public var language: String?
        /// The mode, as the app calls it; nil if no event gives it.
        public var mode: String?
        /// The length in milliseconds; nil if the session has not ended, or no event gives its length.
        public var durationMs: Int?
        /// The number of dialog lines that were spoken.
        public var linesSpoken: Int
        /// The mean accuracy of the lines that have an accuracy, 0 … 1; nil if no line has one.
        public var accuracy: Double?
        /// The number of mistakes that were detected.
        public var errorsDetected: Int
        /// The number of mistakes that the learner corrected.
        public var errorsCorrected: Int
        /// The number of words that became known.
        public var newVocabulary: Int
        /// The XP of each bucket, without zeros, in byte order of the buckets.
        public var xpBreakdown: NumbersByName

        /// Creates a value, for previews and tests.
        public init(rank: Int, learner: String, _ report: SessionReport) {
            (self.rank, self.learner) = (rank, learner)
            (xp, reachedAt, xpBreakdown) = (report.xpEarned, report.xpReachedAt, report.xpBreakdown)
            (language, mode, durationMs) = (report.language, report.mode, report.durationMs)
            (linesSpoken, accuracy, newVocabulary) = (report.linesSpoken, report.accuracy, report.newVocabulary)
            (errorsDetected, errorsCorrected) = (report.errorsDetected, report.errorsCorrected)
        }
    }
}
