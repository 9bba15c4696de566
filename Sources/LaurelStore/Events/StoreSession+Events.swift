// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The location of some events of a learner: rows of a block, and the span of time that the rows cover.
struct RunEntry {
    var learner: Int64
    var block: Int64
    var rows: Range<Int>
    var firstTime: Int64
    var lastTime: Int64
}

extension StoreSession {
    func events(of spans: [EventSpan], fields: FieldSelection) throws -> [[EventRun]] {
        try endAppending()
        let queries = spans.compactMap(EventQuery.init)
        guard spans.count > 1, queries.count == spans.count else { return try spans.map { try events(of: $0, fields) } }
        let entries = try tables.runs(queries)
        let records = try tables.learners(.ids(spans.map(\.learner)))
        let known = records.compactMap(\.self).sorted { $0.id < $1.id }
        var runs: [Int64: [EventRun]] = [:]
        for (entry, run) in zip(entries, try self.runs(ofMany: entries, fields, known: known)) {
            runs[entry.learner, default: []].append(run)
        }
        let tail = try self.tail(queries)
        for (learner, rows) in tail.runs { runs[learner, default: []].append(EventRun(tail.shared, rows: rows)) }
        return try zip(spans, records).map { span, record in
            let found = runs[span.learner] ?? []
            guard span.isWhole, var record else { return found }
            record.eventCount += count(of: record.id)?.added ?? 0
            try expectAll(of: record, found.eventCount)
            return found
        }
    }

    private func events(of span: EventSpan, _ fields: FieldSelection) throws -> [EventRun] {
        guard let query = EventQuery(span) else { return [] }
        var runs = try runs(try tables.runs([query]), fields)
        let tail = try self.tail([query])
        if let (_, rows) = tail.runs.first { runs.append(EventRun(tail.shared, rows: rows)) }
        if span.isWhole { try expectAll(of: span.learner, runs.eventCount) }
        return runs
    }

    /// Checks that all events of a learner were read, by their number. Damage to the directory could hide some events.
    func expectAll(of learner: Int64, _ count: Int) throws {
        guard let record = try self.learner(learner) else { return }
        try expectAll(of: record, count)
    }

