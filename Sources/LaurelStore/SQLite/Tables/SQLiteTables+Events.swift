// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    // MARK: Runs

    func runs(_ queries: [EventQuery]) throws -> [RunEntry] {
        var runs: [RunEntry] = []
        for query in queries {
            let learners = query.learners
            let statement =
                learners.lowerBound == learners.upperBound
                ? try connection.statement(
                    """
                    SELECT learner, block, first_row, rows, first_ms, last_ms FROM runs
                    WHERE learner = ?1 AND learner <= ?2 AND first_ms <= ?3 AND last_ms >= ?4
                    ORDER BY learner, first_ms, block
                    """
                )
                : try connection.statement(
                    """
                    SELECT learner, block, first_row, rows, first_ms, last_ms FROM runs
                    WHERE learner BETWEEN ?1 AND ?2 AND first_ms <= ?3 AND last_ms >= ?4
                    ORDER BY learner, first_ms, block
                    """
                )
            try statement.bind([
                .integer(learners.lowerBound), .integer(learners.upperBound), .integer(query.times.upperBound),
                .integer(query.times.lowerBound),
            ])
            defer { statement.reset() }
            while try statement.step() { runs.append(try run(statement)) }
        }
        return runs
    }

    private func run(_ statement: Statement) throws -> RunEntry {
        let (first, count) = (try statement.amount(2), try statement.amount(3))
        let (firstTime, lastTime) = (statement.integer(4), statement.integer(5))
        guard firstTime <= lastTime else { throw statement.damage("a run from \(firstTime) to \(lastTime)") }
        return RunEntry(
            learner: statement.integer(0),
            block: statement.integer(1),
            rows: first..<first + count,
            firstTime: firstTime,
            lastTime: lastTime
        )
    }

    func countRuns(of learners: [Int64]) throws -> [(runs: Int, events: Int)] {
        try learners.map { learner in
            try row("SELECT count(*), sum(rows) FROM runs WHERE learner = ?", .integer(learner)) {
                ($0.count(0), $0.count(1))
            } ?? (0, 0)
        }
    }

    func delete(_ runs: [RunEntry]) throws {
        try run("DELETE FROM runs WHERE learner = ? AND first_ms = ? AND block = ?", each: runs) { run, row in
            row.bind(run.learner)
            row.bind(run.firstTime)
            row.bind(run.block)
        }
    }

    // MARK: Blocks

    func forEachBlock(_ blocks: [Int64], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        let statement = try connection.statement("SELECT data FROM blocks WHERE block = ?")
        for block in blocks {
            statement.reset()
            try statement.bind([.integer(block)])
            defer { statement.reset() }
            if try statement.step() { try body(block, statement.bytes(0)) }
        }
    }

    func insert(_ blocks: [NewBlock], in generation: Int64) throws {
        let insertion = try connection.statement(
            "INSERT INTO runs(learner, first_ms, block, first_row, rows, last_ms) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for block in blocks {
            try connection.run(
                "INSERT INTO blocks(generation, events, data) VALUES (?, ?, ?)",
                .integer(generation),
                .count(block.events),
                .blob(block.data)
            )
            let id = connection.lastID
            for run in block.runs {
                try insertion.run { row in
                    row.bind(run.learner)
                    row.bind(run.firstTime)
                    row.bind(id)
                    row.bind(run.rows.lowerBound)
                    row.bind(run.rows.count)
                    row.bind(run.lastTime)
                }
            }
            try count(events: block.events, runs: block.runs.count, in: generation)
        }
    }

    private func count(events: Int, runs: Int, in generation: Int64) throws {
        try connection.run(
            """
            INSERT INTO generations VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET events = events + ?2, runs = runs + ?3
            """,
            .integer(generation),
            .count(events),
            .count(runs)
        )
    }

    func delete(block: Int64, _ runs: [RunEntry], events: Int) throws -> Int64 {
        let generation = try connection.number("SELECT generation FROM blocks WHERE block = ?", .integer(block)) ?? 0
        try delete(runs)
        try count(events: -events, runs: -runs.count, in: generation)
        try connection.run("DELETE FROM blocks WHERE block = ?", .integer(block))
        return generation
    }

    func generations(of _: Int?) throws -> [Generation] {
        try rows("SELECT generation, events, runs FROM generations ORDER BY generation") {
            Generation(id: $0.integer(0), events: try $0.amount(1), runs: try $0.amount(2))
        }
    }

    func blocks(of generations: [Int64]) throws -> Set<Int64> {
        var blocks: Set<Int64> = []
        for generation in generations {
            blocks.formUnion(
                try connection.numbers("SELECT block FROM blocks WHERE generation = ?", .integer(generation))
            )
        }
        return blocks
    }

    func deleteGenerations(_ generations: [Int64]) throws {
        for generation in generations {
            try connection.run("DELETE FROM blocks WHERE generation = ?", .integer(generation))
            try connection.run("DELETE FROM generations WHERE generation = ?", .integer(generation))
        }
    }

    // MARK: The tail

    func append(_ rows: [TailRow]) throws {
        try run("INSERT INTO tail(learner, ms, sequence, data) VALUES (?, ?, ?, ?)", each: rows) { row, values in
            values.bind(row.key.learner)
            values.bind(row.key.milliseconds)
            values.bind(row.key.sequence)
            values.bind(blob: row.data)
        }
    }

    func forEachTailRow(
        _ queries: [EventQuery],
        _ body: (TailRecord.Key, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let statement = try connection.statement(
            "SELECT learner, ms, sequence, data FROM tail WHERE learner BETWEEN ? AND ? AND ms BETWEEN ? AND ?"
                + " ORDER BY learner, ms, sequence"
        )
        defer { statement.reset() }
        for query in queries {
            statement.reset()
            try statement.bind([
                .integer(query.learners.lowerBound), .integer(query.learners.upperBound),
                .integer(query.times.lowerBound), .integer(query.times.upperBound),
            ])
            while try statement.step() {
                let key = TailRecord.Key(
                    learner: statement.integer(0),
                    milliseconds: statement.integer(1),
                    sequence: statement.integer(2)
                )
                try body(key, statement.bytes(3))
            }
        }
    }

    func deleteTail(_ keys: [TailRecord.Key]) throws {
        try run("DELETE FROM tail WHERE learner = ? AND ms = ? AND sequence = ?", each: keys) { key, values in
            values.bind(key.learner)
            values.bind(key.milliseconds)
            values.bind(key.sequence)
        }
    }

    func emptyTail(of _: Int) throws { try connection.run("DELETE FROM tail") }

    // MARK: Times

    func lastEventTime(of learner: Int64) throws -> Int64? {
        try connection.number(
            """
            SELECT max(ms) FROM (SELECT max(last_ms) AS ms FROM runs WHERE learner = ?1
                UNION ALL SELECT max(ms) FROM tail WHERE learner = ?1)
            """,
            .integer(learner)
        )
    }
}
