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
    case removeEnded = """
        DELETE FROM jobs
        WHERE ended_ms < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1::bigint * 86400000
        """
    case add = """
        INSERT INTO jobs(id, kind, parameters, exclusive, names_learners, created_ms)
        SELECT $1, $2, $3, $4, $5, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE (SELECT count(*) FROM jobs WHERE state = 'waiting') < $6
        ON CONFLICT (id) DO NOTHING
        """
    /// Claims the next job. Of several exclusive jobs, only the first that has not ended can be claimed. If the process
    /// of a claimed job has ended, the shadow that it was building is lost. So the claim also deletes the lease of that
    /// shadow.
    case claim = """
        WITH next AS (
                SELECT j.number, j.holder FROM jobs j
                WHERE j.ended_ms IS NULL AND (j.until IS NULL OR j.until < clock_timestamp())
                    AND j.kind = ANY(string_to_array($1, ' '))
                    AND NOT (j.exclusive AND EXISTS (
                        SELECT 1 FROM jobs e WHERE e.exclusive AND e.ended_ms IS NULL AND e.number < j.number))
                ORDER BY j.number LIMIT 1 FOR UPDATE OF j SKIP LOCKED),
            freed AS (DELETE FROM leases l USING next n WHERE l.name = 'shadow' AND l.holder = n.holder)
        UPDATE jobs j SET state = 'running', share = 0, attempts = j.attempts + 1, token = $2, holder = $3,
            until = clock_timestamp() + make_interval(secs => $4),
            started_ms = coalesce(j.started_ms, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
        FROM next n WHERE j.number = n.number
        RETURNING j.id, j.kind, j.parameters, j.attempts
        """
    case renew = """
        UPDATE jobs SET share = $3, until = clock_timestamp() + make_interval(secs => $4) WHERE id = $1 AND token = $2
        """
    case end = """
        UPDATE jobs SET state = CASE WHEN $4::text IS NULL THEN 'done' ELSE 'failed' END,
            share = CASE WHEN $4 IS NULL THEN 1 ELSE share END, result = $3, problem = $4, token = NULL, until = NULL,
            ended_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
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
