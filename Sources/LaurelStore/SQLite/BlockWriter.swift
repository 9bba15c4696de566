internal import LaurelEvents

/// Writes events of ascending learners into new blocks, all of one generation.
///
/// The rows come from one table (``append(_:_:of:)``), or from many, being copied (``append(copying:rows:key:of:)``);
/// not from both. Blocks are encoded several at a time, on all cores.
struct BlockWriter {
    /// A block to be.
    private struct Draft: Sendable {
        var table: EventTable
        var rows: [Int]
        var learners: [(learner: Int64, count: Int)]
    }

    private let session: SQLiteSession
    private let generation: Int64
    private let level: Int32
    private var copier = RowCopier()
    private var learners: [(learner: Int64, count: Int)] = []
    private var rows: [Int] = []
    private var textBytes = 0
    private var last: EventTable?
    private var drafts: [Draft] = []

    /// - Parameters:
    ///   - generation: nil for a new one.
    ///   - level: zstd's; nil for that of new blocks.
    init(_ session: SQLiteSession, generation: Int64? = nil, level: Int32? = nil) throws {
        self.session = session
        self.level = level ?? session.options.compressionLevel
        if let generation {
            self.generation = generation
        } else {
            self.generation = try session.meta("generation") + 1
            try session.setMeta("generation", self.generation)
        }
    }

    /// Appends rows of a learner, in the learner's order. All rows until ``finish()`` are of one table.
    mutating func append(_ table: EventTable, _ newRows: some Sequence<Int>, of learner: Int64) throws {
        last = table
        for row in newRows {
            if isFull { try flush(table) }
            count(learner, table, row)
            rows.append(row)
        }
    }

    /// Appends one row of a learner, in the learner's order.
    /// - Parameter key: tells the tables apart.
    mutating func append(copying table: EventTable, row: Int, key: Int64, of learner: Int64) throws {
        if isFull {
            try flush(copier.table)
            copier = RowCopier()
        }
        copier.begin(table, key: key)
        copier.append(row, of: table)
        count(learner, table, row)
        rows.append(rows.count)
    }

    mutating func finish() throws {
        try flush(last ?? copier.table)
        try write()
    }

    private var isFull: Bool {
        rows.count >= session.options.eventsPerBlock || textBytes >= session.options.textPerBlock
    }

    private mutating func count(_ learner: Int64, _ table: EventTable, _ row: Int) {
        if learners.last?.learner == learner {
            learners[learners.count - 1].count += 1
        } else {
            learners.append((learner, 1))
        }
        textBytes += table.texts.range(table.extensions[row]).count
        for index in Int(table.valueStarts[row])..<Int(table.valueStarts[row + 1]) {
            let value = table.values[index]
            if ValueColumn.isText(value.kind) {
                textBytes += table.texts.range(UInt32(truncatingIfNeeded: value.payload)).count
            }
        }
    }

    private mutating func flush(_ table: EventTable) throws {
        guard !rows.isEmpty else { return }
        drafts.append(Draft(table: table, rows: rows, learners: learners))
        rows.removeAll(keepingCapacity: true)
        learners.removeAll(keepingCapacity: true)
        textBytes = 0
        if drafts.count >= Threads.processors { try write() }
    }

    /// Encodes the drafts and inserts them, in their order.
    private mutating func write() throws {
        let drafts = drafts
        self.drafts = []
        let level = level
        var encoded = [[UInt8]](repeating: [], count: drafts.count)
        try ParallelMap.run(Array(drafts.enumerated())) { place, draft in
            (place, BlockEncoder(level: level).encode(draft.table, rows: draft.rows, learners: draft.learners))
        } receive: { place, data in
            encoded[place] = data
        }
        for (draft, data) in zip(drafts, encoded) { try insert(draft, data) }
    }

    private func insert(_ draft: Draft, _ data: [UInt8]) throws {
        try session.connection.run(
            "INSERT INTO blocks(generation, events, data) VALUES (?, ?, ?)",
            .integer(generation),
            .count(draft.rows.count),
            .blob(data)
        )
        let block = session.connection.lastID
        let statement = try session.connection.statement(
            "INSERT INTO runs(learner, first_ms, block, first_row, rows, last_ms) VALUES (?, ?, ?, ?, ?, ?)"
        )
        var place = 0
        for (learner, count) in draft.learners {
            try statement.run(
                .integer(learner),
                .integer(draft.table.milliseconds[draft.rows[place]]),
                .integer(block),
                .count(place),
                .count(count),
                .integer(draft.table.milliseconds[draft.rows[place + count - 1]])
            )
            place += count
        }
        session.hasNewBlocks = true
        try session.count(events: draft.rows.count, runs: draft.learners.count, in: generation)
    }
}
