// SPDX-License-Identifier: Apache-2.0

/// Statements on blocks, runs and the tail.
enum EventSQL: String, SQLStatement {
    case runsOfRange = """
        SELECT 1, learner, first_ms, block, first_row, rows, last_ms FROM runs
        WHERE bucket = $1 AND learner BETWEEN $2 AND $3 AND first_ms <= $5 AND last_ms >= $4
        ORDER BY learner, first_ms, block
        """
    case generations = """
        SELECT generation, events, runs FROM generations WHERE bucket BETWEEN $1 AND $2 ORDER BY bucket, generation
        """

    case tailOfRange = """
        SELECT 1, learner, ms, sequence, data FROM tail
        WHERE bucket = $1 AND learner BETWEEN $2 AND $3 AND ms BETWEEN $4 AND $5
        ORDER BY learner, ms, sequence
        """
    case emptyTail = "DELETE FROM tail WHERE bucket = $1"
    case lastEventTime = """
        SELECT greatest((SELECT max(last_ms) FROM runs WHERE bucket = $1 AND learner = $2),
            (SELECT max(ms) FROM tail WHERE bucket = $1 AND learner = $2))
        """
    case learnersWithEventsAfter = """
        SELECT learner FROM runs WHERE bucket BETWEEN $2 AND $3 AND last_ms > $1
        UNION SELECT learner FROM tail WHERE bucket BETWEEN $2 AND $3 AND ms > $1 ORDER BY learner
        """
}
