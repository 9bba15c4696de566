// SPDX-License-Identifier: Apache-2.0

/// Queries about all learners, and forms of these queries for one learner.
enum AllLearnersSQL: String, SQLStatement {
    case codeOfLanguage = "SELECT language FROM languages WHERE tag = $1"
    case languages = """
        SELECT p.learner, g.tag FROM progress_rows p JOIN languages g USING (language)
        WHERE p.edition = $1 AND p.bucket BETWEEN $2 AND $3
        """
    case xp = """
        SELECT learner, xp - flagged_xp FROM progress_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3 AND language = $4
        """
    case xpOfCohort = """
        SELECT p.learner, p.xp - p.flagged_xp FROM progress_rows p
        JOIN learners l ON l.bucket = p.bucket AND l.learner = p.learner
        WHERE p.edition = $1 AND p.bucket BETWEEN $2 AND $3 AND p.language = $4 AND l.cohort = $5
        """
    case days = """
        SELECT d.learner, d.day, d.language, d.xp, d.practice_ms, d.exercises, d.learned_words, d.active, d.flagged_xp
        FROM learners l
        CROSS JOIN LATERAL (
            SELECT learner, day, language, xp, practice_ms, lines + reviews AS exercises, learned_words, active,
                flagged_xp
            FROM daily_rows WHERE edition = $1 AND bucket = l.bucket
                AND learner = l.learner AND day BETWEEN $4 AND $5 AND ($6::bigint IS NULL OR language = $6)) d
        WHERE l.bucket BETWEEN $2 AND $3 AND ($7::text IS NULL OR l.cohort = $7)
        ORDER BY l.bucket, l.learner, d.day, d.language
        """

    case achievements = """
        SELECT a.learner, n.id, a.tier, a.unlocked_ms, a.progress, p.first_event_ms
        FROM achievement_rows a JOIN achievement_names n USING (achievement)
        JOIN progress_rows p
            ON p.edition = a.edition AND p.bucket = a.bucket AND p.learner = a.learner AND p.language = 0
        WHERE a.edition = $1 AND a.bucket BETWEEN $2 AND $3 ORDER BY a.bucket, a.learner
        """
    case offLeaderboards = """
        SELECT learner FROM learners WHERE bucket BETWEEN $1 AND $2 AND leaderboard = 0 ORDER BY learner
        """

    case mayBeInGroup = """
        SELECT learner FROM group_learners WHERE bucket BETWEEN $1 AND $2 AND name = $3 ORDER BY learner
        """

    case groupNames = """
        SELECT DISTINCT name FROM group_learners WHERE bucket BETWEEN $1 AND $2 AND name > $3 ORDER BY name LIMIT $4
        """
}

/// Queries for overviews of learners.
struct OverviewSQL: SQLStatement {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    private init(language: String, isRequired: Bool = false, _ condition: String) {
        rawValue = """
            SELECT \(OverviewRecord.columns) FROM learners l \(isRequired ? "" : "LEFT ")JOIN progress_rows p
                ON p.edition = $1 AND p.bucket = l.bucket AND p.learner = l.learner AND p.language = \(language)
            WHERE \(condition)
            """
    }

    private static let bounds = "l.bucket BETWEEN $2 AND $3"
    static let allLearners = OverviewSQL(language: "0", "\(bounds) ORDER BY l.subject")
    static let inLanguage = OverviewSQL(language: "$4", isRequired: true, "\(bounds) ORDER BY l.subject")
    static let page = OverviewSQL(language: "$4", "\(bounds) AND l.subject > $5 ORDER BY l.subject LIMIT $6")
    static let ofLearner = OverviewSQL(language: "$4", "l.bucket = $2 AND l.learner = $3")

    static let allCases = [allLearners, inLanguage, page, ofLearner]
}
