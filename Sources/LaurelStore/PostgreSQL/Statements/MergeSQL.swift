// SPDX-License-Identifier: Apache-2.0

/// Statements on merges of learners.
enum MergeSQL: String, SQLStatement {
    /// The merges of some ids, each with the partition of the id.
    case some = """
        SELECT m.subject, m.target, m.named_subject, m.named_target, m.ms
        FROM unnest($1::bigint[], $2::text[]) q(bucket, subject)
        JOIN merges m ON m.bucket = q.bucket::int AND m.subject = q.subject
        """
    /// The merges into some ids. The merged ids may be in any partition.
    case into = """
        SELECT subject, target, named_subject, named_target, ms FROM merges WHERE target = ANY($1::text[])
        ORDER BY ms, subject
        """
    case all = "SELECT subject, target, named_subject, named_target, ms FROM merges ORDER BY ms, subject"
    case add = """
        INSERT INTO merges(bucket, subject, target, named_subject, named_target, ms) VALUES ($1, $2, $3, $4, $5, $6)
        """
    case delete = "DELETE FROM merges WHERE bucket = $1 AND subject = $2"

    static var ofAllPartitions: Set<Self> { [.into, .all] }
}
