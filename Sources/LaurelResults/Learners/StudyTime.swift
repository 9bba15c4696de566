// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// How long a learner practised: the durations of ended sessions, and of practice outside sessions.
public struct StudyTime: Codable, Sendable, Hashable {
    /// nil for all languages together.
    public var language: String?
    /// Practice of all time.
    public var total: Duration
    /// Ended sessions.
    public var sessions: Int
    /// Days with any activity, the latest first.
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

/// What happened on one local day.
public struct StudyDay: Codable, Sendable, Hashable {
    /// The local day, by the learner's clock.
    public var day: LocalDay
    /// Practice on it.
    public var duration: Duration = .zero
    /// XP earned on it; less than 0 if some was taken back.
    public var xp = 0
    /// Lines of dialogs.
    public var linesSpoken = 0
    /// Reviews of words.
    public var reviews = 0
    /// Those not graded again.
    public var correctReviews = 0
    /// Words that became known, and that became learned, on that day.
    public var newWords = 0
    /// Words that became learned on it.
    public var learnedWords = 0
    /// Whether the day counts for the streak.
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
    /// Whole milliseconds, cut off.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
