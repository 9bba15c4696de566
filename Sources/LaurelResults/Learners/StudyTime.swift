// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The time that a learner practised, within ended sessions and outside sessions.
public struct StudyTime: Codable, Sendable, Hashable {
    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The practice of all time, in milliseconds.
    private var totalMs: Int64
    /// The number of ended sessions.
    public var sessions: Int
    /// The days with activity, the latest first.
    public var days: [StudyDay]

    /// The practice of all time, in whole milliseconds.
    public var total: Duration {
        get { .milliseconds(totalMs) }
        set { totalMs = newValue.milliseconds }
    }

    /// Creates a value, for previews and tests.
    public init(language: String?, total: Duration, sessions: Int, days: [StudyDay]) {
        (self.language, totalMs, self.sessions, self.days) = (language, total.milliseconds, sessions, days)
    }
}

/// A learner's activity on one local day.
public struct StudyDay: Codable, Sendable, Hashable {
    /// The local day, by the learner's clock.
    public var day: LocalDay
    /// The practice on the day, in milliseconds.
    private var ms: Int64 = 0
    /// The XP of the day's events; negative if more was taken than given.
    public var xp = 0
    /// The number of dialog lines that were spoken.
    public var linesSpoken = 0
    /// The number of reviews, including repeated reviews of a word.
    public var reviews = 0
    /// The number of reviews that were graded hard, good or easy.
    public var correctReviews = 0
    /// The number of words that became known on the day.
    public var newWords = 0
    /// The number of words that became learned on the day.
    public var learnedWords = 0
    /// True if the day is active for the streak.
    public var isActive = false

    /// The practice on the day, in whole milliseconds.
    public var duration: Duration {
        get { .milliseconds(ms) }
        set { ms = newValue.milliseconds }
    }

    /// Creates a value, for previews and tests.
    public init(day: LocalDay) { self.day = day }

    private enum CodingKeys: String, CodingKey {
        case day, ms, xp
        case linesSpoken = "lines"
        case reviews, correctReviews, newWords, learnedWords
        case isActive = "active"
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards 0.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
