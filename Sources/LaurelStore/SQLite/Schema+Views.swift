// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// The views that users query. `docs/store.md` documents them.
///
/// DuckDB can also read a SQLite file. DuckDB finds the types of a view's columns only if it can run the view's
/// query. So the queries use only SQL that SQLite and DuckDB both understand, and types that have the same meaning in
/// both.
extension Schema {
    static let views = """
        CREATE VIEW learner_profiles AS
            SELECT learner AS learner_number, subject AS learner, events, display_name, cohort, native_language,
                daily_goal_minutes, coalesce(leaderboard, 1) AS leaderboard
            FROM learners;
        CREATE VIEW progress AS
            SELECT p.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language,
                \(TrackNumbers.relation.shownFields.list { $0.shownInSQLite("p.") })
            FROM progress_rows p JOIN learners l ON l.learner = p.learner LEFT JOIN languages g ON g.language = p.language;
        CREATE VIEW daily AS
            SELECT d.learner AS learner_number, l.subject AS learner, d.language, \(date("d.day")) AS day, \(dayFields.names("d."))
            FROM (
                SELECT r.learner, g.tag AS language, r.day, \(dayFields.names("r."))
                FROM daily_rows r JOIN languages g ON g.language = r.language
                UNION ALL
                SELECT learner, '*', day, \(dayFields.names()) FROM daily_rows WHERE language = 0 AND xp IS NOT NULL
                UNION ALL
                SELECT learner, '*', day, \(dayFields.list(\.sumInSQLite))
                FROM daily_rows GROUP BY learner, day HAVING min(language) > 0
            ) d JOIN learners l ON l.learner = d.learner;
        CREATE VIEW achievements AS
            SELECT a.learner AS learner_number, l.subject AS learner, coalesce(g.tag, '*') AS language, n.id AS achievement,
                \(AchievementProjection.relation.shownFields.list { $0.shownInSQLite("a.") })
            FROM achievement_rows a JOIN learners l ON l.learner = a.learner
                JOIN achievement_names n ON n.achievement = a.achievement LEFT JOIN languages g ON g.language = a.language;
        \(GamesView.all.map(view).joined(separator: "\n"))
        """

    private static func view(_ view: GamesView) -> String {
        func value(_ column: Column) -> String {
            let text = "g.value ->> '$.\(column.name)'"
            return switch column.type {
            case .text: "\(text) AS \"\(column.name)\""
            case .real: "CAST(\(text) AS DOUBLE) AS \(column.name)"
            default: "CAST(\(text) AS BIGINT) AS \(column.name)"
            }
        }
        return """
            CREATE VIEW \(view.name) AS
                SELECT v.learner_number, v.learner, \(view.columns.list { $0.shownInSQLite("v.") })
                FROM (
                    SELECT p.learner AS learner_number, l.subject AS learner, \(view.columns.list(value))
                    FROM progress_rows p JOIN learners l ON l.learner = p.learner, json_each(p.games, '$.\(view.name)') g
                    WHERE p.language = 0 AND p.games IS NOT NULL
                ) v;
            """
    }

    private static let dayFields = DayProjection.relation.fields

    /// SQL that formats milliseconds since 1970 as RFC 3339 in UTC.
    static func instant(_ column: String) -> String {
        let day = "(\(column) - \(column) % 86400000) / 86400000"
        func part(of whole: Int, in unit: Int) -> String {
            "CAST((\(column) % \(whole) - \(column) % \(unit)) / \(unit) AS BIGINT)"
        }
        return """
            \(date(day)) || printf('T%02d:%02d:%02d.%03dZ', \(part(of: 86_400_000, in: 3_600_000)),
                \(part(of: 3_600_000, in: 60000)), \(part(of: 60000, in: 1000)), \(column) % 1000)
            """
    }

    /// SQL that formats a number of days since 1970 as `YYYY-MM-DD`. SQLite would treat a number as a Julian day. A
    /// cast of a text to a date gives the text's leading number in SQLite, and a date in DuckDB.
    static func date(_ days: String) -> String {
        """
        strftime('%Y-%m-%d', CAST(CASE WHEN typeof(1) = 'integer' THEN CAST(\(days) + 2440587.5 AS TEXT)
            ELSE CAST(CAST('1970-01-01' AS DATE) + CAST(\(days) AS INTEGER) AS TEXT) END AS DATE))
        """
    }
}
