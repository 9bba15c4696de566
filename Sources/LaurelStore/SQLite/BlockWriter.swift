internal import LaurelEvents

/// Writes events of ascending learners into new blocks, all of one generation.
///
/// The rows come from one table (``append(_:_:of:)``), or from many, being copied (``append(copying:rows:key:of:)``);
/// not from both.
struct BlockWriter {
    private let session: SQLiteSession
    private let generation: Int64
    private var copier = RowCopier()
    private var learners: [(learner: Int64, count: Int)] = []
    private var rows: [Int] = []
    private var textBytes = 0
    private var last: EventTable?

    /// - Parameter generation: nil for a new one.
    init(_ session: SQLiteSession, generation: Int64? = nil) throws {
        self.session = session
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

    mutating func finish() throws { try flush(last ?? copier.table) }

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
        let data = session.encoder.encode(table, rows: rows, learners: learners)
        try session.connection.run(
            "INSERT INTO blocks(generation, events, data) VALUES (?, ?, ?)",
            .integer(generation),
            .count(rows.count),
            .blob(data)
        )
        let block = session.connection.lastID
        let statement = try session.connection.statement(
            "INSERT INTO runs(learner, first_ms, block, first_row, rows, last_ms) VALUES (?, ?, ?, ?, ?, ?)"
        )
        var place = 0
        for (learner, count) in learners {
            try statement.run(
                .integer(learner),
                .integer(table.milliseconds[rows[place]]),
                .integer(block),
                .count(place),
                .count(count),
                .integer(table.milliseconds[rows[place + count - 1]])
            )
            place += count
        }
        session.hasNewBlocks = true
        try session.count(events: rows.count, runs: learners.count, in: generation)
        rows.removeAll(keepingCapacity: true)
        learners.removeAll(keepingCapacity: true)
        textBytes = 0
    }
}
