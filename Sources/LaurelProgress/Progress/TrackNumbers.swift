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

extension TrackCounts {
    /// The number of counts added to states since the format began. A state with fewer is rebuilt.
    static let additions: UInt64 = 0

    /// Writes all counts to a state, or reads them. An added count follows the guard, because fingerprints leave it out.
    /// - Parameter offset: the seconds of the track's clock, which stand between the counts.
    @inline(__always)
    mutating func code<Coder: CountCoder & ~Copyable>(
        with coder: inout Coder,
        offset: inout Int
    ) throws(Coder.Failure) {
        try coder.code(&words.known)
        try coder.code(&words.learned)
        try coder.code(&words.new)
        try coder.code(&words.learning)
        try coder.code(&words.reviewing)
        try coder.code(&words.mastered)
        try coder.code(&events)
        try coder.code(&firstEventAt)
        try coder.code(&lastEventAt)
        try coder.code(&offset)
        try coder.code(&sessions)
        try coder.code(&soloSessions)
        try coder.code(&multiplayerSessions)
        try coder.code(sum: &practiceMilliseconds)
        try coder.code(&successfulRepairs)
        try coder.code(&helpGiven)
        try coder.code(&teamWins)
        guard coder.hasAdditions else { return }
    }
}

/// A track's numbers, as tables and progress have them.
package struct TrackNumbers: Sendable, Equatable {
    package var counts = TrackCounts()
    /// The time of the latest event that could make a day count.
    package var lastPracticeAt: Int64?
    /// The time zone of the latest folded event, or else the offset written in its time, such as `+05:30`; nil for the
    /// rules' default zone. The local day of an instant goes by it.
    package var timezone: String?
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
    /// The day by whose end the learner must practise, so that the streak goes on; nil without a streak.
    package var streakEnds: LocalDay?
    /// The estimate by the rules' score; nil for the overall track, and if the rules have no estimate.
    package var estimatedCEFR: String?
    package var cefrProgressPercent: Double?
    /// The XP of each bucket, without zeros, in byte order of the buckets.
    package var xpByBucket: [NamedNumber] = []
    /// The total of each metric, in file order.
    package var metrics = NamedNumbers.none

    package init() {}
}
