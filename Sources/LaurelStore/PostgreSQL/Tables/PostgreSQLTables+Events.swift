// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    // MARK: Runs

    func runs(_ queries: [EventQuery]) throws -> [RunEntry] {
        var runs: [RunEntry] = []
        try forEachRow(queries, .runs, EventSQL.runsOfRange) { runs.append(try run($0)) }
        return runs
    }

    /// Queries learners' rows. Queries for single learners are sent in one round trip. A range of learners is read in
    /// batches.
    private func forEachRow(
        _ queries: [EventQuery],
        _ statement: RowStatement,
        _ range: EventSQL,
        _ body: (Row) throws -> Void
    ) throws {
        if queries.allSatisfy({ $0.learners.lowerBound == $0.learners.upperBound }) {
            let positions = TableRows(queries, width: 3) { query, row in
                row.append(query.learners.lowerBound)
                row.append(query.times.lowerBound)
                row.append(query.times.upperBound)
            }
            return try forEachRow(statement, positions) { try body($1) }
        }
        for query in queries {
            for (partition, ids) in shares(query.learners) {
                try forEachRow(range, parameters(query, ids, partition), body)
            }
        }
    }

    /// The parameters of a query in one partition.
    func parameters(_ query: EventQuery, _ ids: ClosedRange<Int64>, _ partition: Int64) -> [Parameter] {
        [
            .integer(partition), .integer(ids.lowerBound), .integer(ids.upperBound),
            .integer(query.times.lowerBound), .integer(query.times.upperBound),
        ]
    }

    private func run(_ row: Row) throws -> RunEntry {
        let (first, count) = (try amount(row, 4), try amount(row, 5))
        let (firstTime, lastTime) = (row.integer(2), row.integer(6))
        guard firstTime <= lastTime else { throw damage("a run from \(firstTime) to \(lastTime)") }
        return RunEntry(
            learner: row.integer(1),
            block: row.integer(3),
            rows: first..<first + count,
            firstTime: firstTime,
            lastTime: lastTime
        )
    }

    func countRuns(of learners: [Int64]) throws -> [(runs: Int, events: Int)] {
        var counts = [(runs: Int, events: Int)](repeating: (0, 0), count: learners.count)
        try forEachRow(.countRuns, TableRows(learners)) { counts[$0] = (try amount($1, 1), try amount($1, 2)) }
        return counts
    }

    func delete(_ runs: [RunEntry]) throws {
        let keys = TableRows(runs, width: 3) { run, row in
            row.append(run.learner)
            row.append(run.firstTime)
            row.append(run.block)
        }
        try send(.deleteRuns, keys)
    }

    // MARK: Blocks

    /// The number of blocks that are fetched at once.
    private static let blocksFetched = 16

    func forEachBlock(_ blocks: [Int64], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        for start in stride(from: 0, to: blocks.count, by: Self.blocksFetched) {
            let some = blocks[start..<min(start + Self.blocksFetched, blocks.count)]
            try forEachRow(.blocks, TableRows(some)) { _, row in
                try withExtendedLifetime(row) { try body(row.integer(1), row.bytes(2)) }
            }
        }
    }

    func insert(_ blocks: [NewBlock], in generation: Int64) throws {
        guard !blocks.isEmpty else { return }
        let last = try change(Partition.of(generation: generation)) { held in
            defer { held.row.lastBlock += Int64(blocks.count) }
            return held.row.lastBlock
        }
        var runs = TableRows(of: .runs)
        let rows = TableRows(blocks.enumerated(), width: 4) { block, row in
            let id = last + 1 + Int64(block.offset)
            row.append(id)
            row.append(generation)
            row.append(block.element.events)
            row.append(bytes: block.element.data)
            for run in block.element.runs {
                runs.append(run.learner)
                runs.append(run.firstTime)
                runs.append(id)
                runs.append(run.rows.lowerBound)
                runs.append(run.rows.count)
                runs.append(run.lastTime)
            }
        }
        try send(.addBlocks, rows)
        try send(.addRuns, runs)
        try count(events: blocks.reduce(0) { $0 + $1.events }, runs: runs.count, in: generation)
    }

    private func count(events: Int, runs: Int, in generation: Int64) throws {
        try send(.countGenerations, TableRows([generation, Int64(events), Int64(runs)], width: 3))
    }

    func delete(block: Int64, _ runs: [RunEntry], events: Int) throws -> Int64 {
        let generation = try found(.generationsOfBlocks, TableRows([block])).first?.row.integer(1) ?? 0
        try delete(runs)
        try count(events: -events, runs: -runs.count, in: generation)
        try send(.deleteBlocks, TableRows([block]))
        return generation
    }

    func generations(of partition: Int?) throws -> [Generation] {
        let bounds = partition.map { [Parameter.count($0), .count($0)] } ?? bounds
        return try rows(EventSQL.generations, bounds).map { row in
            Generation(id: row.integer(0), events: try amount(row, 1), runs: try amount(row, 2))
        }
    }

    func blocks(of generations: [Int64]) throws -> Set<Int64> {
        Set(try found(.blocksOfGenerations, TableRows(generations)).map { $0.row.integer(1) })
    }

    func deleteGenerations(_ generations: [Int64]) throws {
        try send(.deleteBlocksOfGenerations, TableRows(generations))
        try send(.deleteGenerations, TableRows(generations))
    }

    // MARK: The tail

    func append(_ rows: [TailRow]) throws {
        let rows = TableRows(rows, width: 4) { new, row in
            row.append(new.key.learner)
            row.append(new.key.milliseconds)
            row.append(new.key.sequence)
            row.append(bytes: new.data)
        }
        try send(.appendToTail, rows)
    }

    func forEachTailRow(
        _ queries: [EventQuery],
        _ body: (TailRecord.Key, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try forEachRow(queries, .tail, EventSQL.tailOfRange) { row in
            try withExtendedLifetime(row) { try body(TailRecord.Key(row), row.bytes(4)) }
        }
    }

    func deleteTail(_ keys: [TailRecord.Key]) throws {
        let rows = TableRows(keys, width: 3) { key, row in
            row.append(key.learner)
            row.append(key.milliseconds)
            row.append(key.sequence)
        }
        try send(.deleteFromTail, rows)
    }

    func emptyTail(of partition: Int) throws { try send(EventSQL.emptyTail, [.count(partition)], of: partition) }

    // MARK: Times

    func lastEventTime(of learner: Int64) throws -> Int64? {
        try number(EventSQL.lastEventTime, [.count(Partition.of(learner: learner)), .integer(learner)])
    }
}

extension TailRecord.Key {
    init(_ row: Row) { self.init(learner: row.integer(1), milliseconds: row.integer(2), sequence: row.integer(3)) }
}
