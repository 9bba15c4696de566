// SPDX-License-Identifier: Apache-2.0

/// Statements on learners.
enum LearnerSQL: String, SQLStatement {
    /// The first and the last learner of each partition that has learners.
    case firstAndLast = """
        SELECT first.learner, last.learner FROM buckets b
        CROSS JOIN LATERAL (SELECT learner FROM learners WHERE bucket = b.bucket ORDER BY learner LIMIT 1) first
        CROSS JOIN LATERAL (SELECT learner FROM learners WHERE bucket = b.bucket ORDER BY learner DESC LIMIT 1) last
        WHERE b.bucket BETWEEN $1 AND $2 ORDER BY b.bucket
        """
    case ids = """
        SELECT learner FROM learners WHERE bucket = $1 AND learner BETWEEN $2 AND $3 ORDER BY learner LIMIT $4
        """
    case range = """
        SELECT learner, subject, events FROM learners WHERE bucket = $1 AND learner BETWEEN $2 AND $3 ORDER BY learner
        """
    case all = "SELECT learner, subject, events FROM learners ORDER BY subject"
    case changeOfOne = """
        SELECT l.changed, b.recent_changes FROM learners l JOIN buckets b USING (bucket)
        WHERE l.bucket = $1 AND l.subject = $2
        """
    /// Learners that have changed after a commit. $1 has one commit number for each partition, in the order of
    /// partitions.
    case changedAfter = """
        SELECT l.learner, l.subject, l.events FROM unnest($1::bigint[]) WITH ORDINALITY q(changed, place)
        JOIN learners l ON l.bucket = (q.place - 1)::int AND l.changed > q.changed LIMIT $2
        """
    /// Deletes a learner from all tables and editions, except blocks and runs. Returns the number of events in the
    /// tail, and the codes of names in deleted rows.
    case delete = """
        WITH gone AS (DELETE FROM tail WHERE bucket = $1 AND learner = $2 RETURNING 1),
            a AS (DELETE FROM progress_rows WHERE bucket = $1 AND learner = $2 RETURNING language),
            b AS (DELETE FROM daily_rows WHERE bucket = $1 AND learner = $2 RETURNING language),
            c AS (DELETE FROM achievement_rows WHERE bucket = $1 AND learner = $2 RETURNING language, achievement),
            d AS (DELETE FROM snapshots WHERE bucket = $1 AND learner = $2),
            e AS (DELETE FROM checkpoints WHERE bucket = $1 AND learner = $2),
            f AS (DELETE FROM identities WHERE bucket = $1 AND learner = $2),
            g AS (DELETE FROM identity_leaves WHERE bucket = $1 AND learner = $2),
            h AS (DELETE FROM copies WHERE bucket = $1 AND learner = $2),
            i AS (DELETE FROM notes WHERE bucket = $1 AND learner = $2),
            j AS (DELETE FROM group_learners WHERE bucket = $1 AND learner = $2),
            k AS (DELETE FROM learners WHERE bucket = $1 AND learner = $2)
        SELECT 'events', count(*) FROM gone UNION ALL SELECT DISTINCT 'achievement', achievement FROM c
        UNION ALL SELECT 'language', n.language FROM (
            SELECT language FROM a UNION SELECT language FROM b UNION SELECT language FROM c) n
        """
    /// The codes of names; $1 selects some of them, or is null for all.
    case languages = "SELECT language FROM languages WHERE $1::bigint[] IS NULL OR language = ANY($1)"
    case achievements = """
        SELECT achievement FROM achievement_names WHERE $1::bigint[] IS NULL OR achievement = ANY($1)
        """
    case languageInProgress = "SELECT 1 FROM progress_rows WHERE language = $1 LIMIT 1"
    case languageInAchievements = "SELECT 1 FROM achievement_rows WHERE language = $1 LIMIT 1"
    case languageInDays = "SELECT 1 FROM daily_rows WHERE language = $1 LIMIT 1"
    case usesOfAchievement = "SELECT 1 FROM achievement_rows WHERE achievement = $1 LIMIT 1"
    /// Deletes names that no row uses. The transaction must hold every partition, because partitions share names.
    case deleteLanguages = "DELETE FROM languages WHERE language = ANY($1::bigint[])"
    case deleteAchievements = "DELETE FROM achievement_names WHERE achievement = ANY($1::bigint[])"
    case advanceAllPartitions = "UPDATE buckets SET version = version + 1"
    /// Increments the count of deletions of names: see ``StoredNames/State/generation``.
    case advanceNames = """
        INSERT INTO meta(name, value) VALUES ('names', 1) ON CONFLICT (name) DO UPDATE SET value = meta.value + 1
        """

    /// The statements that find a row with a language. The smallest tables are searched first.
    static let usesOfLanguage: [Self] = [.languageInProgress, .languageInAchievements, .languageInDays]
}
