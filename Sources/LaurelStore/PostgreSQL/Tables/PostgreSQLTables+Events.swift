// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    // MARK: Runs

    func runs(_ queries: [EventQuery]) throws -> [RunEntry] {
        guard let ofLearners = parameters(ofLearners: queries) else {
            return try queries.flatMap { try rows(EventSQL.runsOfRange, parameters($0)).map(run) }
        }
        return queries.isEmpty ? [] : try rows(EventSQL.runsOfLearners, ofLearners).map(run)
    }

    /// Of queries for one learner each; nil where one asks for more.
    private func parameters(ofLearners queries: [EventQuery]) -> [Parameter]? {
        guard queries.allSatisfy({ $0.learners.lowerBound == $0.learners.upperBound }) else { return nil }
        return [
            .integers(queries.lazy.map(\.learners.lowerBound)), .integers(queries.lazy.map(\.times.lowerBound)),
            .integers(queries.lazy.map(\.times.upperBound)),
        ]
    }

    private func parameters(_ query: EventQuery) -> [Parameter] {
        [
            .integer(query.learners.lowerBound), .integer(query.learners.upperBound), .integer(query.times.lowerBound),
            .integer(query.times.upperBound),
        ] + bounds
    }

    private func run(_ row: Row) throws -> RunEntry {
        let (first, count) = (try amount(row, 2), try amount(row, 3))
        let (firstTime, lastTime) = (row.integer(4), row.integer(5))
        guard firstTime <= lastTime else { throw damage("a run from \(firstTime) to \(lastTime)") }
        return RunEntry(
            learner: row.integer(0),
            block: row.integer(1),
            rows: first..<first + count,
            firstTime: firstTime,
            lastTime: lastTime
        )
    }

    func countRuns(of learners: [Int64]) throws -> [(runs: Int, events: Int)] {
        var counts = [(runs: Int, events: Int)](repeating: (0, 0), count: learners.count)
        guard !learners.isEmpty else { return counts }
        for row in try rows(EventSQL.countRuns, [.integers(learners)]) {
            counts[try place(row, of: learners.count)] = (try amount(row, 1), try amount(row, 2))
        }
        return counts
    }

    func delete(_ runs: [RunEntry]) throws {
        guard !runs.isEmpty else { return }
        try send(
            EventSQL.deleteRuns,
            [
                .integers(runs.lazy.map(\.learner)), .integers(runs.lazy.map(\.firstTime)),
                .integers(runs.lazy.map(\.block)),
            ]
        )
    }

    // MARK: Blocks

    /// Blocks that are fetched at once.
    private static let blocksFetched = 16

    func forEachBlock(_ blocks: [Int64], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        for start in stride(from: 0, to: blocks.count, by: Self.blocksFetched) {
            let some = blocks[start..<min(start + Self.blocksFetched, blocks.count)]
            let rows = try rows(EventSQL.blocks, [.integers(some)])
            for row in rows { try withExtendedLifetime(rows) { try body(row.integer(0), row.bytes(1)) } }
        }
    }

    func insert(_ blocks: [NewBlock], in generation: Int64) throws {
        guard !blocks.isEmpty else { return }
        let ids = blocks.indices.map { row.lastBlock + 1 + Int64($0) }
        row.lastBlock += Int64(blocks.count)
        var data = ParameterList(.bytea)
        for block in blocks { data.append(block.data) }
        let events = Parameter.integers(blocks.lazy.map { Int64($0.events) })
        let generations = Parameter.integers(blocks.lazy.map { _ in generation })
        try send(EventSQL.addBlocks, [generations, .integers(ids), events, .list(data)])
        let runs = zip(ids, blocks).flatMap { id, block in block.runs.map { (block: id, run: $0) } }
        try send(
            EventSQL.addRuns,
            [
                .integers(runs.lazy.map(\.run.learner)), .integers(runs.lazy.map(\.run.firstTime)),
                .integers(runs.lazy.map(\.block)), .integers(runs.lazy.map { Int64($0.run.rows.lowerBound) }),
                .integers(runs.lazy.map { Int64($0.run.rows.count) }), .integers(runs.lazy.map(\.run.lastTime)),
            ]
        )
        try count(events: blocks.reduce(0) { $0 + $1.events }, runs: runs.count, in: generation)
    }

    private func count(events: Int, runs: Int, in generation: Int64) throws {
        try send(
            EventSQL.countGeneration,
            [.integers([generation]), .integers([Int64(events)]), .integers([Int64(runs)])]
        )
    }

    func delete(block: Int64, _ runs: [RunEntry], events: Int) throws -> Int64 {
        let generation = try number(EventSQL.generationOfBlock, [.integer(block)]) ?? 0
        try delete(runs)
        try count(events: -events, runs: -runs.count, in: generation)
        try send(EventSQL.deleteBlock, [.integer(block)])
        return generation
    }

    func generations() throws -> [Generation] {
        try rows(EventSQL.generations, bounds).map { row in
            Generation(id: row.integer(0), events: try amount(row, 1), runs: try amount(row, 2))
        }
    }

    func blocks(of generations: [Int64]) throws -> Set<Int64> {
        Set(try numbers(EventSQL.blocksOfGenerations, [.integers(generations)]))
    }

    func deleteGenerations(_ generations: [Int64]) throws {
        try send(EventSQL.deleteBlocksOfGenerations, [.integers(generations)])
        try send(EventSQL.deleteGenerations, [.integers(generations)])
    }

    // MARK: The tail

    func append(_ rows: [TailRow]) throws {
        guard !rows.isEmpty else { return }
        try expectOwn(rows.lazy.map(\.key.learner))
        var data = ParameterList(.bytea)
        for row in rows { data.append(row.data) }
        try send(
            EventSQL.appendToTail,
            [
                .integers(rows.lazy.map(\.key.learner)), .integers(rows.lazy.map(\.key.milliseconds)),
                .integers(rows.lazy.map(\.key.sequence)), .list(data),
            ]
        )
    }

    func forEachTailRow(
        _ queries: [EventQuery],
        _ body: (TailRecord.Key, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        func hand(_ row: Row) throws {
            let key = TailRecord.Key(
                learner: row.integer(0),
                milliseconds: row.integer(1),
                sequence: row.integer(2)
            )
            try withExtendedLifetime(row) { try body(key, row.bytes(3)) }
        }
        if let ofLearners = parameters(ofLearners: queries) {
            if !queries.isEmpty { try rows(EventSQL.tailOfLearners, ofLearners).forEach(hand) }
        } else {
            for query in queries { try forEachRow(EventSQL.tailOfRange, parameters(query), hand) }
        }
    }

    func emptyTail() throws { try send(EventSQL.emptyTail, bounds) }

    // MARK: Times

    func lastEventTime(of learner: Int64) throws -> Int64? { try number(EventSQL.lastEventTime, [.integer(learner)]) }
}
