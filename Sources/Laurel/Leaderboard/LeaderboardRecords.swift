package import LaurelEvents

/// Which leaderboard is asked for.
package struct LeaderboardRequest: Sendable {
    package enum Part: Sendable {
        /// At most so many from the top; nil for everyone.
        case top(Int?)
        /// So many in all, with this learner in the middle where there are enough on both sides.
        case around(String, Int)
    }

    /// A day of the week whose XP counts; nil for all time.
    package var week: LocalDay?
    /// nil for the overall track.
    package var language: String?
    /// Only learners whose latest `learner.updated` says so.
    package var cohort: String?
    package var part = Part.top(nil)
    /// Only events up to it count.
    package var instant: Timestamp

    package init(week: LocalDay?, instant: Timestamp) {
        self.week = week
        self.instant = instant
    }
}

package struct Leaderboard: Sendable, Equatable {
    /// How many learners have XP.
    package var participants: Int
    package var rows: [LeaderboardRow]
}

/// A learner on a leaderboard.
package struct LeaderboardRow: Sendable, Equatable {
    /// From 1; equal XP shares a rank, and those after it are counted on: 1, 2, 2, 4.
    package var rank: Int
    package var subject: String
    package var displayName: String?
    package var cohort: String?
    package var xp: Double
    /// Milliseconds since 1970: when the last XP came or went, which orders those of equal XP. nil where nobody has the
    /// same and the tables alone answered.
    package var reachedAt: Int64?
}
