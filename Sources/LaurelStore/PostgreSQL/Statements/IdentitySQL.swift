// SPDX-License-Identifier: Apache-2.0

/// Statements on used ids.
enum IdentitySQL: String, SQLStatement {
    /// The leaves of a partition that hashes belong to, each with the start of the next leaf.
    case leaves = """
        SELECT l.learner, l.low, l.data, (
                SELECT n.low FROM identity_leaves n
                WHERE n.bucket = $1 AND n.learner = l.learner AND n.low > l.low
                ORDER BY n.low LIMIT 1)
        FROM (
            SELECT DISTINCT q.learner, i.low FROM unnest($2::bigint[], $3::bigint[]) q(learner, hash)
            CROSS JOIN LATERAL (
                SELECT low FROM identity_leaves
                WHERE bucket = $1 AND learner = q.learner AND low <= q.hash
                ORDER BY low DESC LIMIT 1) i) f
        JOIN identity_leaves l ON l.bucket = $1 AND l.learner = f.learner AND l.low = f.low
        ORDER BY l.learner, l.low
        """
}
