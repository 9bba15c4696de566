// SPDX-License-Identifier: Apache-2.0

/// The views to query, documented in `docs/store.md`.
///
/// DuckDB reads a SQLite file, too. It knows the types of a view's columns only if it can run the view's query itself, so
/// the queries use what both understand, and name types that mean the same to both.
extension Schema {
    static let views = """
        CREATE VIEW learner_profiles AS
            SELECT learner AS learner_number, subject AS learner, events, display_name, cohort, native_language,
                daily_goal_minutes
            FROM learners;
        CREATE VIEW progress AS
            SELECT p.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, p.events,
                \(instant("p.first_event_ms")) AS first_event_at, \(instant("p.last_event_ms")) AS last_event_at,
                p.xp, p.level, p.level_progress_percent, p.current_streak, p.longest_streak, p.streak_freezes,
                \(date("p.last_activity_day")) AS last_activity_day, p.practice_ms, p.sessions,
                p.solo_sessions, p.multiplayer_sessions, p.words_known, p.words_learned, p.words_new,
                p.words_learning, p.words_reviewing, p.words_mastered, p.successful_repairs, p.help_given, p.team_wins,
                p.estimated_cefr, p.cefr_progress_percent, p.xp_by_bucket, p.metrics,
                \(instant("p.last_practice_ms")) AS last_practice_at
            FROM progress_rows p JOIN learners l ON l.learner = p.learner LEFT JOIN languages g ON g.language = p.language;
        CREATE VIEW daily AS
            SELECT d.learner AS learner_number, l.subject AS learner, d.language, \(date("d.day")) AS day, d.xp, d.practice_ms,
                d.lines, d.reviews, d.correct_reviews, d.new_words, d.learned_words, d.active
            FROM (
                SELECT r.learner, g.tag AS language, r.day, r.xp, r.practice_ms, r.lines, r.reviews, r.correct_reviews,
                    r.new_words, r.learned_words, r.active
                FROM daily_rows r JOIN languages g ON g.language = r.language
                UNION ALL
                SELECT learner, '*', day, xp, practice_ms, lines, reviews, correct_reviews, new_words,
                    learned_words, active
                FROM daily_rows WHERE language = 0 AND xp IS NOT NULL
                UNION ALL
                SELECT learner, '*', day, sum(xp), CAST(sum(practice_ms) AS BIGINT), CAST(sum(lines) AS BIGINT),
                    CAST(sum(reviews) AS BIGINT), CAST(sum(correct_reviews) AS BIGINT), CAST(sum(new_words) AS BIGINT),
                    CAST(sum(learned_words) AS BIGINT), max(active)
                FROM daily_rows GROUP BY learner, day HAVING min(language) > 0
            ) d JOIN learners l ON l.learner = d.learner;
        CREATE VIEW achievements AS
            SELECT a.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, n.id AS achievement, a.tier, a.tiers,
                \(instant("a.unlocked_ms")) AS unlocked_at, a.progress, a.hidden
            FROM achievement_rows a JOIN learners l ON l.learner = a.learner
                JOIN achievement_names n ON n.achievement = a.achievement LEFT JOIN languages g ON g.language = a.language;
        """

    /// RFC 3339 in UTC, of milliseconds since 1970.
    private static func instant(_ column: String) -> String {
        let day = "(\(column) - \(column) % 86400000) / 86400000"
        func part(of whole: Int, in unit: Int) -> String {
            "CAST((\(column) % \(whole) - \(column) % \(unit)) / \(unit) AS BIGINT)"
        }
        return """
            \(date(day)) || printf('T%02d:%02d:%02d.%03dZ', \(part(of: 86_400_000, in: 3_600_000)),
                \(part(of: 3_600_000, in: 60000)), \(part(of: 60000, in: 1000)), \(column) % 1000)
            """
    }

    /// `YYYY-MM-DD`, of a number of days since 1970. SQLite takes a number for a Julian day; as a date, a text is the number that it
    /// begins with to SQLite, and a date to DuckDB.
    private static func date(_ days: String) -> String {
        """
        strftime('%Y-%m-%d', CAST(CASE WHEN typeof(1) = 'integer' THEN CAST(\(days) + 2440587.5 AS TEXT)
            ELSE CAST(CAST('1970-01-01' AS DATE) + CAST(\(days) AS INTEGER) AS TEXT) END AS DATE))
        """
    }
}
