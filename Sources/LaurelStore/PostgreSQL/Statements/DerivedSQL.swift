// SPDX-License-Identifier: Apache-2.0

/// Statements on tables that are computed from events and rules. ``RelationSQL`` has more.
enum DerivedSQL: String, SQLStatement {
    case findLanguages = """
        SELECT q.place, n.language FROM unnest($1::text[]) WITH ORDINALITY q(name, place)
        JOIN languages n ON n.tag = q.name ORDER BY q.place
        """
    case addLanguages = """
        INSERT INTO languages(tag) SELECT q.name FROM unnest($1::text[]) q(name) ORDER BY q.name ON CONFLICT DO NOTHING
        """
    case findAchievements = """
        SELECT q.place, n.achievement FROM unnest($1::text[]) WITH ORDINALITY q(name, place)
        JOIN achievement_names n ON n.id = q.name ORDER BY q.place
        """
    case addAchievements = """
        INSERT INTO achievement_names(id) SELECT q.name FROM unnest($1::text[]) q(name) ORDER BY q.name
        ON CONFLICT DO NOTHING
        """
    case languageNames = "SELECT language, tag FROM languages WHERE language = ANY($1::bigint[])"
    case achievementNames = "SELECT achievement, id FROM achievement_names WHERE achievement = ANY($1::bigint[])"

    case profiles = """
        SELECT learner, display_name, cohort, native_language, daily_goal_minutes, leaderboard FROM learners
        WHERE bucket = $1 AND learner >= $2 ORDER BY learner LIMIT $3
        """

    /// Deletes the rows of a partition's learners, except those that the same write replaces.
    case deleteProgress = """
        DELETE FROM progress_rows p
        WHERE p.edition = $2 AND p.bucket = $1 AND p.learner = ANY($3::bigint[])
            AND NOT EXISTS (
                SELECT 1 FROM unnest($4::bigint[], $5::bigint[]) n(learner, language)
                WHERE n.learner = p.learner AND n.language = p.language)
        """
    case hide = """
        UPDATE achievement_rows a SET hidden = q.hidden::int
        FROM unnest($4::text[], $5::boolean[]) q(id, hidden) JOIN achievement_names n USING (id)
        WHERE a.edition = $1 AND a.bucket BETWEEN $2 AND $3 AND a.achievement = n.achievement
        """
    case learnersWithSnapshotOrProgress = """
        SELECT learner FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        UNION SELECT a.learner FROM achievement_rows a JOIN achievement_names n USING (achievement)
        WHERE a.edition = $1 AND a.bucket BETWEEN $2 AND $3 AND n.id = ANY($4::text[])
        ORDER BY learner
        """
}
