internal import LaurelEvents

/// Where some events of a learner are.
struct RunEntry {
    var learner: Int64
    var block: Int64
    var rows: Range<Int>
    var firstTime: Int64
    var lastTime: Int64
}

extension SQLiteSession {
    func events(of learner: Int64, since: Int64?, until: Int64?, fields: FieldSelection) throws -> [EventRun] {
        var runs: [EventRun] = []
        for entry in try entries(of: learner, since: since ?? .min, until: until ?? .max) {
            runs.append(try run(entry, fields))
        }
        let tail = try self.tail(learners: learner...learner, times: (since ?? .min)...(until ?? .max))
        if let (_, rows) = tail.runs.first { runs.append(EventRun(table: tail.table, rows: rows)) }
        return runs
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        var next = ids.lowerBound
        // Blocks that go on beyond the group at hand: each is decoded once in the whole pass.
        var open: [Int64: DecodedBlock] = [:]
        while next < ids.upperBound {
            let group = try learnerGroup(from: next, below: ids.upperBound)
            guard let last = group.last?.id else { return }
            try forEachLearner(of: group, through: last, fields: fields, &open, body)
            open = open.filter { ($0.value.runs.last?.learner ?? last) > last }
            next = last + 1
        }
    }

    /// Consecutive learners with about ``StoreOptions/eventsPerGroup`` events.
    private func learnerGroup(from first: Int64, below bound: Int64) throws -> [LearnerRecord] {
        let statement = try connection.statement(
            "SELECT learner, subject, events FROM learners WHERE learner >= ? AND learner < ? ORDER BY learner"
        )
        try statement.bind([.integer(first), .integer(bound)])
        defer { statement.reset() }
        var group: [LearnerRecord] = []
        var total = 0
        while try statement.step() {
            let events = statement.count(2)
            if !group.isEmpty, total + events > options.eventsPerGroup { break }
            total += events
            group.append(
                LearnerRecord(id: statement.integer(0), subject: statement.array(1), eventCount: events)
            )
        }
        return group
    }

    private func forEachLearner(
        of group: [LearnerRecord],
        through last: Int64,
        fields: FieldSelection,
        _ open: inout [Int64: DecodedBlock],
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        var entries = try self.entries(learners: group[0].id...last)
        let tail = try self.tail(learners: group[0].id...last, times: .min ... .max)
        for entry in entries where open[entry.block] == nil {
            open[entry.block] =
                try cache.find(entry.block, fields) ?? decodeBlock(entry.block, fields, known: group)
        }
        entries.reverse()
        var tailRuns = tail.runs[...]
        for learner in group {
            var runs: [EventRun] = []
            while let entry = entries.last, entry.learner <= learner.id {
                runs.append(EventRun(table: open[entry.block]!.table, rows: entry.rows))
                entries.removeLast()
            }
            if let (id, rows) = tailRuns.first, id == learner.id {
                runs.append(EventRun(table: tail.table, rows: rows))
                tailRuns.removeFirst()
            }
            try body(learner, runs)
        }
    }

    // MARK: Blocks

    /// The runs of a learner that overlap a span of time.
    func entries(of learner: Int64, since: Int64, until: Int64) throws -> [RunEntry] {
        try entries(
            "WHERE learner = ?1 AND first_ms <= ?2 AND last_ms >= ?3",
            [.integer(learner), .integer(until), .integer(since)]
        )
    }

    func entries(learners: ClosedRange<Int64>) throws -> [RunEntry] {
        try entries("WHERE learner BETWEEN ? AND ?", [.integer(learners.lowerBound), .integer(learners.upperBound)])
    }

    /// In the order of learners, then of first times.
    func entries(_ condition: String, _ values: [Value]) throws -> [RunEntry] {
        let statement = try connection.statement(
            "SELECT learner, block, first_row, rows, first_ms, last_ms FROM runs \(condition)"
                + " ORDER BY learner, first_ms, block"
        )
        try statement.bind(values)
        defer { statement.reset() }
        var entries: [RunEntry] = []
        while try statement.step() {
            let first = statement.count(2)
            entries.append(
                RunEntry(
                    learner: statement.integer(0),
                    block: statement.integer(1),
                    rows: first..<first + statement.count(3),
                    firstTime: statement.integer(4),
                    lastTime: statement.integer(5)
                )
            )
        }
        return entries
    }

