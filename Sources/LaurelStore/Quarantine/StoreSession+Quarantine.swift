// SPDX-License-Identifier: Apache-2.0

extension StoreSession {
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try tables.quarantined(after: id, limit: limit)
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try tables.forEachPiece(ofQuarantined: id) { data, number, size in
            // Lines stored before format 5 are not packed.
            guard let size else { return try data.withUnsafeBufferPointer(body) }
            let bytes = try unpack(data, line: id, number: number, size: size)
            try bytes.withUnsafeBufferPointer(body)
        }
    }

    private func unpack(_ data: [UInt8], line: Int64, number: Int, size: Int) throws -> [UInt8] {
        do {
            return try PackedPiece.unpack(data, line: line, number: number, size: size, with: snapshotDecompressor)
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(tables.name): line \(line) in quarantine is damaged (\(error)); \(StoreError.advice)"
            )
        }
    }

    func countQuarantined() throws -> [(count: ReasonCount, ofNobody: Int)] { try tables.countQuarantined() }

    // MARK: Writing

    /// The budget of this transaction.
    private func budget() throws -> QuarantineBudget {
        if let quarantineBudget { return quarantineBudget }
        let used = try tables.counter(.quarantineBytes)
        let others = try tables.quarantineBytesOfOthers()
        let budget = QuarantineBudget(
            used: used,
            others: others,
            limit: options.quarantineLimit,
            free: tables.freeBytes()
        )
        quarantineBudget = budget
        return budget
    }

    func settleQuarantine() throws {
        if let budget = quarantineBudget, budget.isChanged { try tables.setCounter(.quarantineBytes, budget.used) }
        quarantineBudget = nil
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        var budget = try budget()
        var cost = line.rowCost
        guard budget.hasRoom(for: cost) else {
            while try nextPiece() != nil {}
            return nil
        }
        let id = try tables.insert(line)
        var (bytes, number) = (0, 0)
        while let piece = try nextPiece() {
            for start in stride(from: 0, to: piece.count, by: QuarantineRecord.pieceLimit) {
                let part = piece[start..<min(start + QuarantineRecord.pieceLimit, piece.count)]
                let packed = PackedPiece.pack(part, line: id, number: number, with: snapshotCompressor)
                cost += QuarantineRecord.cost(ofPiece: packed)
                guard budget.hasRoom(for: cost) else {
                    while try nextPiece() != nil {}
                    try tables.deleteQuarantined([id])
                    return nil
                }
                try tables.insert(packed, line: id, number: number, size: part.count)
                number += 1
            }
            bytes += piece.count
        }
        try tables.setSize(ofQuarantined: id, bytes: bytes, stored: cost)
        budget.take(cost)
        quarantineBudget = budget
        return id
    }

    func dropQuarantined(ids: [Int64]?) throws {
        var budget = try budget()
        // If all lines are dropped, the size becomes 0, even if it was miscounted.
        if let ids { budget.giveBack(try tables.stored(ofQuarantined: ids)) } else { budget.giveAllBack() }
        quarantineBudget = budget
        try tables.deleteQuarantined(ids)
    }
}

extension QuarantineRecord {
    /// The largest piece, in bytes.
    static let pieceLimit = 1 << 20
}
