// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

extension Relation {
    /// The tables of what learners have achieved.
    static let projected = [TrackProjection.relation, DayProjection.relation, AchievementProjection.relation]
    /// The tables whose content follows from events and rules, in the order in which transactions lock them.
    static let derivedTables = projected.map(\.name) + ["snapshots", "checkpoints"]

    fileprivate static let learner = Column.number("learner", isNarrow: false)
    fileprivate static let language = Column.number("language")
}

extension TrackProjection: StoredRow {
    package static let relation = Relation(
        "progress_rows",
        view: "progress",
        key: [Relation.learner, Relation.language],
        shownKey: ["language"],
        fields
    )

    private static let fields: [Field<TrackProjection>] = [
        Field("events", \.events, "folded"),
        Field("first_event_ms", \.firstEventAt, as: "first_event_at"),
        Field("last_event_ms", \.lastEventAt, as: "last_event_at"),
        Field("xp", \.xp),
        Field("level", \.level),
        Field("level_progress_percent", \.levelProgressPercent),
        Field("current_streak", \.currentStreak),
        Field("longest_streak", \.longestStreak),
        Field("streak_freezes", \.streakFreezes),
        Field("last_activity_day", \.lastActivityDay),
        Field("practice_ms", \.practiceMilliseconds),
        Field("sessions", \.sessions),
        Field("solo_sessions", \.soloSessions),
        Field("multiplayer_sessions", \.multiplayerSessions),
        Field("words_known", \.wordsKnown),
        Field("words_learned", \.wordsLearned),
        Field("words_new", \.wordsNew),
        Field("words_learning", \.wordsLearning),
        Field("words_reviewing", \.wordsReviewing),
        Field("words_mastered", \.wordsMastered),
        Field("successful_repairs", \.successfulRepairs),
        Field("help_given", \.helpGiven),
        Field("team_wins", \.teamWins),
        Field("estimated_cefr", \.estimatedCEFR),
        Field("cefr_progress_percent", \.cefrProgressPercent),
        Field("xp_by_bucket", \.xpByBucket),
        Field("metrics", \.metrics, "JSON: name → number"),
        Field(
            "last_practice_ms",
            \.lastPracticeAt,
            as: "last_practice_at",
            "the latest event that can make a day count"
        ),
    ]
}

/// Of a day on which the overall track is not stored although languages are, all fields are null: see ``DailyRows``.
extension DayProjection: StoredRow {
    package static let relation = Relation(
        "daily_rows",
        view: "daily",
        key: [Relation.learner, .number("day"), Relation.language],
        shownKey: ["language", "day"],
        areOptional: true,
        fields
    )

    private static let fields: [Field<DayProjection>] = [
        Field("xp", \.xp),
        Field("practice_ms", \.practiceMilliseconds),
        Field("lines", \.lines),
        Field("reviews", \.reviews),
        Field("correct_reviews", \.correctReviews),
        Field("new_words", \.newWords),
        Field("learned_words", \.learnedWords),
        Field("active", \.isActive, isWide: true),
    ]
}

extension AchievementProjection: StoredRow {
    package static let relation = Relation(
        "achievement_rows",
        view: "achievements",
        key: [Relation.learner, Relation.language, .number("position")],
        codes: [.number("achievement")],
        shownKey: ["language", "achievement"],
        fields
    )

    private static let fields: [Field<AchievementProjection>] = [
        Field("tier", \.tier),
        Field("tiers", \.tiers),
        Field("unlocked_ms", \.unlockedAt, as: "unlocked_at"),
        Field("progress", \.progress),
        Field("hidden", \.isHidden),
    ]
}
