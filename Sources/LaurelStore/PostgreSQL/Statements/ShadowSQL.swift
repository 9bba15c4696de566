// SPDX-License-Identifier: Apache-2.0

/// Statements on editions of the derived tables.
enum ShadowSQL: String, SQLStatement {
    case lastEdition = "SELECT max(edition) FROM editions"
    case addEdition = "INSERT INTO editions(edition, token) VALUES ($1, $2)"
    case mayAddEdition = """
        SELECT has_schema_privilege(c.relnamespace, 'CREATE')
            AND (SELECT bool_and(pg_has_role(t.relowner, 'USAGE')) FROM pg_class t
                WHERE t.relnamespace = c.relnamespace AND t.relkind = 'p')
        FROM pg_class c WHERE c.oid = to_regclass('progress_rows')
        """
    /// Locks the editions that no other process is dropping.
    case lockEditions = "SELECT edition FROM editions ORDER BY edition FOR UPDATE SKIP LOCKED"
    /// The editions that partitions read and build.
    case usedEditions = "SELECT DISTINCT edition, built_edition FROM buckets"
    case forgetEdition = "DELETE FROM editions WHERE edition = $1"

    case changedLearners = "SELECT learner FROM shadow_changed WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, learner"
    case forgetAllChanged = "DELETE FROM shadow_changed WHERE bucket BETWEEN $1 AND $2"

    /// Deletes rows from edition $1, for all learners who are in edition $2. Keeps the rows of `daily_rows`.
    case removeListed = """
        WITH listed AS (SELECT DISTINCT bucket, learner FROM progress_rows
                WHERE edition = $2 AND bucket BETWEEN $3 AND $4),
            a AS (DELETE FROM progress_rows p USING listed l
                WHERE p.edition = $1 AND p.bucket = l.bucket AND p.learner = l.learner),
            b AS (DELETE FROM achievement_rows p USING listed l
                WHERE p.edition = $1 AND p.bucket = l.bucket AND p.learner = l.learner),
            c AS (DELETE FROM snapshots p USING listed l
                WHERE p.edition = $1 AND p.bucket = l.bucket AND p.learner = l.learner)
        DELETE FROM checkpoints p USING listed l
        WHERE p.edition = $1 AND p.bucket = l.bucket AND p.learner = l.learner
        """
}
