// SPDX-License-Identifier: Apache-2.0

/// Statements on jobs.
enum JobSQL: String, SQLStatement {
    /// Locks the table, so that numbers ascend in the order of the commits, and the limit of waiting jobs is not
    /// exceeded.
    case lock = "LOCK TABLE jobs IN SHARE ROW EXCLUSIVE MODE"
    /// Deletes the jobs that have ended, except the newest jobs of each kind.
    case prune = """
        DELETE FROM jobs j WHERE ended_ms IS NOT NULL
            AND number <= (SELECT k.number FROM jobs k WHERE k.ended_ms IS NOT NULL AND k.kind = j.kind
                ORDER BY k.number DESC OFFSET $1 LIMIT 1)
        """
    case removeEnded = "DELETE FROM jobs WHERE ended_ms < $1"
    case countWaiting = "SELECT count(*) FROM jobs WHERE state = 'waiting'"
    case add = """
        INSERT INTO jobs(id, kind, parameters, exclusive, names_learners, created_ms) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO NOTHING
        """
    /// The job to claim at the time $2, and its last holder. Of several exclusive jobs, only the first that has not
    /// ended can be claimed.
    case next = """
        SELECT j.number, j.holder FROM jobs j
        WHERE j.ended_ms IS NULL AND (j.until IS NULL OR j.until < to_timestamp($2::bigint / 1000.0))
            AND j.kind = ANY(string_to_array($1, ' '))
            AND NOT (j.exclusive AND EXISTS (
                SELECT 1 FROM jobs e WHERE e.exclusive AND e.ended_ms IS NULL AND e.number < j.number))
        ORDER BY j.number LIMIT 1 FOR UPDATE OF j SKIP LOCKED
        """
    case freeShadow = "DELETE FROM leases WHERE name = 'shadow' AND holder = $1"
    /// Claims the job from the time $4 until $5, unless another process has claimed it.
    case claim = """
        UPDATE jobs SET state = 'running', share = 0, attempts = attempts + 1, token = $2, holder = $3,
            until = to_timestamp($5::bigint / 1000.0), started_ms = coalesce(started_ms, $4)
        WHERE number = $1 AND (until IS NULL OR until < to_timestamp($4::bigint / 1000.0))
        RETURNING id, kind, parameters, attempts
        """
    case renew = """
        UPDATE jobs SET share = $3, until = to_timestamp($4::bigint / 1000.0) WHERE id = $1 AND token = $2
        """
    case end = """
        UPDATE jobs SET state = CASE WHEN $4::text IS NULL THEN 'done' ELSE 'failed' END,
            share = CASE WHEN $4 IS NULL THEN 1 ELSE share END, result = $3, problem = $4, token = NULL, until = NULL,
            ended_ms = $5
        WHERE id = $1 AND token = $2
        """
    case release = """
        UPDATE jobs SET state = 'waiting', share = 0, attempts = attempts - 1, token = NULL, holder = NULL, until = NULL
        WHERE id = $1 AND token = $2
        """
    /// Deletes jobs that may name learners. Running jobs are deleted, too, because they may have read the state before
    /// the erasure.
    case forgetNames = "DELETE FROM jobs WHERE names_learners AND state <> 'waiting'"

    case all = """
        SELECT id, kind, state, share, attempts, holder, started_ms, ended_ms, NULL::text, problem
        FROM jobs ORDER BY number
        """
    case one = """
        SELECT id, kind, state, share, attempts, holder, started_ms, ended_ms, result, problem FROM jobs WHERE id = $1
        """
}
