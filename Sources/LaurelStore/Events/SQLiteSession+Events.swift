// SPDX-License-Identifier: Apache-2.0

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
        try endAppending()
        var runs = try runs(try entries(of: learner, since: since ?? .min, until: until ?? .max), fields)
        let tail = try self.tail(learners: learner...learner, times: (since ?? .min)...(until ?? .max))
        if let (_, rows) = tail.runs.first { runs.append(EventRun(tail.shared, rows: rows)) }
        if since == nil, until == nil { try expectAll(of: learner, runs.eventCount) }
        return runs
    }

    /// Damage to the tables that say where events are could leave some out: every reading of all events is counted.
    func expectAll(of learner: Int64, _ count: Int) throws {
        guard let record = try self.learner(learner) else { return }
        try expectAll(of: record, count)
    }

    private func expectAll(of learner: LearnerRecord, _ count: Int) throws {
        guard count != learner.eventCount else { return }
        throw StoreError(
            .corrupt,
            "\(connection.name) is damaged: of the \(learner.eventCount) events of learner"
                + " “\(String(decoding: learner.subject, as: UTF8.self))” \(count) are found; \(StoreError.advice)"
        )
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try forEachLearner(ids: ids, fields: fields, upTo: limit, counting: true, body)
    }

    /// - Parameter counts: whether a learner who has more or fewer events than counted is an error.
    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int = .max,
        counting counts: Bool,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try endAppending()
        var next = ids.lowerBound
        // Blocks that go on beyond the group at hand: each is decoded once in the whole pass.
        var open: [Int64: DecodedBlock] = [:]
        while next < ids.upperBound {
            let group = try learnerGroup(from: next, below: ids.upperBound, upTo: limit)
            guard let last = group.last?.id else { return }
            if group[0].eventCount > limit {
                try body(group[0], [])
            } else {
                try forEachLearner(of: group, in: ids, fields: fields, &open) { learner, runs in
                    if counts { try expectAll(of: learner, runs.eventCount) }
                    try body(learner, runs)
                }
            }
            open = open.filter { ($0.value.runs.last?.learner ?? last) > last }
            next = last + 1
        }
    }

    /// Consecutive learners with about ``StoreOptions/eventsPerGroup`` events; whoever has more than the limit alone.
    private func learnerGroup(from first: Int64, below bound: Int64, upTo limit: Int) throws -> [LearnerRecord] {
        let statement = try connection.statement(
            "SELECT learner, subject, events FROM learners WHERE learner >= ? AND learner < ? ORDER BY learner"
        )
        try statement.bind([.integer(first), .integer(bound)])
        defer { statement.reset() }
        var group: [LearnerRecord] = []
        var total = 0
        while try statement.step() {
            let events = try statement.amount(2)
            if !group.isEmpty, events > limit || total + events > options.eventsPerGroup { break }
            total += events
            group.append(
                LearnerRecord(id: statement.integer(0), subject: statement.array(1), eventCount: events)
            )
            if events > limit { break }
        }
        return group
    }

    private func forEachLearner(
        of group: [LearnerRecord],
        in ids: Range<Int64>,
        fields: FieldSelection,
        _ open: inout [Int64: DecodedBlock],
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        let learners = group[0].id...group[group.count - 1].id
        var entries = try self.entries(learners: learners)
        let tail = try self.tail(learners: learners, times: .min ... .max)
        // Whoever comes after the group is read from the same blocks next; before it nobody is.
        try openBlocks(of: entries, fields, learners: learners.lowerBound...ids.upperBound - 1, known: group, &open)
        entries.reverse()
        var tailRuns = tail.runs[...]
        for learner in group {
            var runs: [EventRun] = []
            while let entry = entries.last, entry.learner <= learner.id {
                runs.append(try run(entry, of: open[entry.block]!))
                entries.removeLast()
            }
            if let (id, rows) = tailRuns.first, id == learner.id {
                runs.append(EventRun(tail.shared, rows: rows))
                tailRuns.removeFirst()
            }
            try body(learner, runs)
        }
    }

    // MARK: Blocks

    /// Decodes the blocks of some runs that are not open yet. Readers, of whom there are several at once, do so one by
    /// one; the only writer has all cores to itself.
    /// - Parameters:
    ///   - learners: nobody else is read of the blocks; nil for everyone.
    ///   - onAllCores: whether a reader, too, decodes them all at once, for an answer that would take long.
    func openBlocks(
        of entries: some Collection<RunEntry>,
        _ fields: FieldSelection,
        learners: ClosedRange<Int64>? = nil,
        known: [LearnerRecord],
        onAllCores: Bool = false,
        _ open: inout [Int64: DecodedBlock]
    ) throws {
        var closed: [WantedBlock] = []
        var isWanted: Set<Int64> = []
        for entry in entries where open[entry.block] == nil {
            if let cached = cache.find(entry.block, fields) {
                open[entry.block] = cached
            } else if !isWriter, !onAllCores {
                open[entry.block] = try decodeBlock(entry.block, fields, of: learners, known: known)
            } else if isWanted.insert(entry.block).inserted {
                closed.append(WantedBlock(block: entry.block, learners: learners))
            }
        }
        for (wanted, block) in zip(closed, try decodeOnAllCores(closed, fields, known: known)) {
            open[wanted.block] = block
        }
    }

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
            let (first, count) = (try statement.amount(2), try statement.amount(3))
            let (firstTime, lastTime) = (statement.integer(4), statement.integer(5))
            guard firstTime <= lastTime else { throw statement.damage("a run from \(firstTime) to \(lastTime)") }
            entries.append(
                RunEntry(
                    learner: statement.integer(0),
                    block: statement.integer(1),
                    rows: first..<first + count,
                    firstTime: firstTime,
                    lastTime: lastTime
                )
            )
        }
        return entries
    }

    /// The events of an entry: they alone are decoded, unless they are most of their block, or others of it are being
    /// asked for, too.
    func run(_ entry: RunEntry, _ fields: FieldSelection) throws -> EventRun {
        if let cached = cache.find(entry.block, fields) { return try run(entry, of: cached) }
        guard isWantedAlone(entry) else { return try run(entry, of: block(entry.block, fields)) }
        return try run(entry, of: decodeBlock(entry.block, fields, of: entry.learner...entry.learner))
    }

    /// Whether to decode the events of an entry alone.
    func isWantedAlone(_ entry: RunEntry) -> Bool {
        entry.rows.count * 2 < options.eventsPerBlock && cache.isAskedForSeldom(entry.block)
    }

    func run(_ entry: RunEntry, of block: DecodedBlock) throws -> EventRun {
        try corruption(ofBlock: entry.block) { try block.run(entry.rows) }
    }

    func block(_ id: Int64, _ fields: FieldSelection = .all) throws -> DecodedBlock {
        if let cached = cache.find(id, fields) { return cached }
        let decoded = try decodeBlock(id, fields)
        cache.insert(id, fields, decoded)
        return decoded
    }

    /// - Parameters:
    ///   - learners: whose events to decode alone; nil for everyone's.
    ///   - known: Learners whose subjects need not be looked up, ascending.
    func decodeBlock(
        _ id: Int64,
        _ fields: FieldSelection,
        of learners: ClosedRange<Int64>? = nil,
        known: [LearnerRecord] = []
    ) throws -> DecodedBlock {
        try withData(ofBlock: id) { data in
            try corruption(ofBlock: id) {
                try decoder.decode(data, fields: fields, of: learners) { learner in
                    try known.record(learner)?.subject ?? subject(of: learner)
                }
            }
        }
    }

    func data(ofBlock id: Int64) throws -> [UInt8] { try withData(ofBlock: id) { Array($0) } }

    func withData<T>(ofBlock id: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        let statement = try connection.statement("SELECT data FROM blocks WHERE block = ?")
        try statement.bind([.integer(id)])
        defer { statement.reset() }
        guard try statement.step() else {
            throw StoreError(.corrupt, "\(connection.name): block \(id) is missing; \(StoreError.advice)")
        }
        return try body(statement.bytes(0))
    }

    func subject(of learner: Int64) throws -> [UInt8] {
        guard let record = try self.learner(learner) else { throw Corruption("learner \(learner) is unknown") }
        return record.subject
    }

    /// Says which block is damaged.
    func corruption<T>(ofBlock id: Int64, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(connection.name): block \(id) is damaged (\(error)); \(StoreError.advice)"
            )
        }
    }

    // MARK: The tail

    /// The tail's events of some learners, sorted, as one table.
    func tail(learners: ClosedRange<Int64>, times: ClosedRange<Int64>) throws -> DecodedBlock {
        let statement = try connection.newStatement(
            "SELECT learner, ms, data, sequence FROM tail WHERE learner BETWEEN ? AND ? AND ms BETWEEN ? AND ?"
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
                    key: TailRecord.Key(
                        learner: learner,
                        milliseconds: statement.integer(1),
                        sequence: statement.integer(3)
                    ),
                    subject: subject,
                    into: &table
                )
            } catch let error as Corruption {
                throw StoreError(
                    .corrupt,
                    "\(connection.name): an event of learner \(learner) is damaged (\(error)); \(StoreError.advice)"
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
        return DecodedBlock(table: EventTable(gathering: order, of: table), runs: runs)
    }
}

extension [EventRun] {
    var eventCount: Int { reduce(0) { $0 + $1.rows.count } }
}

extension [LearnerRecord] {
    /// - Complexity: O(log count).
    func record(_ id: Int64) -> LearnerRecord? {
        let place = indices.partitioningIndex { self[$0].id >= id }
        return place < count && self[place].id == id ? self[place] : nil
    }
}
