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
    func quarantineMessages(for reason: String, limit: Int) throws -> [MessageCount] {
        try tables.quarantineMessages(for: reason, limit: limit)
    }

    // MARK: Writing

    /// The budget of this transaction. All its partitions share the budget, so that together they stay within the
    /// limit.
    private func budget() throws -> QuarantineBudget {
        if let known = memory.quarantineBudget { return known }
        return QuarantineBudget(used: try tables.counter(.quarantineBytes, of: nil), limit: options.quarantineLimit)
    }

    func settleQuarantine() throws {
        for (partition, change) in memory.quarantineBudget?.changes ?? [:] where change != 0 {
            let used = try tables.counter(.quarantineBytes, of: partition)
            try tables.setCounter(.quarantineBytes, of: partition, max(0, used + change))
        }
        memory.quarantineBudget = nil
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        if let subject = line.subject { return try quarantine(line, in: part(named: subject), nextPiece) }
        // Without a subject, the line's bytes select the partition. A session that writes to all partitions uses the
        // first one, so that the lines keep their order.
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
        var budget = try budget()
        var cost = line.rowCost
        let free = tables.freeBytes()
        guard budget.hasRoom(for: cost, free: free) else {
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
                guard budget.hasRoom(for: cost, free: free) else {
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
        budget.add(cost, to: part.partition)
        memory.quarantineBudget = budget
        return id
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else {
            try tables.deleteQuarantined(nil)
            // The size becomes 0 even if an earlier count was wrong.
            memory.quarantineBudget = nil
            for part in parts {
                try tables.setCounter(.quarantineBytes, of: part.partition, 0)
            }
            return
        }
        let known = ids.filter { 0..<partitionCount ~= Partition.of(learner: $0) }
        var budget = try budget()
        for (part, ids) in try byPartition(known, \.self) {
            budget.add(-(try tables.stored(ofQuarantined: ids)), to: part.partition)
        }
        memory.quarantineBudget = budget
        try tables.deleteQuarantined(known)
    }
}

extension QuarantineRecord {
    /// The largest piece, in bytes.
    static let pieceLimit = 1 << 20
}
