// SPDX-License-Identifier: Apache-2.0

/// Statements on merges of learners.
enum MergeSQL: String, SQLStatement {
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
}
