// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Counts of a track that do not depend on the rules.
package struct TrackCounts: Sendable, Equatable {
    /// The number of folded events, without void ones.
    package var events = 0
    /// The times of the track's first and last folded event, in milliseconds since 1970.
    package var firstEventAt: Int64 = 0
    package var lastEventAt: Int64 = 0
    /// The practice in ended sessions and outside sessions.
    package var practiceMilliseconds: Int64 = 0
    /// The number of ended sessions.
    package var sessions = 0
    package var soloSessions = 0
    package var multiplayerSessions = 0
    package var words = WordCounts()
    package var successfulRepairs = 0
    package var helpGiven = 0
    package var teamWins = 0
}

/// A track's numbers, as tables and progress have them.
package struct TrackNumbers: Sendable, Equatable {
    package var counts = TrackCounts()
    /// The time of the latest event that could make a day count.
    package var lastPracticeAt: Int64?
    package var xp: Double = 0
    package var level = 1
    /// The way to the next level in percent, 0 … 100.
    package var levelProgressPercent: Double = 0
    /// The streak in days: in tables as of the latest practice, in progress as of the instant.
    package var currentStreak = 0
    package var longestStreak = 0
    /// The number of held freezes.
    package var streakFreezes = 0
    package var lastActivityDay: LocalDay?
    /// The estimate by the rules' score; nil for the overall track, and if the rules have no estimate.
    package var estimatedCEFR: String?
    package var cefrProgressPercent: Double?
    /// The XP of each bucket, without zeros, in byte order of the buckets.
    package var xpByBucket: [NamedNumber] = []
    /// The total of each metric, in file order.
    package var metrics = NamedNumbers.none

    package init() {}
}
