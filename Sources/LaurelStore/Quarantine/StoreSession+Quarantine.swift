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

    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)] { try tables.countQuarantined() }

    // MARK: Writing

    /// The budget of this transaction.
    private func budget(of part: PartitionState) throws -> QuarantineBudget {
        if let known = part.quarantineBudget { return known }
        let used = try tables.counter(.quarantineBytes, of: part.partition)
        let others = partitionCount == 1 ? 0 : try tables.counter(.quarantineBytes, of: nil) - used
        let budget = QuarantineBudget(
            used: used,
            others: others,
            limit: options.quarantineLimit,
            free: tables.freeBytes()
        )
        part.quarantineBudget = budget
        return budget
    }

    func settleQuarantine(of part: PartitionState) throws {
        if let budget = part.quarantineBudget, budget.isChanged {
            try tables.setCounter(.quarantineBytes, of: part.partition, budget.used)
        }
        part.quarantineBudget = nil
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        if let subject = line.subject { return try quarantine(line, in: part(named: subject), nextPiece) }
        // What names nobody goes with others of its bytes, where their partition is among these; all of it is in one, in the order in
        // which it came, where all are there.
        var first = try nextPiece()
        let isOfAny = parts.count > 1 && parts.count < partitionCount
        let home = isOfAny ? Partition.of(first ?? [], among: partitionCount) : parts[0].partition
        let part = parts.first { $0.partition == home } ?? parts[0]
        return try quarantine(line, in: part) { try first.take() ?? nextPiece() }
    }

    private func quarantine(
        _ line: QuarantineRecord,
        in part: PartitionState,
        _ nextPiece: () throws -> [UInt8]?
    ) throws -> Int64? {
        var budget = try budget(of: part)
        var cost = line.rowCost
        guard budget.hasRoom(for: cost) else {
            while try nextPiece() != nil {}
            return nil
        }
        let id = try tables.insert(line, in: part.partition)
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
        part.quarantineBudget = budget
        return id
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else {
            try tables.deleteQuarantined(nil)
            // The size becomes 0, even if it was miscounted.
            for part in parts {
                part.quarantineBudget = nil
                try tables.setCounter(.quarantineBytes, of: part.partition, 0)
            }
            return
        }
        let known = ids.filter { 0..<partitionCount ~= Partition.of(learner: $0) }
        for (part, ids) in try byPartition(known, \.self) {
            part.quarantineBudget = try budget(of: part)
            part.quarantineBudget?.release(try tables.stored(ofQuarantined: ids))
        }
        try tables.deleteQuarantined(known)
    }
}

extension QuarantineRecord {
    /// The largest piece, in bytes.
    static let pieceLimit = 1 << 20
}
