// SPDX-License-Identifier: Apache-2.0

/// Blocks, runs and the tail.
enum EventSQL: String, SQLStatement {
    case runsOfLearners = """
        SELECT r.learner, r.block, r.first_row, r.rows, r.first_ms, r.last_ms
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY q(learner, since, until, place)
        JOIN runs r ON r.bucket = (q.learner >> 32)::int AND r.learner = q.learner AND r.first_ms <= q.until
            AND r.last_ms >= q.since
        ORDER BY q.place, r.first_ms, r.block
        """
    case runsOfRange = """
        SELECT learner, block, first_row, rows, first_ms, last_ms FROM runs
        WHERE (bucket, learner) >= (($1 >> 32)::int, $1) AND (bucket, learner) <= (($2 >> 32)::int, $2)
            AND bucket BETWEEN $5 AND $6 AND first_ms <= $4 AND last_ms >= $3
        ORDER BY bucket, learner, first_ms, block
        """
    case countRuns = """
        SELECT q.place, r.runs, r.events FROM unnest($1::bigint[]) WITH ORDINALITY q(learner, place)
        CROSS JOIN LATERAL (
            SELECT count(*) AS runs, sum(rows)::bigint AS events FROM runs
            WHERE bucket = (q.learner >> 32)::int AND learner = q.learner) r
        WHERE r.runs > 0
        """
    case deleteRuns = """
        DELETE FROM runs r USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) q(learner, first_ms, block)
        WHERE r.bucket = (q.learner >> 32)::int AND r.learner = q.learner AND r.first_ms = q.first_ms
            AND r.block = q.block
        """
    case blocks = """
        SELECT b.block, b.data FROM unnest($1::bigint[]) WITH ORDINALITY q(block, place)
        JOIN blocks b ON b.bucket = (q.block >> 32)::int AND b.block = q.block ORDER BY q.place
        """
    case addBlocks = """
        INSERT INTO blocks(bucket, block, generation, events, data)
        SELECT (q.block >> 32)::int, q.block, q.generation, q.events, q.data
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) q(generation, block, events, data)
        """
    case addRuns = """
        INSERT INTO runs(bucket, learner, first_ms, block, first_row, rows, last_ms)
        SELECT (q.learner >> 32)::int, q.learner, q.first_ms, q.block, q.first_row, q.rows, q.last_ms
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
            q(learner, first_ms, block, first_row, rows, last_ms)
        """
    case countGeneration = """
        INSERT INTO generations(bucket, generation, events, runs)
        SELECT (q.generation >> 32)::int, q.generation, q.events, q.runs
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) q(generation, events, runs)
        ON CONFLICT (bucket, generation) DO UPDATE
            SET events = generations.events + EXCLUDED.events, runs = generations.runs + EXCLUDED.runs
        """
    case deleteBlock = "DELETE FROM blocks WHERE bucket = ($1 >> 32)::int AND block = $1"
    case generationOfBlock = "SELECT generation FROM blocks WHERE bucket = ($1 >> 32)::int AND block = $1"
    case generations = """
        SELECT generation, events, runs FROM generations WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, generation
        """
    case blocksOfGenerations = """
        SELECT b.block FROM unnest($1::bigint[]) q(generation)
        JOIN blocks b ON b.bucket = (q.generation >> 32)::int AND b.generation = q.generation
        """
    case deleteBlocksOfGenerations = """
        DELETE FROM blocks b USING unnest($1::bigint[]) q(generation)
        WHERE b.bucket = (q.generation >> 32)::int AND b.generation = q.generation
        """
    case deleteGenerations = """
        DELETE FROM generations g USING unnest($1::bigint[]) q(generation)
        WHERE g.bucket = (q.generation >> 32)::int AND g.generation = q.generation
        """

    case appendToTail = """
        INSERT INTO tail(bucket, learner, ms, sequence, data)
        SELECT (q.learner >> 32)::int, q.learner, q.ms, q.sequence, q.data
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) q(learner, ms, sequence, data)
        """
    case tailOfLearners = """
        SELECT t.learner, t.ms, t.sequence, t.data
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY q(learner, since, until, place)
        JOIN tail t ON t.bucket = (q.learner >> 32)::int AND t.learner = q.learner AND t.ms BETWEEN q.since AND q.until
        ORDER BY q.place, t.ms, t.sequence
        """
    case tailOfRange = """
        SELECT learner, ms, sequence, data FROM tail
        WHERE (bucket, learner) >= (($1 >> 32)::int, $1) AND (bucket, learner) <= (($2 >> 32)::int, $2)
            AND bucket BETWEEN $5 AND $6 AND ms BETWEEN $3 AND $4
        ORDER BY bucket, learner, ms, sequence
        """
    case emptyTail = "DELETE FROM tail WHERE bucket BETWEEN $1 AND $2"
    case lastEventTime = """
        SELECT greatest((SELECT max(last_ms) FROM runs WHERE bucket = ($1 >> 32)::int AND learner = $1),
            (SELECT max(ms) FROM tail WHERE bucket = ($1 >> 32)::int AND learner = $1))
        """
    case learnersWithEventsAfter = """
        SELECT learner FROM runs WHERE bucket BETWEEN $2 AND $3 AND last_ms > $1
        UNION SELECT learner FROM tail WHERE bucket BETWEEN $2 AND $3 AND ms > $1 ORDER BY learner
        """
}
