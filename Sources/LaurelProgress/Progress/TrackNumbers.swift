// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Counts of a track that do not depend on the rules.
package struct TrackCounts: Sendable, Equatable {
    /// Folded events, without void ones.
    package var events = 0
    /// Milliseconds since 1970, of the track's first and last folded event.
    package var firstEventAt: Int64 = 0
    package var lastEventAt: Int64 = 0
    /// In ended sessions and outside sessions.
    package var practiceMilliseconds: Int64 = 0
    /// Ended sessions.
    package var sessions = 0
    package var soloSessions = 0
    package var multiplayerSessions = 0
    package var words = WordCounts()
    package var successfulRepairs = 0
    package var helpGiven = 0
    package var teamWins = 0
}

/// A track's numbers, as tables keep them and progress tells them.
package struct TrackNumbers: Sendable, Equatable {
    package var counts = TrackCounts()
    /// The time of the latest event that could make a day count.
    package var lastPracticeAt: Int64?
    package var xp: Double = 0
    package var level = 1
    /// 0 … 100.
    package var levelProgressPercent: Double = 0
    /// In days, as of a day: in tables that of the latest practice, in progress the instant's.
    package var currentStreak = 0
    package var longestStreak = 0
    /// Freezes held.
    package var streakFreezes = 0
    package var lastActivityDay: LocalDay?
    /// An estimate by the rules' score; nil overall, and where the rules have none.
    package var estimatedCEFR: String?
    package var cefrProgressPercent: Double?
    /// Bucket → XP, where not 0, in byte order of the buckets.
    package var xpByBucket: [NamedNumber] = []
    /// Metric → total, in file order.
    package var metrics = NamedNumbers.none

    package init() {}
}
