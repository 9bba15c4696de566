// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// How long a learner practised, in ended sessions and outside sessions.
public struct StudyTime: Codable, Sendable, Hashable {
    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The practice of all time.
    public var total: Duration
    /// How many sessions ended.
    public var sessions: Int
    /// The days on which something happened, the latest first.
    public var days: [StudyDay]

    /// Creates one, for previews and tests.
    public init(language: String?, total: Duration, sessions: Int, days: [StudyDay]) {
        (self.language, self.total, self.sessions, self.days) = (language, total, sessions, days)
    }

    private enum CodingKeys: String, CodingKey {
        case language, totalMs, sessions, days
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(total.milliseconds, forKey: .totalMs)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(days, forKey: .days)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        total = .milliseconds(try container.decode(Int64.self, forKey: .totalMs))
        sessions = try container.decode(Int.self, forKey: .sessions)
        days = try container.decode([StudyDay].self, forKey: .days)
    }
}

/// What a learner did on one local day.
public struct StudyDay: Codable, Sendable, Hashable {
    /// The local day, by the learner's clock.
    public var day: LocalDay
    /// How long the learner practised on it.
    public var duration: Duration = .zero
    /// The XP of its events; negative if more was taken than given.
    public var xp = 0
    /// How many lines of dialogs were spoken.
    public var linesSpoken = 0
    /// How many words were reviewed, each review counted.
    public var reviews = 0
    /// How many reviews were graded hard, good or easy.
    public var correctReviews = 0
    /// How many words became known on it.
    public var newWords = 0
    /// How many words became learned on it.
    public var learnedWords = 0
    /// Whether the day is active for the streak.
    public var isActive = false

    /// Creates one, for previews and tests.
    public init(day: LocalDay) { self.day = day }

    private enum CodingKeys: String, CodingKey {
        case day
        case duration = "ms"
        case xp
        case linesSpoken = "lines"
        case reviews, correctReviews, newWords, learnedWords
        case isActive = "active"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(day, forKey: .day)
        try container.encode(duration.milliseconds, forKey: .duration)
        try container.encode(xp, forKey: .xp)
        try container.encode(linesSpoken, forKey: .linesSpoken)
        try container.encode(reviews, forKey: .reviews)
        try container.encode(correctReviews, forKey: .correctReviews)
        try container.encode(newWords, forKey: .newWords)
        try container.encode(learnedWords, forKey: .learnedWords)
        try container.encode(isActive, forKey: .isActive)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        day = try container.decode(LocalDay.self, forKey: .day)
        duration = .milliseconds(try container.decode(Int64.self, forKey: .duration))
        xp = try container.decode(Int.self, forKey: .xp)
        linesSpoken = try container.decode(Int.self, forKey: .linesSpoken)
        reviews = try container.decode(Int.self, forKey: .reviews)
        correctReviews = try container.decode(Int.self, forKey: .correctReviews)
        newWords = try container.decode(Int.self, forKey: .newWords)
        learnedWords = try container.decode(Int.self, forKey: .learnedWords)
        isActive = try container.decode(Bool.self, forKey: .isActive)
    }
}

extension Duration {
    /// Milliseconds, with the fraction cut off.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
