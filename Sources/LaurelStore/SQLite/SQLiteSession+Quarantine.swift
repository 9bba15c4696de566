extension SQLiteSession {
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantinedLine] {
        let statement = try connection.statement(
            """
            SELECT id, reason, message, file, line, received_ms, event_id, source, subject, bytes FROM quarantine
            WHERE id > ? ORDER BY id LIMIT ?
            """
        )
        try statement.bind([.integer(id), .count(limit)])
        defer { statement.reset() }
        var lines: [QuarantinedLine] = []
        while try statement.step() {
            var line = QuarantinedLine(
                reason: statement.string(1),
                message: statement.string(2),
                file: statement.optionalString(3),
                line: statement.optionalInteger(4).map(Int.init),
                receivedAt: statement.integer(5),
                eventID: statement.optionalArray(6),
                source: statement.optionalArray(7),
                subject: statement.optionalArray(8)
            )
            line.id = statement.integer(0)
            line.byteCount = statement.count(9)
            lines.append(line)
        }
        return lines
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        let statement = try connection.newStatement(
            "SELECT data FROM quarantine_pieces WHERE quarantine = ? ORDER BY piece"
        )
        try statement.bind([.integer(id)])
        while try statement.step() { try body(statement.bytes(0).assumingMemoryBound(to: UInt8.self)) }
    }

    func quarantineCounts() throws -> [QuarantineCount] {
        let statement = try connection.statement(
            "SELECT reason, count(*) FROM quarantine GROUP BY reason ORDER BY reason"
        )
        defer { statement.reset() }
        var counts: [QuarantineCount] = []
        while try statement.step() {
            counts.append(QuarantineCount(reason: statement.string(0), lines: statement.count(1)))
        }
        return counts
    }

    func quarantine(_ line: QuarantinedLine, nextPiece: () throws -> [UInt8]?) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO quarantine(reason, message, file, line, received_ms, event_id, source, subject)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .string(line.reason),
            .string(line.message),
            .optional(line.file),
            .optional(line.line.map(Int64.init)),
            .integer(line.receivedAt),
            .optional(line.eventID),
            .optional(line.source),
            .optional(line.subject)
        )
        let id = connection.lastID
        var (bytes, number) = (0, 0)
        while let piece = try nextPiece() {
            for start in stride(from: 0, to: piece.count, by: QuarantinedLine.pieceLimit) {
                let part = Array(piece[start..<min(start + QuarantinedLine.pieceLimit, piece.count)])
                try connection.run(
                    "INSERT INTO quarantine_pieces(quarantine, piece, data) VALUES (?, ?, ?)",
                    .integer(id),
                    .count(number),
                    .blob(part)
                )
                number += 1
            }
            bytes += piece.count
        }
        try connection.run("UPDATE quarantine SET bytes = ? WHERE id = ?", .count(bytes), .integer(id))
        return id
    }

    func dropQuarantined(ids: [Int64]) throws {
        for id in ids {
            try connection.run("DELETE FROM quarantine_pieces WHERE quarantine = ?", .integer(id))
            try connection.run("DELETE FROM quarantine WHERE id = ?", .integer(id))
        }
    }

    func dropAllQuarantined() throws {
        try connection.run("DELETE FROM quarantine_pieces")
        try connection.run("DELETE FROM quarantine")
    }
}

extension QuarantinedLine {
    /// Bytes of one piece at most.
    static let pieceLimit = 1 << 20
}
