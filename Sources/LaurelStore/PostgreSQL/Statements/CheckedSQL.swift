// SPDX-License-Identifier: Apache-2.0

/// Queries that only a check of the whole store needs.
enum CheckedSQL: String, SQLStatement {
    case countLearners = "SELECT count(*), sum(events)::bigint FROM learners"
    case countBlocks = "SELECT count(*), sum(octet_length(data))::bigint FROM blocks"
    case countQuarantine = "SELECT count(*) FROM quarantine"
    case blocks = "SELECT block, events FROM blocks WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, block"
    case listedBlocks = "SELECT block FROM runs WHERE bucket BETWEEN $1 AND $2"
    case wrongGenerations = """
        SELECT count(*) FROM (
            SELECT generation, sum(events) FROM blocks WHERE bucket BETWEEN $1 AND $2 GROUP BY bucket, generation
            EXCEPT SELECT generation, events FROM generations WHERE bucket BETWEEN $1 AND $2) w
        """
    case strays = """
        SELECT DISTINCT s.name, s.learner FROM (
            SELECT 'runs' AS name, bucket, learner FROM runs UNION ALL SELECT 'tail', bucket, learner FROM tail
            UNION ALL SELECT 'identities', bucket, learner FROM identities
            UNION ALL SELECT 'identity_leaves', bucket, learner FROM identity_leaves
            UNION ALL SELECT 'notes', bucket, learner FROM notes
            UNION ALL SELECT 'group_learners', bucket, learner FROM group_learners
            UNION ALL SELECT 'snapshots', bucket, learner FROM snapshots WHERE edition = $1
            UNION ALL SELECT 'checkpoints', bucket, learner FROM checkpoints WHERE edition = $1
            UNION ALL SELECT 'progress_rows', bucket, learner FROM progress_rows WHERE edition = $1
            UNION ALL SELECT 'daily_rows', bucket, learner FROM daily_rows WHERE edition = $1
            UNION ALL SELECT 'achievement_rows', bucket, learner FROM achievement_rows WHERE edition = $1) s
        WHERE s.bucket BETWEEN $2 AND $3
            AND NOT EXISTS (SELECT 1 FROM learners l WHERE l.bucket = s.bucket AND l.learner = s.learner)
        ORDER BY 1, 2
        """
    case countTail = "SELECT count(*) FROM tail WHERE bucket BETWEEN $1 AND $2"
    case orphanedQuarantinePieces = """
        SELECT DISTINCT p.quarantine FROM quarantine_pieces p WHERE p.bucket BETWEEN $1 AND $2
            AND NOT EXISTS (SELECT 1 FROM quarantine q WHERE q.bucket = p.bucket AND q.id = p.quarantine)
        ORDER BY p.quarantine
        """
    case quarantinedLines = "SELECT id FROM quarantine WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, id"
    case snapshots = "SELECT data, learner FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case checkpoints = """
        SELECT data, learner, ms, events FROM checkpoints WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        """
    case blocksOfRuns = "SELECT DISTINCT block FROM runs WHERE bucket BETWEEN $1 AND $2"
    case learnersOfTailAndRuns = """
        SELECT learner FROM tail WHERE bucket BETWEEN $1 AND $2
        UNION SELECT learner FROM runs WHERE bucket BETWEEN $1 AND $2
        """
    case savepoint = "SAVEPOINT sound"
    case releaseSavepoint = "RELEASE SAVEPOINT sound"
    case toSavepoint = "ROLLBACK TO SAVEPOINT sound"
}
