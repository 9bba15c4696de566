// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Opens connections for a store, and refuses servers that do not meet its requirements.
struct PostgreSQLServer: Sendable {
    let location: PostgreSQLLocation
    let mode: StoreMode
    let options: StoreOptions
    /// True if the store's partitions are on several servers. Then each statement locks and writes only one partition.
    var isDistributed = false

    /// The connection settings, in order of increasing priority: the defaults, the address, and the required settings.
    private var settings: [(keyword: String, value: String)] {
        let usual = [
            ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"),
            ("keepalives_interval", "10"), ("keepalives_count", "3"), ("fallback_application_name", "laurel"),
        ]
        let required =
            [("client_encoding", "UTF8")] + (mode == .readWrite ? [("target_session_attrs", "read-write")] : [])
        return usual + [("dbname", location.address)] + required
    }

    /// Opens a connection.
    /// - Throws: ``DatabaseError`` if no server answers, ``StoreError`` if the server does not meet the requirements.
    func connect() throws -> DatabaseConnection {
        let connection: DatabaseConnection
        do {
            connection = try DatabaseConnection(settings)
        } catch var error as DatabaseError {
            // libpq's message would repeat the address, with the password in it.
            if !location.isReadable { error.message = "the address is not one that libpq can read" }
            throw error
        }
        guard connection.serverVersion >= PostgreSQLSchema.oldestServer else {
            throw StoreError(
                .misuse,
                "\(location.name) is PostgreSQL \(connection.serverVersion / 10_000); a store needs 13 or later"
            )
        }
        let facts = try connection.rows(TransactionSQL.server.rawValue)[0]
        if mode == .readWrite { try check(facts) }
        // A pooler reports another process id than the server's. Prepared statements are not safe with a pooler.
        let isDirect = connection.announcedProcess == facts.integer(5)
        connection.preparesStatements = location.preparesStatements ?? isDirect
        return connection
    }

    /// Checks that the server meets the store's requirements.
    /// - Parameter row: the row of ``TransactionSQL/server``.
    private func check(_ row: Row) throws {
        guard row.string(2) == "UTF8" else {
            throw StoreError(
                .misuse,
                "\(location.name) has the encoding \(row.string(2)); a store needs a database with the encoding UTF8"
            )
        }
        guard location.checksDurability, !options.acceptsLossyServer else { return }
        for (column, setting) in ["fsync", "synchronous_commit"].enumerated() where row.string(column) == "off" {
            throw StoreError(
                .misuse,
                "\(location.name): with \(setting) = off the server may lose what it has acknowledged; turn it on,"
                    + " or add durability=unchecked to the address"
            )
        }
    }

    /// Runs `body` in a separate transaction, with the store's schema set.
    func inTransaction<T>(
        _ connection: DatabaseConnection,
        lockTimeout milliseconds: Int,
        _ body: (DatabaseConnection) throws -> T
    ) throws -> T {
        do {
            try beginWriting(connection, lockTimeout: milliseconds)
            let result = try body(connection)
            guard try connection.commit() == "COMMIT" else {
                throw DatabaseError(sqlState: "25P02", message: "the transaction was rolled back")
            }
            return result
        } catch {
            _ = connection.rollBack()
            throw error
        }
    }

    /// Begins a writing transaction, with the store's schema set.
    func beginWriting(_ connection: DatabaseConnection, lockTimeout milliseconds: Int) throws {
        let timeout = "\(max(1, milliseconds))"
        try connection.send(TransactionSQL.beginWriting.rawValue)
        try connection.send(
            TransactionSQL.settings.rawValue,
            [.text(location.searchPath), .text(timeout), .text("\(Int(options.idleTransactionTimeout * 1000))")]
        )
        guard isDistributed else { return }
        // The coordinator passes only this form on to the servers that have the rows.
        try connection.send("SET LOCAL citus.propagate_set_commands = 'local'")
        try connection.send("SET LOCAL lock_timeout = \(timeout)")
    }
}

extension TransactionSQL {
    /// Begins a transaction that reads one state. The editions that it reads cannot be dropped before its end.
    /// - Parameter snapshot: the snapshot of another transaction; nil for the current state.
    static func read(_ connection: DatabaseConnection, _ location: PostgreSQLLocation, of snapshot: String? = nil)
        throws
    {
        try connection.send(beginReading.rawValue)
        // The server accepts this statement only before the first query of the transaction.
        if let snapshot { try connection.send("SET TRANSACTION SNAPSHOT '\(snapshot)'") }
        try connection.send("SET LOCAL search_path = \(location.searchPath)")
        try connection.send(keepEditions.rawValue)
    }
}
