// SPDX-License-Identifier: Apache-2.0

/// Statements on used ids.
enum IdentitySQL: String, SQLStatement {
    case hasLeaves = "SELECT EXISTS (SELECT 1 FROM identity_leaves WHERE bucket = ANY($1::bigint[]))"
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
}
