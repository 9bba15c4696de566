// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The outcome of an append so far.
private struct PendingAppend {
    var outcomes: [AppendResult.Outcome]
    var stored: [LearnerRows] = []
}

/// A learner's rows of a batch, sorted by key. Rows of equal keys keep the order of arrival.
private struct RowsByIdentity {
    let learner: Int64
    /// The rows in the order of arrival.
    let rows: [Int]
    private(set) var keyed: [(key: IdentityKey, row: Int)]
    /// For each element of `keyed`, true if the identity index has its key.
    var isKnown: [Bool]

    init(_ table: borrowing EventTable, _ group: LearnerRows, _ keys: inout IdentityKeys) {
        (learner, rows) = (group.learner, group.rows)
        keyed = []
        keyed.reserveCapacity(rows.count)
        for row in rows { keyed.append((key: keys.key(table, row), row: row)) }
        isKnown = [Bool](repeating: false, count: keyed.count)
        guard !zip(keyed, keyed.dropFirst()).allSatisfy({ $0.key <= $1.key }) else { return }
        let arrival = keyed
        let order = keyed.indices.sorted {
            arrival[$0].key == arrival[$1].key ? $0 < $1 : arrival[$0].key < arrival[$1].key
        }
        keyed = order.map { arrival[$0] }
    }

    /// The hashes of the ids that do not count up (see ``IdentityKey``); nil if all ids count up.
    var hashed: (learner: Int64, hashes: [Int64])? {
        let hashes = keyed.prefix { $0.key.family == IdentityKey.hashedFamily }.map(\.key.number)
        return hashes.isEmpty ? nil : (learner, hashes)
    }

    /// The rows that seem to be stored already.
    var known: LearnerRows {
        LearnerRows(learner: learner, rows: keyed.indices.filter { isKnown[$0] }.map { keyed[$0].row })
    }
}

