internal import LaurelEvents

/// Writes events of ascending learners into new blocks, all of one generation.
struct BlockWriter {
    private let session: SQLiteSession
    private let generation: Int64
    private var copier = RowCopier()
    private var learners: [(learner: Int64, count: Int)] = []
    private var rows: [Int] = []
    private var textBytes = 0

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
    mutating func append(_ table: EventTable, _ newRows: [Int], of learner: Int64) throws {
        for row in newRows {
            if rows.count >= session.options.eventsPerBlock || textBytes >= session.options.textPerBlock {
                try flush(table)
            }
            if learners.last?.learner == learner {
                learners[learners.count - 1].count += 1
            } else {
                learners.append((learner, 1))
            }
            rows.append(row)
            textBytes += BlockWriter.textBytes(table, row)
        }
        last = table
    }

    private var last: EventTable?

    mutating func finish() throws {
        if let last { try flush(last) }
        last = nil
    }

    /// About how much text a row brings.
    private static func textBytes(_ table: EventTable, _ row: Int) -> Int {
        var total = table.texts.range(table.extensions[row]).count
        for index in Int(table.valueStarts[row])..<Int(table.valueStarts[row + 1]) {
            let value = table.values[index]
            if ValueColumn.isText(value.kind) {
                total += table.texts.range(UInt32(truncatingIfNeeded: value.payload)).count
            }
        }
        return total
    }

    private mutating func flush(_ table: EventTable) throws {
        guard !rows.isEmpty else { return }
        let data = session.encoder.encode(table, rows: rows, learners: learners)
        try session.connection.run(
            "INSERT INTO blocks(generation, events, data) VALUES (?, ?, ?)", .integer(generation), .count(rows.count),
            .blob(data))
        let block = session.connection.lastID
        let statement = try session.connection.statement(
            "INSERT INTO runs(learner, first_ms, block, first_row, rows, last_ms) VALUES (?, ?, ?, ?, ?, ?)")
        var place = 0
        for (learner, count) in learners {
            try statement.run(
                .integer(learner), .integer(table.milliseconds[rows[place]]), .integer(block), .count(place),
                .count(count), .integer(table.milliseconds[rows[place + count - 1]]))
            place += count
        }
        rows.removeAll(keepingCapacity: true)
        learners.removeAll(keepingCapacity: true)
        textBytes = 0
    }
}
