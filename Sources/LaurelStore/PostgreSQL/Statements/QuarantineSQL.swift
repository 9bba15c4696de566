// SPDX-License-Identifier: Apache-2.0

/// Refused lines.
enum QuarantineSQL: String, SQLStatement {
    case add = """
        INSERT INTO quarantine(bucket, id, reason, message, file, line, received_ms, event_id, source, subject)
        VALUES (($1 >> 32)::int, $1, $2, $3, $4, $5, $6, $7, $8, $9)
        """
    case addPiece = """
        INSERT INTO quarantine_pieces(bucket, quarantine, piece, data, unpacked)
        VALUES (($1 >> 32)::int, $1, $2, $3, $4)
        """
    case setSize = "UPDATE quarantine SET bytes = $2, stored = $3 WHERE bucket = ($1 >> 32)::int AND id = $1"
    case storedOfAll = "SELECT sum(stored)::bigint FROM quarantine WHERE bucket BETWEEN $1 AND $2"
    case storedOfSome = """
        SELECT sum(greatest(s.stored, 0))::bigint FROM unnest($1::bigint[]) q(id)
        JOIN quarantine s ON s.bucket = (q.id >> 32)::int AND s.id = q.id
        """
    case deletePieces = """
        DELETE FROM quarantine_pieces p USING unnest($1::bigint[]) q(id)
        WHERE p.bucket = (q.id >> 32)::int AND p.quarantine = q.id
        """
    case delete = """
        DELETE FROM quarantine l USING unnest($1::bigint[]) q(id) WHERE l.bucket = (q.id >> 32)::int AND l.id = q.id
        """
    case deleteAllPieces = "DELETE FROM quarantine_pieces WHERE bucket BETWEEN $1 AND $2"
    case deleteAll = "DELETE FROM quarantine WHERE bucket BETWEEN $1 AND $2"
    /// Subjects of refused lines may be of any length, so the index has hashes of them.
    case ofSubject = """
        SELECT id FROM quarantine WHERE bucket BETWEEN $1 AND $2
            AND hashtextextended(subject, 0) = hashtextextended($3 COLLATE "C", 0) AND subject = $3
        """
    case lines = """
        SELECT id, reason, message, file, line, received_ms, event_id, source, subject, bytes FROM quarantine
        WHERE (bucket, id) > (($1 >> 32)::int, $1) AND bucket BETWEEN $2 AND $3 ORDER BY bucket, id LIMIT $4
        """
    case pieces = """
        SELECT data, piece, unpacked FROM quarantine_pieces WHERE bucket = ($1 >> 32)::int AND quarantine = $1
        ORDER BY piece
        """
    case counts = """
        SELECT reason, count(*), count(*) - count(subject) FROM quarantine WHERE bucket BETWEEN $1 AND $2
        GROUP BY reason ORDER BY reason
        """
}
