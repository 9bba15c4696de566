// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    func insert(_ line: QuarantineRecord, in _: Int) throws -> Int64 {
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
        return connection.lastID
    }

    func insert(_ piece: [UInt8], line: Int64, number: Int, size: Int) throws {
        try connection.run(
            "INSERT INTO quarantine_pieces(quarantine, piece, data, unpacked) VALUES (?, ?, ?, ?)",
            .integer(line),
            .count(number),
            .blob(piece),
            .count(size)
        )
    }

    func setSize(ofQuarantined id: Int64, bytes: Int, stored: Int64) throws {
        try connection.run(
            "UPDATE quarantine SET bytes = ?, stored = ? WHERE id = ?",
            .count(bytes),
            .integer(stored),
            .integer(id)
        )
    }

    func stored(ofQuarantined ids: [Int64]?) throws -> Int64 {
        guard let ids else { return try connection.number("SELECT sum(stored) FROM quarantine") ?? 0 }
        return try ids.reduce(0) { sum, id in
            let stored = try connection.number("SELECT stored FROM quarantine WHERE id = ?", .integer(id)) ?? 0
            return sum + max(0, stored)
        }
    }

    func deleteQuarantined(_ ids: [Int64]?) throws {
        guard let ids else {
            try connection.run("DELETE FROM quarantine_pieces")
            return try connection.run("DELETE FROM quarantine")
        }
        for id in ids {
            try connection.run("DELETE FROM quarantine_pieces WHERE quarantine = ?", .integer(id))
            try connection.run("DELETE FROM quarantine WHERE id = ?", .integer(id))
        }
    }

    func quarantined(of subject: [UInt8]) throws -> [Int64] {
        try connection.numbers("SELECT id FROM quarantine WHERE subject = ?", .text(subject))
    }

    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try rows(
            """
            SELECT id, reason, message, file, line, received_ms, event_id, source, subject, bytes FROM quarantine
            WHERE id > ? ORDER BY id LIMIT ?
            """,
            .integer(id),
            .count(limit)
        ) { row in
            var line = QuarantineRecord(
                reason: row.string(1),
                message: row.string(2),
                file: row.optionalString(3),
                line: row.optionalInteger(4).map(Int.init),
                receivedAt: try row.instant(5),
                eventID: row.optionalArray(6),
                source: row.optionalArray(7),
                subject: row.optionalArray(8)
            )
            line.id = row.integer(0)
            line.byteCount = try row.amount(9)
            return line
        }
    }

    func forEachPiece(
        ofQuarantined id: Int64,
        _ body: ([UInt8], _ number: Int, _ size: Int?) throws -> Void
    ) throws {
        let statement = try connection.newStatement(
            "SELECT data, piece, unpacked FROM quarantine_pieces WHERE quarantine = ? ORDER BY piece"
        )
        try statement.bind([.integer(id)])
        while try statement.step() {
            try body(statement.array(0), statement.count(1), statement.optionalInteger(2).map { Int($0) })
        }
    }

    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)] {
        try rows("SELECT reason, count(*), count(*) - count(subject) FROM quarantine GROUP BY reason ORDER BY reason") {
            (ReasonCount(reason: $0.string(0), lines: $0.count(1)), $0.count(2))
        }
    }

    func quarantineMessages(for reason: String, limit: Int) throws -> [MessageCount] {
        try rows(
            """
            SELECT message, count(*), max(received_ms), max(id) FROM quarantine WHERE reason = ?
            GROUP BY message ORDER BY count(*) DESC, message LIMIT ?
            """,
            .text(Array(reason.utf8)),
            .count(limit)
        ) { row in
            MessageCount(
                message: row.string(0),
                lines: row.count(1),
                lastAt: try row.instant(2),
                lastLine: row.integer(3)
            )
        }
    }
}
