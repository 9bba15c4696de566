// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func statistics() throws -> StoreStatistics {
        let counts = [CheckedSQL.countLearners, .countBlocks, .countQuarantine].map { ($0.rawValue, [Parameter]()) }
        let found = try translating { try $0.rows(of: counts) }
        var result = StoreStatistics()
        (result.learners, result.events) = (Int(found[0][0].integer(0)), Int(found[0][0].integer(1)))
        (result.blocks, result.blockBytes) = (Int(found[1][0].integer(0)), Int(found[1][0].integer(1)))
        result.tailEvents = Int(try counter(.tailEvents, of: nil))
        result.quarantined = Int(found[2][0].integer(0))
        result.fileBytes = try translating { try AdministrationSQL.sizes(in: location.schema, $0) }.reduce(0) {
            $0 + $1.bytes
        }
        return result
    }

    /// Reports a server without page checksums. A server with checksums reports damaged pages itself.
    func storageFindings() throws -> StorageFindings {
        guard try rows(TransactionSQL.server, []).first?.string(3) != "on" else { return StorageFindings() }
        let remark = "the server keeps no checksums of pages (`pg_checksums --enable`), so it may not notice damage"
        return StorageFindings(remarks: ["\(name): \(remark)"])
    }

    func forEachBlock(_ body: (_ block: Int64, _ events: Int) throws -> Void) throws {
        try forEachRow(CheckedSQL.blocks, bounds) { row in try body(row.integer(0), Int(row.integer(1))) }
    }

    func forEachListedBlock(_ body: (Int64) throws -> Void) throws {
        try forEachRow(CheckedSQL.listedBlocks, bounds) { row in try body(row.integer(0)) }
    }

    func wrongGenerations() throws -> Int { Int(try number(CheckedSQL.wrongGenerations, bounds) ?? 0) }

    func strays() throws -> [(table: String, learner: Int64)] {
        try rows(CheckedSQL.strays, [.integer(edition)] + bounds).map { ($0.string(0), $0.integer(1)) }
    }

    func countTail() throws -> Int64 { try number(CheckedSQL.countTail, bounds) ?? 0 }
    func orphanedQuarantinePieces() throws -> [Int64] { try numbers(CheckedSQL.orphanedQuarantinePieces, bounds) }
    func quarantinedLines() throws -> [Int64] { try numbers(CheckedSQL.quarantinedLines, bounds) }

    func forEachKeptState(_ body: (StoredFoldState) throws -> Void) throws {
        let parameters = [Parameter.integer(edition)] + bounds
        try forEachRow(CheckedSQL.snapshots, parameters) { row in
            try body(StoredFoldState(key: PackedSnapshot.Key(learner: row.integer(1)), data: row.array(0)))
        }
        try forEachRow(CheckedSQL.checkpoints, parameters) { row in
            let point = CheckpointPoint(milliseconds: row.integer(2), events: Int(row.integer(3)))
            try body(
                StoredFoldState(key: PackedSnapshot.Key(learner: row.integer(1), point: point), data: row.array(0))
            )
        }
    }

    // MARK: Undamaged data of a damaged store

    /// Sets a savepoint and runs `body`. If `body` meets damage, the transaction is rolled back to the savepoint, and
    /// the result is nil.
    func ifReadable<T>(_ body: () throws -> T) throws -> T? {
        try translating { try $0.send(CheckedSQL.savepoint.rawValue) }
        do {
            let result = try body()
            try translating { try $0.send(CheckedSQL.releaseSavepoint.rawValue) }
            return result
        } catch let error as StoreError where error.isDamage {
            try translating { try $0.send(CheckedSQL.toSavepoint.rawValue) }
            return nil
        }
    }

    func readableLearners() throws -> [(id: Int64, subject: [UInt8], events: Int?)] {
        try readableRows(LearnerSQL.all, []) { ($0.integer(0), $0.text(1), Int(exactly: $0.integer(2))) }
    }

    func readableReferences() throws -> (blocks: Set<Int64>, learners: Set<Int64>) {
        let blocks = try readableRows(CheckedSQL.blocks, bounds) { $0.integer(0) }
        let listed = try readableRows(CheckedSQL.blocksOfRuns, bounds) { $0.integer(0) }
        let learners = try readableRows(CheckedSQL.learnersOfTailAndRuns, bounds) { $0.integer(0) }
        return (Set(blocks + listed), Set(learners))
    }

    func readableTailRows(of learner: Int64) throws -> [TailRow] {
        let query = EventQuery(learners: learner...learner)
        let parameters = parameters(query, query.learners, Int64(Partition.of(learner: learner)))
        return try readableRows(EventSQL.tailOfRange, parameters) {
            TailRow(key: TailRecord.Key($0), data: $0.array(4))
        }
    }

    /// The rows that a statement returns before the server meets damage.
    private func readableRows<T>(
        _ statement: some SQLStatement,
        _ parameters: [Parameter],
        _ row: (Row) -> T
    ) throws -> [T] {
        var found: [T] = []
        _ = try ifReadable {
            try translating { try $0.forEachRow(statement.rawValue, parameters) { found.append(row($0)) } }
        }
        return found
    }
}