extension StoreSession {
    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var keys = IdentityKeys()
        try openLearners(groups.map(\.learner))
        let keyed = groups.map { RowsByIdentity(table, $0, &keys) }
        try openFamilies(keyed)
        var pending = PendingAppend(outcomes: Array(repeating: .skipped, count: table.count))
        let index = IdentityIndex(self)
        try index.open(keyed.filter { count(of: $0.learner)!.stored > 0 }.compactMap(\.hashed))
        let looked = try keyed.map { try lookUp($0, index) }
        for (row, outcome) in try compareWithStored(table, looked.map(\.known)) { pending.outcomes[row] = outcome }
        for rows in looked {
            let new = try selectNew(table, rows, index, &pending.outcomes)
            pending.stored.append(LearnerRows(learner: rows.learner, rows: new))
            try part(of: rows.learner).openLearners.add(new.count, to: rows.learner)
        }
        try index.write()
        try keep(table, pending.stored.filter { !$0.rows.isEmpty })
        if parts.contains(where: \.openLearners.isFull) {
            try closeLearners()
            for part in parts where part.openLearners.isFull { part.openLearners = LearnerCountCache() }
        }
        if memory.openIdentities.bytes >= options.openIdentityBytes { try closeIdentities() }
        return AppendResult(outcomes: pending.outcomes, stored: pending.stored)
    }

    /// If a partition has many new events, keeps them in memory until they are written as blocks. Puts the new events
    /// of other partitions into the tail.
    private func keep(_ table: EventTable, _ stored: [LearnerRows]) throws {
        var tail: [TailRow] = []
        for (part, groups) in try byPartition(stored, \.learner) {
            let count = groups.reduce(0) { $0 + $1.rows.count }
            let isBulk = count >= options.bulkThreshold || part.hasNewBlocks
            if isBulk || memory.unwritten.partitions.contains(part.partition) {
                memory.unwritten.append(table, groups, of: part.partition)
            } else {
                try append(table, groups, count, toTailOf: part, &tail)
            }
        }
        if !tail.isEmpty { try tables.append(tail) }
        let (count, bytes) = (memory.unwritten.count, memory.unwritten.bytes)
        if count >= options.unwrittenEvents || bytes >= unwrittenLimit { try writeUnwritten() }
    }

    /// The maximum size of unwritten events, in bytes. Hashed ids and learners in new blocks also use memory, which
    /// lowers this limit. A learner in new blocks uses about 200 bytes.
    var unwrittenLimit: Int {
        let others = memory.learnersInNewBlocks.count * 200 + memory.openIdentities.bytes / 2
        return max(options.unwrittenBytes / 2, options.unwrittenBytes - others)
    }

    /// Reads the event counts of learners that are not in the cache.
    private func openLearners(_ learners: [Int64]) throws {
        let unknown = learners.filter { count(of: $0) == nil }
        guard !unknown.isEmpty else { return }
        for (learner, record) in zip(unknown, try tables.learners(.ids(unknown))) {
            guard let record else { throw StoreError(.misuse, "learner \(learner) does not exist") }
            try part(of: learner).openLearners.open(learner, events: record.eventCount)
        }
    }

    /// For each family of ids in the batch, reads the run with the greatest numbers, unless the cache has that run.
    private func openFamilies(_ keyed: [RowsByIdentity]) throws {
        var positions: [(family: IdentityFamily, number: Int64)] = []
        for rows in keyed {
            let part = try part(of: rows.learner)
            forEachFamily(rows.keyed) { number, _ in
                let family = IdentityFamily(learner: rows.learner, number: number)
                guard number != IdentityKey.hashedFamily, !part.openLearners.hasCached(family) else { return }
                // A learner without events has no runs, so no look-up is needed.
                guard part.openLearners.counts[rows.learner]!.stored > 0 else {
                    return part.openLearners.open(family, nil)
                }
                positions.append((family, .max))
            }
        }
        guard !positions.isEmpty else { return }
        for (position, run) in zip(positions, try tables.identityRuns(positions)) {
            try part(of: position.family.learner).openLearners.open(position.family, run)
        }
    }

    /// Marks which of a learner's rows have keys in the index.
    private func lookUp(_ keyed: RowsByIdentity, _ index: IdentityIndex) throws -> RowsByIdentity {
        var rows = keyed
        guard count(of: rows.learner)!.stored > 0 else { return rows }
        try forEachFamily(rows.keyed) { family, range in
            let found = try index.contains(rows.learner, family, range.map { rows.keyed[$0].key.number })
            for (position, isThere) in zip(range, found) { rows.isKnown[position] = isThere }
        }
        return rows
    }

    /// Decides the outcome of one learner's rows that are not stored, and adds the identities of the new ones.
    /// - Returns: the rows to store, in the learner's order.
    private func selectNew(
        _ table: EventTable,
        _ looked: RowsByIdentity,
        _ index: IdentityIndex,
        _ outcomes: inout [AppendResult.Outcome]
    ) throws -> [Int] {
        let keyed = looked.keyed
        compareWithinBatch(table, keyed, &outcomes)
        try forEachFamily(keyed) { family, range in
            let new = range.filter { !looked.isKnown[$0] && outcomes[keyed[$0].row] == .stored }
            try index.add(looked.learner, family, new.map { keyed[$0].key.number })
        }
        var rows = looked.rows.filter { outcomes[$0] == .stored }
        table.sortIntoLearnerOrder(&rows)
        return rows
    }

    private func forEachFamily(
        _ keyed: [(key: IdentityKey, row: Int)],
        _ body: (Int64, Range<Int>) throws -> Void
    ) rethrows {
        var start = 0
        while start < keyed.count {
            let family = keyed[start].key.family
            var end = start + 1
            while end < keyed.count, keyed[end].key.family == family { end += 1 }
            try body(family, start..<end)
            start = end
        }
    }

    /// If several rows have the same identity, marks the first row as stored, and compares the later rows with it.
    private func compareWithinBatch(
        _ table: EventTable,
        _ keyed: [(key: IdentityKey, row: Int)],
        _ outcomes: inout [AppendResult.Outcome]
    ) {
        var start = 0
        while start < keyed.count {
            var end = start + 1
            while end < keyed.count, keyed[end].key == keyed[start].key { end += 1 }
            // A key nearly always occurs once in a batch.
            if end == start + 1, outcomes[keyed[start].row] == .skipped {
                outcomes[keyed[start].row] = .stored
                start = end
                continue
            }
            var kept: [Int] = []
            for position in start..<end where outcomes[keyed[position].row] == .skipped {
                let row = keyed[position].row
                if let first = kept.first(where: { table.hasSameIdentity($0, table, row) }) {
                    let isSame = table.hasSameContent(first, table, row)
                    outcomes[row] = isSame ? .duplicate : .conflict
                } else {
                    kept.append(row)
                    outcomes[row] = .stored
                }
            }
            start = end
        }
    }

    private func append(
        _ table: EventTable,
        _ groups: [LearnerRows],
        _ count: Int,
        toTailOf part: PartitionState,
        _ rows: inout [TailRow]
    ) throws {
        var sequence = try countInTail(of: part, count)
        rows.reserveCapacity(rows.count + count)
        for group in groups {
            for row in group.rows {
                sequence += 1
                let key = TailRecord.Key(
                    learner: group.learner,
                    milliseconds: table.milliseconds[row],
                    sequence: sequence
                )
                rows.append(TailRow(key: key, data: TailRecord.encode(table, row, key: key)))
            }
        }
    }

    /// Adds to the counters of a partition's tail.
    /// - Returns: the sequence number before the first of the new events.
    private func countInTail(of part: PartitionState, _ count: Int) throws -> Int64 {
        let before = try tailCounters(of: part)
        let after = PartitionState.Tail(events: before.events + Int64(count), sequence: before.sequence + Int64(count))
        try tables.setCounter(.tailEvents, of: part.partition, after.events)
        try tables.setCounter(.tailSequence, of: part.partition, after.sequence)
        part.tail = after
        return before.sequence
    }

    func tailCounters(of part: PartitionState) throws -> PartitionState.Tail {
        if let known = part.tail { return known }
        let tail = PartitionState.Tail(
            events: try tables.counter(.tailEvents, of: part.partition),
            sequence: try tables.counter(.tailSequence, of: part.partition)
        )
        part.tail = tail
        return tail
    }
}
