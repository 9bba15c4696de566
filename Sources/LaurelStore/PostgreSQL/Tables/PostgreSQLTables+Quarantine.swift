// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func insert(_ line: QuarantineRecord) throws -> Int64 {
        if let subject = line.subject { try expectOwn(subject) }
        row.lastQuarantine += 1
        try send(
            QuarantineSQL.add,
            [
                .integer(row.lastQuarantine), .stored(line.reason), .stored(line.message), .stored(line.file),
                .integer(line.line.map(Int64.init)), .integer(line.receivedAt), .stored(line.eventID),
                .stored(line.source), .stored(line.subject),
            ]
        )
        return row.lastQuarantine
    }

    func insert(_ piece: [UInt8], line: Int64, number: Int, size: Int) throws {
        try send(QuarantineSQL.addPiece, [.integer(line), .count(number), .bytes(piece), .count(size)])
    }

    func setSize(ofQuarantined id: Int64, bytes: Int, stored: Int64) throws {
        try send(QuarantineSQL.setSize, [.integer(id), .count(bytes), .integer(stored)])
    }

    func stored(ofQuarantined ids: [Int64]?) throws -> Int64 {
        guard let ids else { return try number(QuarantineSQL.storedOfAll, bounds) ?? 0 }
        return ids.isEmpty ? 0 : try number(QuarantineSQL.storedOfSome, [.integers(ids)]) ?? 0
    }

    func deleteQuarantined(_ ids: [Int64]?) throws {
        guard let ids else {
            try send(QuarantineSQL.deleteAllPieces, bounds)
            return try send(QuarantineSQL.deleteAll, bounds)
        }
        guard !ids.isEmpty else { return }
        try send(QuarantineSQL.deletePieces, [.integers(ids)])
        try send(QuarantineSQL.delete, [.integers(ids)])
    }

    func quarantined(of subject: [UInt8]) throws -> [Int64] {
        try expectOwn(subject)
        return try numbers(QuarantineSQL.ofSubject, bounds + [.stored(subject)])
    }

    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try rows(QuarantineSQL.lines, [.integer(id)] + allBounds + [.count(limit)]).map { row in
            var line = QuarantineRecord(
                reason: row.string(stored: 1),
                message: row.string(stored: 2),
                file: row.optionalString(3),
                line: row.optionalInteger(4).map(Int.init),
                receivedAt: try instant(row, 5),
                eventID: row.optionalText(6),
                source: row.optionalText(7),
                subject: row.optionalText(8)
            )
            line.id = row.integer(0)
            line.byteCount = try amount(row, 9)
            return line
        }
    }

    func forEachPiece(
        ofQuarantined id: Int64,
        _ body: ([UInt8], _ number: Int, _ size: Int?) throws -> Void
    ) throws {
        try forEachRow(QuarantineSQL.pieces, [.integer(id)]) { row in
            try body(row.array(0), Int(row.integer(1)), row.optionalInteger(2).map { Int($0) })
        }
    }

    func countQuarantined() throws -> [(count: ReasonCount, ofNobody: Int)] {
        try rows(QuarantineSQL.counts, allBounds).map { row in
            (ReasonCount(reason: row.string(stored: 0), lines: Int(row.integer(1))), Int(row.integer(2)))
        }
    }

    func quarantineBytesOfOthers() throws -> Int64 {
        partitionCount == partitions.count ? 0 : try rows(RecordSQL.sums, [])[0].integer(1) - found.quarantineBytes
    }
}
