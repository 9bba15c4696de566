// SPDX-License-Identifier: Apache-2.0

package import LaurelProgress

extension Relation {
    /// The tables of progress.
    static let projected = [TrackNumbers.relation, DayProjection.relation, AchievementProjection.relation]
    /// The number of format changes that added columns since the oldest readable format; see ``Column/addition``.
    static let additions = projected.flatMap(\.fields).map(\.addition).max() ?? 0

    /// The statements that add the missing columns to tables of an older format.
    /// - Parameter addition: the last addition of the older format.
    static func addColumns(after addition: Int, type: (Column) -> String) -> [String] {
        projected.flatMap { relation in
            relation.fields(after: addition).map { column in
                "ALTER TABLE \(relation.name) ADD COLUMN \(column.name) \(type(column))"
                    + (column.isOptional ? "" : " NOT NULL DEFAULT \(column.valueOfOlderRows)")
            }
        }
    }

    /// The tables whose content is computed from events and rules, in the order in which transactions lock them.
    static let derivedTables = projected + [snapshots, checkpoints]

    static let learner = Column.number("learner", isNarrow: false)
    fileprivate static let language = Column.number("language")
}

extension TrackNumbers: StoredRow {
    package static let relation = Relation(
        "progress_rows",
        view: "progress",
        key: [Relation.learner, Relation.language],
        shownKey: ["language"],
        fields
    )

    private static let fields: [Field<TrackNumbers>] = [
        Field("events", \.counts.events, "folded"),
        Field("first_event_ms", \.counts.firstEventAt, as: "first_event_at"),
        Field("last_event_ms", \.counts.lastEventAt, as: "last_event_at"),
        Field("xp", \.xp),
        Field("level", \.level),
        Field("level_progress_percent", \.levelProgressPercent),
        Field("current_streak", \.currentStreak),
        Field("longest_streak", \.longestStreak),
        Field("streak_freezes", \.streakFreezes),
        Field("last_activity_day", \.lastActivityDay),
        Field("practice_ms", \.counts.practiceMilliseconds),
        Field("sessions", \.counts.sessions),
        Field("solo_sessions", \.counts.soloSessions),
        Field("multiplayer_sessions", \.counts.multiplayerSessions),
        Field("words_known", \.counts.words.known),
        Field("words_learned", \.counts.words.learned),
        Field("words_new", \.counts.words.new),
        Field("words_learning", \.counts.words.learning),
        Field("words_reviewing", \.counts.words.reviewing),
        Field("words_mastered", \.counts.words.mastered),
        Field("successful_repairs", \.counts.successfulRepairs),
        Field("help_given", \.counts.helpGiven),
        Field("team_wins", \.counts.teamWins),
        Field("estimated_cefr", \.estimatedCEFR),
        Field("cefr_progress_percent", \.cefrProgressPercent),
        Field("xp_by_bucket", \.xpByBucket),
        Field("metrics", \.metrics, "JSON: name → number"),
        Field(
            "last_practice_ms",
            \.lastPracticeAt,
            as: "last_practice_at",
            addition: 1,
            "the latest event that can make a day count"
        ),
        Field("timezone", \.timezone, addition: 1, "zone or offset of the latest event; null: the rules' default"),
        Field("streak_ends_day", \.streakEnds, as: "streak_ends", addition: 1, "practice by its end saves the streak"),
        Field("games", \.games, isHidden: true, addition: 1),
        Field("flagged_events", \.flaggedEvents, addition: 1),
        Field("flagged_xp", \.flaggedXP, addition: 1),
    ]
}

/// All fields are null if a day is stored for languages but not for the overall track; see ``DailyRows``.
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
        Field("flagged_xp", \.flaggedXP, addition: 1),
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