    private func expectAll(of learner: LearnerRecord, _ count: Int) throws {
        guard count != learner.eventCount else { return }
        throw StoreError(
            .corrupt,
            "\(tables.name) is damaged: of the \(learner.eventCount) events of learner"
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

    /// - Parameters:
    ///   - limit: the maximum number of events. A learner with more events is passed without events.
    ///   - counts: true to check that each learner has as many events as the store counts.
    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int = .max,
        counting counts: Bool,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try endAppending()
        var next = ids.lowerBound
        // A block that also contains later learners stays decoded. So each block is decoded once in the whole pass.
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

    /// Consecutive learners that together have about ``StoreOptions/eventsPerGroup`` events. A learner with more events
    /// than the limit is in a group alone.
    private func learnerGroup(from first: Int64, below bound: Int64, upTo limit: Int) throws -> [LearnerRecord] {
        var group: [LearnerRecord] = []
        var total = 0
        try tables.forEachLearner(first..<bound) { learner in
            let events = learner.eventCount
            if !group.isEmpty, events > limit || total + events > options.eventsPerGroup { return false }
            total += events
            group.append(learner)
            return events <= limit
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
        var entries = try tables.runs([EventQuery(learners: learners)])
        let tail = try self.tail([EventQuery(learners: learners)])
        // The same blocks contain the learners after the group, who are read next. Earlier learners are not needed any
        // more.
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

    /// Decodes the blocks of some runs, unless they are decoded already. A reader decodes blocks one by one, because
    /// there may be several readers. The writer decodes them on all cores.
    /// - Parameters:
    ///   - learners: the only learners to read from the blocks; nil for all.
    ///   - onAllCores: true if a reader also uses all cores, for a query that would take long.
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

    /// The events of an entry. Usually only these events are decoded. The whole block is decoded if they are most of
    /// it, or if it is read often.
    func run(_ entry: RunEntry, _ fields: FieldSelection) throws -> EventRun {
        if let cached = cache.find(entry.block, fields) { return try run(entry, of: cached) }
        guard decodesEntryOnly(entry) else { return try run(entry, of: block(entry.block, fields)) }
        return try run(entry, of: decodeBlock(entry.block, fields, of: entry.learner...entry.learner))
    }

    /// True if only the events of an entry are to be decoded.
    func decodesEntryOnly(_ entry: RunEntry) -> Bool {
        entry.rows.count * 2 < options.eventsPerBlock && cache.isRarelyRequested(entry.block)
    }

    func run(_ entry: RunEntry, of block: DecodedBlock) throws -> EventRun {
        try corruption(ofBlock: entry.block) { try block.run(entry.rows) }
    }

    func block(_ id: Int64, _ fields: FieldSelection) throws -> DecodedBlock {
        if let cached = cache.find(id, fields) { return cached }
        let decoded = try decodeBlock(id, fields)
        cache.insert(id, fields, decoded)
        return decoded
    }

    /// - Parameters:
    ///   - learners: the learners whose events are decoded; nil for all.
    ///   - known: learners whose subjects are already known, ascending.
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

    func withData<T>(ofBlock id: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        var result: T?
        try tables.forEachBlock([id]) { result = try body($1) }
        guard let result else { throw missing(block: id) }
        return result
    }

    func missing(block id: Int64) -> StoreError {
        StoreError(.corrupt, "\(tables.name): block \(id) is missing; \(StoreError.advice)")
    }

    func subject(of learner: Int64) throws -> [UInt8] {
        guard let record = try self.learner(learner) else { throw Corruption("learner \(learner) is unknown") }
        return record.subject
    }

    /// Runs `body`, and adds the damaged block's id to its error.
    func corruption<T>(ofBlock id: Int64, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(tables.name): block \(id) is damaged (\(error)); \(StoreError.advice)"
            )
        }
    }

    // MARK: The tail

    /// The events of the tail that match at least one of the queries, as one table. They are grouped by learner, in the
    /// learner's order.
    func tail(_ queries: [EventQuery]) throws -> DecodedBlock {
        var bytes: [UInt8] = []
        var rows: [(key: TailRecord.Key, end: Int)] = []
        var counts: [(learner: Int64, count: Int)] = []
        try tables.forEachTailRow(queries) { key, data in
            if counts.last?.learner != key.learner { counts.append((key.learner, 0)) }
            counts[counts.count - 1].count += 1
            bytes += data
            rows.append((key, bytes.count))
        }
        // All subjects are read in one query.
        let owners = try tables.learners(.ids(counts.map(\.learner)))
        var table = EventTable()
        var start = 0
        try bytes.withUnsafeBytes { bytes in
            var rest = rows[...]
            for (owner, part) in zip(owners, counts) {
                let subject = (owner?.subject ?? []).withUnsafeBufferPointer { table.intern(text: $0) }
                for row in rest.prefix(part.count) {
                    try decode(UnsafeRawBufferPointer(rebasing: bytes[start..<row.end]), row.key, subject, &table)
                    start = row.end
                }
                rest = rest.dropFirst(part.count)
            }
        }
        return sorted(table, counts)
    }

    func decode(
        _ data: UnsafeRawBufferPointer,
        _ key: TailRecord.Key,
        _ subject: UInt32,
        _ table: inout EventTable
    ) throws {
        do {
            try TailRecord.decode(data, key: key, subject: subject, into: &table)
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "\(tables.name): an event of learner \(key.learner) is damaged (\(error)); \(StoreError.advice)"
            )
        }
    }

    /// Sorts events of the tail. The tail is in the order of time only, and events of the same time are in the order of
    /// arrival.
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

extension EventSpan {
    fileprivate var isWhole: Bool { since == nil && until == nil }
}

extension EventQuery {
    /// A query for a span; nil if the span is empty.
    fileprivate init?(_ span: EventSpan) {
        let (since, until) = (span.since ?? .min, span.until ?? .max)
        guard since <= until else { return nil }
        self.init(learners: span.learner...span.learner, times: since...until)
    }
}

extension [EventRun] {
    var eventCount: Int { reduce(0) { $0 + $1.rows.count } }
}

extension [LearnerRecord] {
    /// The record of a learner; nil if there is none.
    /// - Complexity: O(log count).
    func record(_ id: Int64) -> LearnerRecord? {
        let position = indices.partitioningIndex { self[$0].id >= id }
        return position < count && self[position].id == id ? self[position] : nil
    }
}
