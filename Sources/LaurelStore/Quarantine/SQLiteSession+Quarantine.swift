// SPDX-License-Identifier: Apache-2.0

extension SQLiteSession {
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        let statement = try connection.statement(
            """
            SELECT id, reason, message, file, line, received_ms, event_id, source, subject, bytes FROM quarantine
            WHERE id > ? ORDER BY id LIMIT ?
            """
        )
        try statement.bind([.integer(id), .count(limit)])
        defer { statement.reset() }
        var lines: [QuarantineRecord] = []
        while try statement.step() {
            var line = QuarantineRecord(
                reason: statement.string(1),
                message: statement.string(2),
                file: statement.optionalString(3),
                line: statement.optionalInteger(4).map(Int.init),
                receivedAt: try statement.instant(5),
                eventID: statement.optionalArray(6),
                source: statement.optionalArray(7),
                subject: statement.optionalArray(8)
            )
            line.id = statement.integer(0)
            line.byteCount = try statement.amount(9)
            lines.append(line)
        }
        return lines
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        let statement = try connection.newStatement(
            "SELECT data, piece, \(try format() < 5 ? "NULL" : "unpacked") FROM quarantine_pieces WHERE quarantine = ?"
                + " ORDER BY piece"
        )
        try statement.bind([.integer(id)])
        while try statement.step() {
            let data = statement.array(0)
            // As all were before format 5.
            guard let size = statement.optionalInteger(2) else {
                try data.withUnsafeBufferPointer(body)
                continue
            }
            let bytes = try unpack(data, line: id, number: statement.count(1), size: Int(size))
            try bytes.withUnsafeBufferPointer(body)
        }
    }

    private func unpack(_ data: [UInt8], line: Int64, number: Int, size: Int) throws -> [UInt8] {
        do {
            return try PackedPiece.unpack(data, line: line, number: number, size: size, with: snapshotDecompressor)
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(connection.name): line \(line) in quarantine is damaged (\(error)); \(StoreError.advice)"
            )
        }
    }

    func quarantineCounts() throws -> [ReasonCount] {
        let statement = try connection.statement(
            "SELECT reason, count(*) FROM quarantine GROUP BY reason ORDER BY reason"
        )
        defer { statement.reset() }
        var counts: [ReasonCount] = []
        while try statement.step() {
            counts.append(ReasonCount(reason: statement.string(0), lines: statement.count(1)))
        }
        return counts
    }

    func quarantinedOfNobody() throws -> Int {
        Int(try connection.number("SELECT count(*) FROM quarantine WHERE subject IS NULL") ?? 0)
    }

    // MARK: Writing

    /// That of the transaction under way.
    private func budget() throws -> QuarantineBudget {
        if let quarantineBudget { return quarantineBudget }
        let used = try meta("quarantine_bytes")
        let budget = QuarantineBudget(used: used, limit: options.quarantineLimit, path: connection.path)
        quarantineBudget = budget
        return budget
    }

    func settleQuarantine() throws {
        if let budget = quarantineBudget, budget.isChanged { try setMeta("quarantine_bytes", budget.used) }
        quarantineBudget = nil
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        var budget = try budget()
        var cost = line.rowCost
        guard budget.hasRoom(for: cost) else {
            while try nextPiece() != nil {}
            return nil
        }
        let id = try insert(line)
        var (bytes, number) = (0, 0)
        while let piece = try nextPiece() {
            for start in stride(from: 0, to: piece.count, by: QuarantineRecord.pieceLimit) {
                let part = piece[start..<min(start + QuarantineRecord.pieceLimit, piece.count)]
                let packed = PackedPiece.pack(part, line: id, number: number, with: snapshotCompressor)
                cost += QuarantineRecord.cost(ofPiece: packed)
                guard budget.hasRoom(for: cost) else {
                    while try nextPiece() != nil {}
                    try delete([id])
                    return nil
                }
                try insert(packed, line: id, number: number, size: part.count)
                number += 1
            }
            bytes += piece.count
        }
        try connection.run(
            "UPDATE quarantine SET bytes = ?, stored = ? WHERE id = ?",
            .count(bytes),
            .integer(cost),
            .integer(id)
        )
        budget.take(cost)
        quarantineBudget = budget
        return id
    }

    private func insert(_ line: QuarantineRecord) throws -> Int64 {
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

    private func insert(_ packed: [UInt8], line: Int64, number: Int, size: Int) throws {
        try connection.run(
            "INSERT INTO quarantine_pieces(quarantine, piece, data, unpacked) VALUES (?, ?, ?, ?)",
            .integer(line),
            .count(number),
            .blob(packed),
            .count(size)
        )
    }

    func dropQuarantined(ids: [Int64]) throws {
        var budget = try budget()
        for id in ids {
            let stored = try connection.number("SELECT stored FROM quarantine WHERE id = ?", .integer(id))
            budget.giveBack(stored ?? 0)
        }
        quarantineBudget = budget
        try delete(ids)
    }

    private func delete(_ ids: [Int64]) throws {
        for id in ids {
            try connection.run("DELETE FROM quarantine_pieces WHERE quarantine = ?", .integer(id))
            try connection.run("DELETE FROM quarantine WHERE id = ?", .integer(id))
        }
    }

    func dropAllQuarantined() throws {
        var budget = try budget()
        budget.giveAllBack()
        quarantineBudget = budget
        try connection.run("DELETE FROM quarantine_pieces")
        try connection.run("DELETE FROM quarantine")
    }
}

extension QuarantineRecord {
    /// Bytes of one piece at most.
    static let pieceLimit = 1 << 20
}
