// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    func statistics() throws -> StoreStatistics {
        func number(_ sql: String) throws -> Int { Int(try connection.number(sql) ?? 0) }
        var result = StoreStatistics()
        result.learners = try number("SELECT count(*) FROM learners")
        result.events = try number("SELECT sum(events) FROM learners")
        result.blocks = try number("SELECT count(*) FROM blocks")
        result.blockBytes = try number("SELECT sum(length(data)) FROM blocks")
        result.tailEvents = Int(try counter(.tailEvents, of: nil))
        result.quarantined = try number("SELECT count(*) FROM quarantine")
        result.fileBytes = try number("PRAGMA page_count") * number("PRAGMA page_size")
        return result
    }

    func storageFindings() throws -> StorageFindings {
        var found = StorageFindings()
        func runCheck(_ check: () throws -> Void) rethrows {
            do {
                try check()
            } catch let error as StoreError {
                found.problems.append(error.message)
            }
            connection.resetStatements()
        }
        try runCheck { found = try PageChecksums.examine(connection) }
        try runCheck {
            let lines = try rows("PRAGMA integrity_check") { $0.string(0) }
            found.problems += lines.filter { $0 != "ok" }.map { "SQLite: \($0)" }
        }
        return found
    }

    func forEachBlock(_ body: (_ block: Int64, _ events: Int) throws -> Void) throws {
        let statement = try connection.newStatement("SELECT block, events FROM blocks ORDER BY block")
        while try statement.step() { try body(statement.integer(0), statement.count(1)) }
    }

    func forEachListedBlock(_ body: (Int64) throws -> Void) throws {
        let statement = try connection.newStatement("SELECT block FROM runs")
        while try statement.step() { try body(statement.integer(0)) }
    }

    func wrongGenerations() throws -> Int {
        Int(
            try connection.number(
                """
                SELECT count(*) FROM (
                    SELECT generation, sum(events) AS events FROM blocks GROUP BY generation
                    EXCEPT SELECT generation, events FROM generations)
                """
            ) ?? 0
        )
    }

    func strays() throws -> [(table: String, learner: Int64)] {
        let added = try format() == Schema.version ? ["notes", "group_learners"] : []
        let tables = ["runs", "tail", "identities", "identity_leaves"] + added + Relation.derivedTables.map(\.name)
        return try tables.flatMap { table in
            try connection.numbers(
                "SELECT DISTINCT learner FROM \(table) WHERE learner NOT IN (SELECT learner FROM learners)"
                    + " ORDER BY learner"
            ).map { (table, $0) }
        }
    }

    func countTail() throws -> Int64 { try connection.number("SELECT count(*) FROM tail") ?? 0 }

    func orphanedQuarantinePieces() throws -> [Int64] {
        try connection.numbers(
            "SELECT DISTINCT quarantine FROM quarantine_pieces WHERE quarantine NOT IN (SELECT id FROM quarantine)"
                + " ORDER BY quarantine"
        )
    }

    func quarantinedLines() throws -> [Int64] { try connection.numbers("SELECT id FROM quarantine ORDER BY id") }

    func forEachKeptState(_ body: (StoredFoldState) throws -> Void) throws {
        for (table, point) in [("snapshots", "NULL, NULL"), ("checkpoints", "ms, events")] {
            let rows = try connection.newStatement("SELECT data, learner, \(point) FROM \(table)")
            while try rows.step() {
                let point = rows.optionalInteger(2).map { CheckpointPoint(milliseconds: $0, events: rows.count(3)) }
                try body(
                    StoredFoldState(
                        key: PackedSnapshot.Key(learner: rows.integer(1), point: point),
                        data: rows.array(0)
                    )
                )
            }
        }
    }

    // MARK: Sound rows of a damaged file

    func ifReadable<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StoreError where error.isDamage {
            return nil
        }
    }

    /// Reads the table, and its index on subjects, because both contain the names.
    func readableLearners() throws -> [(id: Int64, subject: [UInt8], events: Int?)] {
        let index = "SELECT learner, subject FROM learners INDEXED BY sqlite_autoindex_learners_1"
        let table = "SELECT learner, subject, events FROM learners NOT INDEXED"
        return try readableRows(index, by: ["subject"]) { ($0.integer(0), $0.array(1), nil) }
            + readableRows(table, by: ["learner"]) { ($0.integer(0), $0.array(1), $0.count(2)) }
    }

    func readableReferences() throws -> (blocks: Set<Int64>, learners: Set<Int64>) {
        func ids(_ column: String, _ table: String, by order: String) throws -> [Int64] {
            try readableRows("SELECT \(column) FROM \(table)", by: [order]) { $0.integer(0) }
        }
        return (
            Set(try ids("block", "blocks", by: "block") + ids("block", "runs", by: "learner")),
            Set(try ids("learner", "tail", by: "learner") + ids("learner", "runs", by: "learner"))
        )
    }

    func readableTailRows(of learner: Int64) throws -> [TailRow] {
        // Compares by `=`, so that only the learner's own pages are read.
        try readableRows("SELECT ms, sequence, data FROM tail WHERE learner = \(learner)", by: ["ms", "sequence"]) {
            row in
            let key = TailRecord.Key(learner: learner, milliseconds: row.integer(0), sequence: row.integer(1))
            return TailRow(key: key, data: row.array(2))
        }
    }

    /// The readable rows of a table: the rows before the first damage, and the rows after the last damage. If there is
    /// damage, rows may be returned twice.
    /// - Parameter columns: the columns of an index, by which SQLite reads without sorting.
    private func readableRows<T>(_ sql: String, by columns: [String], _ row: (Statement) -> T) throws -> [T] {
        var result: [T] = []
        for direction in ["ASC", "DESC"] {
            let order = columns.map { "\($0) \(direction)" }.joined(separator: ", ")
            let whole: Void? = try ifReadable {
                let statement = try connection.newStatement("\(sql) ORDER BY \(order)")
                while try statement.step() { result.append(row(statement)) }
            }
            if whole != nil { break }
        }
        return result
    }
}