    /// The events of an entry: they alone are decoded, unless they are most of their block, or others of it are being
    /// asked for, too.
    func run(_ entry: RunEntry, _ fields: FieldSelection) throws -> EventRun {
        if let cached = cache.find(entry.block, fields) { return EventRun(table: cached.table, rows: entry.rows) }
        guard entry.rows.count * 2 < options.eventsPerBlock, cache.isAskedForSeldom(entry.block) else {
            return EventRun(table: try block(entry.block, fields).table, rows: entry.rows)
        }
        let part = try decodeBlock(entry.block, fields, of: entry.learner)
        guard part.table.count == entry.rows.count else {
            throw StoreError(
                .corrupt,
                "\(connection.path): block \(entry.block) holds \(part.table.count) events of learner"
                    + " \(entry.learner), not \(entry.rows.count); restore the store from a backup"
            )
        }
        return EventRun(table: part.table, rows: 0..<part.table.count)
    }

    func block(_ id: Int64, _ fields: FieldSelection = .all) throws -> DecodedBlock {
        if let cached = cache.find(id, fields) { return cached }
        let decoded = try decodeBlock(id, fields)
        cache.insert(id, fields, decoded)
        return decoded
    }

    /// - Parameters:
    ///   - learner: whose events to decode alone; nil for everyone's.
    ///   - known: Learners whose subjects need not be looked up, ascending.
    func decodeBlock(
        _ id: Int64,
        _ fields: FieldSelection,
        of learner: Int64? = nil,
        known: [LearnerRecord] = []
    ) throws -> DecodedBlock {
        let statement = try connection.statement("SELECT data FROM blocks WHERE block = ?")
        try statement.bind([.integer(id)])
        defer { statement.reset() }
        guard try statement.step() else {
            throw StoreError(.corrupt, "\(connection.path): block \(id) is missing; restore the store from a backup")
        }
        do {
            return try decoder.decode(statement.bytes(0), fields: fields, of: learner) { learner in
                if let record = known.record(learner) { return record.subject }
                guard let record = try self.learner(learner) else { throw Corruption("learner \(learner) is unknown") }
                return record.subject
            }
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(connection.path): block \(id) is damaged (\(error)); restore the store from a backup"
            )
        }
    }

    // MARK: The tail

    /// The tail's events of some learners, sorted, as one table.
    func tail(learners: ClosedRange<Int64>, times: ClosedRange<Int64>) throws -> DecodedBlock {
        let statement = try connection.newStatement(
            "SELECT learner, ms, data FROM tail WHERE learner BETWEEN ? AND ? AND ms BETWEEN ? AND ?"
                + " ORDER BY learner, ms, sequence"
        )
        try statement.bind([
            .integer(learners.lowerBound), .integer(learners.upperBound), .integer(times.lowerBound),
            .integer(times.upperBound),
        ])
        var table = EventTable()
        var counts: [(learner: Int64, count: Int)] = []
        var subject: UInt32 = 0
        while try statement.step() {
            let learner = statement.integer(0)
            if counts.last?.learner != learner {
                let bytes = try self.learner(learner)?.subject ?? []
                subject = bytes.withUnsafeBufferPointer { table.intern(text: $0) }
                counts.append((learner, 0))
            }
            do {
                try TailRecord.decode(
                    statement.bytes(2),
                    milliseconds: statement.integer(1),
                    subject: subject,
                    into: &table
                )
            } catch let error as Corruption {
                throw StoreError(
                    .corrupt,
                    "\(connection.path): an event of learner \(learner) is damaged (\(error)); restore from a backup"
                )
            }
            counts[counts.count - 1].count += 1
        }
        return sorted(table, counts)
    }

    /// Events of equal time come from the tail in the order in which they arrived.
    private func sorted(_ table: EventTable, _ counts: [(learner: Int64, count: Int)]) -> DecodedBlock {
        var runs: [(learner: Int64, rows: Range<Int>)] = []
        var order: [Int] = []
        order.reserveCapacity(table.count)
        var isSorted = true
        for (learner, count) in counts {
            let start = order.count
            var rows = Array(start..<start + count)
            table.sortIntoLearnerOrder(&rows)
            if isSorted { isSorted = rows.elementsEqual(start..<start + count) }
            order += rows
            runs.append((learner, start..<start + count))
        }
        guard !isSorted else { return DecodedBlock(table: table, runs: runs) }
        var copier = RowCopier()
        copier.begin(table)
        for row in order { copier.append(row, of: table) }
        return DecodedBlock(table: copier.table, runs: runs)
    }
}

extension [LearnerRecord] {
    /// - Complexity: O(log count).
    fileprivate func record(_ id: Int64) -> LearnerRecord? {
        let place = indices.partitioningIndex { self[$0].id >= id }
        return place < count && self[place].id == id ? self[place] : nil
    }
}
