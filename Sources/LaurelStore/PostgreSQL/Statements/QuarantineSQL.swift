// SPDX-License-Identifier: Apache-2.0

/// Statements on refused lines.
enum QuarantineSQL: String, SQLStatement {
    case storedOfAll = "SELECT sum(stored)::bigint FROM quarantine WHERE bucket BETWEEN $1 AND $2"
    case deleteAllPieces = "DELETE FROM quarantine_pieces WHERE bucket BETWEEN $1 AND $2"
    case deleteAll = "DELETE FROM quarantine WHERE bucket BETWEEN $1 AND $2"
    /// Subjects of refused lines may have any length, so the index contains their hashes.
    case ofSubject = """
        SELECT id FROM quarantine WHERE bucket = $1
            AND hashtextextended(subject, 0) = hashtextextended($2 COLLATE "C", 0) AND subject = $2
        """
    case lines = """
        SELECT id, reason, message, file, line, received_ms, event_id, source, subject, bytes FROM quarantine
        WHERE (bucket, id) > (($1 >> 32)::int, $1) AND bucket BETWEEN $2 AND $3 ORDER BY bucket, id LIMIT $4
        """
    case pieces = """
        SELECT data, piece, unpacked FROM quarantine_pieces WHERE bucket = $1 AND quarantine = $2 ORDER BY piece
        """
    case counts = """
        SELECT reason, count(*), count(*) - count(subject) FROM quarantine WHERE bucket BETWEEN $1 AND $2
        GROUP BY reason ORDER BY reason
        """
    case messages = """
        SELECT message, count(*), max(received_ms), max(id) FROM quarantine
        WHERE bucket BETWEEN $1 AND $2 AND reason = $3
        GROUP BY message ORDER BY count(*) DESC, message COLLATE "C" LIMIT $4
        """
}
