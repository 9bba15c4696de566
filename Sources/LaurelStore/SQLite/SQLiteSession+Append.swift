internal import LaurelEvents

/// An append under way.
private struct PendingAppend {
    var outcomes: [AppendResult.Outcome]
    var stored: [LearnerRows] = []
    var storedCount = 0
}

extension SQLiteSession {
    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var pending = PendingAppend(outcomes: Array(repeating: .skipped, count: table.count))
        var keys = IdentityKeys()
        let index = try IdentityIndex(self)
        try searchIdentities(of: groups, table)
        for group in groups {
            let rows = try decide(table, group, &keys, index, &pending.outcomes)
            pending.stored.append(LearnerRows(learner: group.learner, rows: rows))
            pending.storedCount += rows.count
            openLearners.add(rows.count, to: group.learner)
        }
        let filled = pending.stored.filter { !$0.rows.isEmpty }
        if pending.storedCount >= options.bulkThreshold || !unwritten.isEmpty || hasNewBlocks {
            unwritten.append(table, filled)
            if unwritten.count >= options.unwrittenEvents || unwritten.bytes >= unwrittenLimit {
                try writeUnwritten()
            }
        } else {
            try appendToTail(table, filled)
        }
        if openLearners.isFull { try closeLearners() }
        if openIdentities.bytes >= options.openIdentityBytes { try closeIdentities() }
        return AppendResult(outcomes: pending.outcomes, stored: pending.stored)
    }

    /// How many bytes to keep back: less where hashes of ids take memory, too, and what is known of every learner written
    /// to, in the whole process some 200 bytes each.
    private var unwrittenLimit: Int {
        let others = learnersInNewBlocks.count * 200 + openIdentities.bytes / 2
        return max(options.unwrittenBytes / 2, options.unwrittenBytes - others)
    }

    /// Decides what becomes of one learner's rows, and adds the identities of those to store.
    /// - Returns: the rows to store, in the learner's order.
    private func decide(
        _ table: EventTable,
        _ group: LearnerRows,
        _ keys: inout IdentityKeys,
        _ index: IdentityIndex,
        _ outcomes: inout [AppendResult.Outcome]
    ) throws -> [Int] {
        let learner = group.learner
        let isNew = try eventCount(of: learner) == 0
        // By key; rows of equal keys in the order of arrival.
        var keyed = group.rows.map { (key: keys.key(table, $0), row: $0) }
        if !zip(keyed, keyed.dropFirst()).allSatisfy({ $0.key <= $1.key }) {
            let arrival = keyed
            let order = keyed.indices.sorted {
                arrival[$0].key == arrival[$1].key ? $0 < $1 : arrival[$0].key < arrival[$1].key
            }
            keyed = order.map { arrival[$0] }
        }
        var known = [Bool](repeating: false, count: keyed.count)
        if !isNew {
            try forEachFamily(keyed) { family, range in
                let found = try index.contains(learner, family, range.map { keyed[$0].key.number })
                for (place, isThere) in zip(range, found) { known[place] = isThere }
            }
        }
        let hits = keyed.indices.filter { known[$0] }.map { keyed[$0].row }
        if !hits.isEmpty {
            for (row, outcome) in try compareWithStored(table, hits, learner) { outcomes[row] = outcome }
        }
        compareWithinBatch(table, keyed, &outcomes)
        try forEachFamily(keyed) { family, range in
            let new = range.filter { !known[$0] && outcomes[keyed[$0].row] == .stored }.map { keyed[$0].key.number }
            try index.add(learner, family, new)
        }
        var rows = group.rows.filter { outcomes[$0] == .stored }
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

    /// The first of equal identities is stored; the others are compared with it.
    private func compareWithinBatch(
        _ table: EventTable,
        _ keyed: [(key: IdentityKey, row: Int)],
        _ outcomes: inout [AppendResult.Outcome]
    ) {
        var start = 0
        while start < keyed.count {
            var end = start + 1
            while end < keyed.count, keyed[end].key == keyed[start].key { end += 1 }
            // Nearly always there is one of a kind.
            if end == start + 1, outcomes[keyed[start].row] == .skipped {
                outcomes[keyed[start].row] = .stored
                start = end
                continue
            }
            var kept: [Int] = []
            for place in start..<end where outcomes[keyed[place].row] == .skipped {
                let row = keyed[place].row
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

    /// Finds the stored events of the same identities: first where events of that time are, then everywhere.
    private func compareWithStored(
        _ table: EventTable,
        _ hits: [Int],
        _ learner: Int64
    ) throws -> [(row: Int, outcome: AppendResult.Outcome)] {
        var result: [(row: Int, outcome: AppendResult.Outcome)] = []
        var left = hits.sorted { table.milliseconds[$0] < table.milliseconds[$1] }
        let (first, last) = (table.milliseconds[left[0]], table.milliseconds[left[left.count - 1]])
        func look<Rows: RandomAccessCollection<Int>>(in other: EventTable, _ rows: Rows)
        where Rows.Indices == Range<Int> {
            left.removeAll { row in
                guard let match = other.row(in: rows, sameIdentityAndTimeAs: row, of: table) else { return false }
                let isSame = other.hasSameContent(match, table, row)
                result.append((row, isSame ? .duplicate : .conflict))
                return true
            }
        }
        for stretch in unwritten.stretches(of: learner) where stretch.first <= last && stretch.last >= first {
            look(in: stretch.events.table(stretch.rows), 0..<stretch.rows.count)
        }
        for entry in try entries(of: learner, since: first, until: last) where !left.isEmpty {
            guard left.contains(where: { (entry.firstTime...entry.lastTime).contains(table.milliseconds[$0]) }) else {
                continue
            }
            let run = try run(entry, .all)
            look(in: run.table, run.rows)
        }
        if !left.isEmpty {
            let tail = try self.tail(learners: learner...learner, times: first...last)
            if let run = tail.runs.first { look(in: tail.table, run.rows) }
        }
        if !left.isEmpty {
            result += try conflictsAtOtherTimes(table, left, learner).map { ($0, .conflict) }
        }
        return result
    }

    /// Those of some rows whose identity is stored at a time at which it was not looked for: with other content, that is.
    private func conflictsAtOtherTimes(_ table: EventTable, _ rows: [Int], _ learner: Int64) throws -> [Int] {
        var keys = IdentityKeys()
        let wanted = Dictionary(grouping: rows) { keys.key(table, $0) }
        var conflicts: [Int] = []
        try searchIdentities(of: learner) { other, row, key in
            for candidate in wanted[key] ?? [] where table.hasSameIdentity(candidate, other, row) {
                conflicts.append(candidate)
            }
        }
        return conflicts
    }

    private func appendToTail(_ table: EventTable, _ groups: [LearnerRows]) throws {
        let statement = try connection.statement("INSERT INTO tail(learner, ms, sequence, data) VALUES (?, ?, ?, ?)")
        var sequence = try meta("tail_sequence")
        let count = groups.reduce(0) { $0 + $1.rows.count }
        for group in groups {
            for row in group.rows {
                sequence += 1
                try statement.run(
                    .integer(group.learner),
                    .integer(table.milliseconds[row]),
                    .integer(sequence),
                    .blob(TailRecord.encode(table, row))
                )
            }
        }
        guard count > 0 else { return }
        try setMeta("tail_sequence", sequence)
        try connection.run("UPDATE meta SET value = value + ? WHERE name = 'tail_events'", .count(count))
    }
}

extension EventTable {
    /// Of some rows in a learner's order, the one with the same time, source and id as a row of another table.
    /// - Complexity: O(log n) and the rows of that very time.
    func row<Rows: RandomAccessCollection<Int>>(
        in rows: Rows,
        sameIdentityAndTimeAs row: Int,
        of other: EventTable
    ) -> Int? where Rows.Indices == Range<Int> {
        let time = other.milliseconds[row]
        let first = rows.indices.partitioningIndex { milliseconds[rows[$0]] >= time }
        let same = rows[first...].prefix { milliseconds[$0] == time }
        return same.first { hasSameIdentity($0, other, row) }
    }
}
