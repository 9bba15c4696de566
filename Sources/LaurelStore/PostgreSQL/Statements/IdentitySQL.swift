// SPDX-License-Identifier: Apache-2.0

/// Which ids are taken.
enum IdentitySQL: String, SQLStatement {
    case runs = """
        SELECT q.place, i.low, i.more
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY q(learner, family, number, place)
        CROSS JOIN LATERAL (
            SELECT low, more FROM identities WHERE bucket = (q.learner >> 32)::int AND learner = q.learner
                AND family = q.family AND low <= q.number
            ORDER BY low DESC LIMIT 1) i
        """
    case runsOfLearner = """
        SELECT family, low, more FROM identities WHERE bucket = ($1 >> 32)::int AND learner = $1 ORDER BY family, low
        """
    case write = """
        INSERT INTO identities(bucket, learner, family, low, more)
        SELECT (q.learner >> 32)::int, q.learner, q.family, q.low, q.more
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) q(learner, family, low, more)
        ON CONFLICT (bucket, learner, family, low) DO UPDATE SET more = EXCLUDED.more
        """
    case delete = """
        DELETE FROM identities i USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) q(learner, family, low)
        WHERE i.bucket = (q.learner >> 32)::int AND i.learner = q.learner AND i.family = q.family AND i.low = q.low
        """
    case hasLeaves = "SELECT EXISTS (SELECT 1 FROM identity_leaves WHERE bucket BETWEEN $1 AND $2)"
    case haveLeaves = """
        SELECT q.place FROM unnest($1::bigint[]) WITH ORDINALITY q(learner, place)
        WHERE EXISTS (
            SELECT 1 FROM identity_leaves WHERE bucket = (q.learner >> 32)::int AND learner = q.learner)
        """
    case leaves = """
        SELECT l.learner, l.low, l.data, (
                SELECT n.low FROM identity_leaves n
                WHERE n.bucket = (l.learner >> 32)::int AND n.learner = l.learner AND n.low > l.low
                ORDER BY n.low LIMIT 1)
        FROM (
            SELECT DISTINCT q.learner, i.low FROM unnest($1::bigint[], $2::bigint[]) q(learner, hash)
            CROSS JOIN LATERAL (
                SELECT low FROM identity_leaves
                WHERE bucket = (q.learner >> 32)::int AND learner = q.learner AND low <= q.hash
                ORDER BY low DESC LIMIT 1) i) f
        JOIN identity_leaves l ON l.bucket = (f.learner >> 32)::int AND l.learner = f.learner AND l.low = f.low
        ORDER BY l.learner, l.low
        """
    case leavesOfLearner = """
        SELECT low, data FROM identity_leaves WHERE bucket = ($1 >> 32)::int AND learner = $1 ORDER BY low
        """
    case writeLeaves = """
        INSERT INTO identity_leaves(bucket, learner, low, data)
        SELECT (q.learner >> 32)::int, q.learner, q.low, q.data
        FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) q(learner, low, data)
        ON CONFLICT (bucket, learner, low) DO UPDATE SET data = EXCLUDED.data
        """
    case deleteLeaves = """
        DELETE FROM identity_leaves i USING unnest($1::bigint[]) q(learner)
        WHERE i.bucket = (q.learner >> 32)::int AND i.learner = q.learner
        """
}
