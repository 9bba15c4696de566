// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func insert(_ line: QuarantineRecord, in partition: Int) throws -> Int64 {
        let id = try change(partition) { held in
            held.row.lastQuarantine += 1
            return held.row.lastQuarantine
        }
        let row = TableRows([line], width: 9) { line, row in
            row.append(id)
            row.append(line.reason)
            row.append(line.message)
            row.append(line.file)
            row.append(line.line.map(Int64.init))
            row.append(line.receivedAt)
            row.append(bytes: line.eventID)
            row.append(bytes: line.source)
            row.append(bytes: line.subject)
        }
        try send(.addLines, row)
        return id
    }

    func insert(_ piece: [UInt8], line: Int64, number: Int, size: Int) throws {
        let row = TableRows([piece], width: 4) { piece, row in
            row.append(line)
            row.append(number)
            row.append(bytes: piece)
            row.append(size)
        }
        try send(.addPieces, row)
    }

    func setSize(ofQuarantined id: Int64, bytes: Int, stored: Int64) throws {
        try send(.setSizes, TableRows([id, Int64(bytes), stored], width: 3))
    }

    func stored(ofQuarantined ids: [Int64]?) throws -> Int64 {
        guard let ids else { return try number(QuarantineSQL.storedOfAll, bounds) ?? 0 }
        return try found(.sizes, TableRows(ids)).reduce(0) { $0 + max(0, $1.row.integer(1)) }
    }

    func deleteQuarantined(_ ids: [Int64]?) throws {
        guard let ids else {
            for statement in [QuarantineSQL.deleteAllPieces, .deleteAll] { try sendToAll(statement.rawValue, bounds) }
            return
        }
        try send(.deletePieces, TableRows(ids))
        try send(.deleteLines, TableRows(ids))
    }

    func quarantined(of subject: [UInt8]) throws -> [Int64] {
        try numbers(QuarantineSQL.ofSubject, [.integer(partition(of: subject)), .stored(subject)])
    }

    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try rows(QuarantineSQL.lines, [.integer(id)] + bounds + [.count(limit)]).map { row in
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
        try forEachRow(QuarantineSQL.pieces, [.count(Partition.of(learner: id)), .integer(id)]) { row in
            try body(row.array(0), Int(row.integer(1)), row.optionalInteger(2).map { Int($0) })
        }
    }

    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)] {
        try rows(QuarantineSQL.counts, bounds).map { row in
            (ReasonCount(reason: row.string(stored: 0), lines: Int(row.integer(1))), Int(row.integer(2)))
        }
    }

    func quarantineMessages(for reason: String, limit: Int) throws -> [MessageCount] {
        try rows(QuarantineSQL.messages, bounds + [.stored(Array(reason.utf8)), .count(limit)]).map { row in
            MessageCount(
                message: row.string(stored: 0),
                lines: Int(row.integer(1)),
                lastAt: try instant(row, 2),
                lastLine: row.integer(3)
            )
        }
    }
}
