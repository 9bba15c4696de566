// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Counts of a track that do not depend on the rules.
package struct TrackCounts: Sendable, Equatable {
    /// The number of folded events, not counting void events.
    package var events = 0
    /// The times of the track's first and last folded event, in milliseconds since 1970.
    package var firstEventAt: Int64 = 0
    package var lastEventAt: Int64 = 0
    /// The practice time of ended sessions, and of events outside sessions.
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
    /// The number of counts that were added after the first version of the state's format. A state with fewer counts is
    /// rebuilt.
    static let additions: UInt64 = 0

    /// Writes all counts to a state, or reads them. A count that is added later must be coded after the guard, because
    /// fingerprints leave such counts out.
    /// - Parameter offset: the offset of the track's clock in seconds, which the format places between the counts.
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

/// A track's numbers, as in the store's tables and in progress.
package struct TrackNumbers: Sendable, Equatable {
    package var counts = TrackCounts()
    /// The time of the latest event that could make a day active, in milliseconds since 1970; nil before the first such
    /// event.
    package var lastPracticeAt: Int64?
    /// The time zone that the latest folded event names. If it names none, the offset written in its time, such as
    /// `+05:30`; nil if neither is known. Local days are computed in this zone. If it is nil, they are computed in the
    /// rules' default zone.
    package var timezone: String?
    package var xp: Double = 0
    package var level = 1
    /// The share of the way to the next level in percent, 0 … 100.
    package var levelProgressPercent: Double = 0
    /// The streak in days. In tables, the value as of the latest practice; in progress, the value as of the instant.
    package var currentStreak = 0
    package var longestStreak = 0
    /// The number of unused freezes.
    package var streakFreezes = 0
    package var lastActivityDay: LocalDay?
    /// The last day on which the learner can still continue the streak; nil without a streak.
    package var streakEnds: LocalDay?
    /// The CEFR band for the rules' score, and the share of the way to the next band in percent, 0 … 100. Both are nil
    /// for the overall track, and if the rules have no estimate.
    package var estimatedCEFR: String?
    package var cefrProgressPercent: Double?
    /// The XP of each bucket, in byte order of the buckets. Buckets with 0 XP are left out.
    package var xpByBucket: [NamedNumber] = []
    /// The total of each metric, in file order.
    package var metrics = NamedNumbers.none
    /// In tables, the learner's goals and balances as JSON: see ``GamesJSON``. nil in a language's track, and under rules
    /// with neither goals nor currencies.
    package var games: String?
    /// The number of events flagged as implausible, and the XP credited for these events.
    package var flaggedEvents = 0
    package var flaggedXP: Double = 0

    package init() {}

    /// True if the streak ends at the end of a day unless the learner practises on it.
    package func isAtRisk(on day: LocalDay) -> Bool { currentStreak > 0 && streakEnds == day }
}
