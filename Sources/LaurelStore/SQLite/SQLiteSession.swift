// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A connection, and the session over its tables. It is either a reader or the writer.
final class SQLiteSession: Sendable {
    nonisolated(unsafe) let tables: SQLiteTables
    let store: StoreSession
    private let options: StoreOptions
    /// Used only by the writer.
    nonisolated(unsafe) private var logPreallocation = LogPreallocation()
    /// True if no erasure must be completed. Set only when that is known, and cleared when another process may have
    /// written.
    nonisolated(unsafe) private var hasNothingToClean = false

    var connection: Connection { tables.connection }

    init(_ connection: Connection, _ options: StoreOptions, isWriter: Bool) {
        self.options = options
        tables = SQLiteTables(connection, isWriter: isWriter)
        store = StoreSession(tables, options, writing: isWriter ? [PartitionState()] : [])
    }

    // MARK: Reading

    /// Begins a read transaction. Until ``endReading()`` the session sees the current state of the store.
    func beginReading() throws {
        try connection.run("BEGIN")
        do {
            // SQLite selects the state at the first read, not at BEGIN.
            _ = try connection.number("SELECT value FROM meta LIMIT 1")
        } catch {
            endReading()
            throw error
        }
    }

    /// A number that changes whenever another connection commits.
    func dataVersion() throws -> Int64 { try connection.number("PRAGMA data_version") ?? 0 }

    func endReading() {
        connection.resetStatements()
        try? connection.execute("ROLLBACK")
    }

    // MARK: Writing

    /// Runs `body` in a transaction. The store's lock must be held.
    /// - Parameter sweeps: called if there are leftovers of a shadow. Returns true if no process needs them any more.
    func write<T>(sweeping sweeps: () -> Bool, _ body: (SQLiteSession) throws -> T) throws -> T {
        tables.mustClean = false
        try begin()
        let result: T
        do {
            result = try body(self)
            if !tables.hasNoLeftovers { tables.hasNoLeftovers = try !tables.hasLeftovers() }
            if !tables.hasNoLeftovers, sweeps() { _ = try sweep() }
            try store.finish()
            let history = try store.history()
            connection.resetStatements()
            try connection.run("COMMIT")
            store.parts[0].step.after.history?.settle(history)
        } catch {
            connection.resetStatements()
            // SQLite has rolled back already if the disk is full.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            (hasNothingToClean, tables.hasNoLeftovers) = (false, false)
            store.fail()
            throw error
        }
        if tables.mustClean { try clean() }
        logPreallocation.extend(connection)
        return result
    }

    private func begin() throws {
        try connection.run("BEGIN IMMEDIATE")
        do {
            try number()
            if hasNothingToClean { return }
            hasNothingToClean = try connection.number("SELECT value FROM meta WHERE name = 'erasure_pending'") ?? 0 == 0
            if hasNothingToClean { return }
            try connection.run("ROLLBACK")
            try clean()
            try connection.run("BEGIN IMMEDIATE")
            try number()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func number() throws {
        let (others, last) = (try dataVersion(), store.parts[0].step.after)
        var before: StoreVersion?
        if others != last.others {
            (hasNothingToClean, tables.hasNoLeftovers) = (false, false)
            before = StoreVersion(others: others, write: last.write, history: PartitionHistory(try store.history()))
        }
        store.begin(after: store.parts[0].begin(others: others, at: before, leaving: PartitionHistory()))
    }

    /// Removes some leftovers of shadows.
    /// - Returns: true if there are more leftovers to remove.
    func sweep() throws -> Bool { try tables.sweep(options.sweptRows) }

    /// Rewrites the file without deleted rows, and empties the log.
    ///
    /// `secure_delete` overwrites deleted cells with zeros. But when SQLite moves cells between pages, it may leave
    /// copies. Only `VACUUM` removes the copies.
    private func clean() throws {
        hasNothingToClean = false
        do {
            try connection.execute("VACUUM")
            try connection.check(emptyLog(waiting: options.readerTimeout))
            try connection.run("UPDATE meta SET value = 0 WHERE name = 'erasure_pending'")
            // The log now contains only this update, so it need not be emptied.
            _ = emptyLog(waiting: 0)
        } catch let error as StoreError {
            throw StoreError(
                .erasureIncomplete,
                "the learner is erased, but old copies may still be in \(connection.name): \(error.message)."
                    + " The next write finishes the work",
                sqliteCode: error.sqliteCode
            )
        }
    }

    /// Moves the log into the file, and empties it.
    /// - Parameter seconds: how long to wait for readers.
    /// - Returns: SQLite's result code.
    private func emptyLog(waiting seconds: Double) -> Int32 {
        sqlite3_busy_timeout(connection.handle, Int32(seconds * 1000))
        defer { sqlite3_busy_timeout(connection.handle, 5000) }
        return sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
}
