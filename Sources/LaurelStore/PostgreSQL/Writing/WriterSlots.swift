// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelPostgreSQL

/// The resources of one writing transaction: a connection, which is reused, and buffers for encoding. Used by one
/// thread at a time.
final class WriterSlot: @unchecked Sendable {
    let server: PostgreSQLServer
    let codecs: SessionCodecs
    private(set) var connection: DatabaseConnection?

    private var location: PostgreSQLLocation { server.location }

    init(_ server: PostgreSQLServer) {
        self.server = server
        codecs = SessionCodecs(server.options)
    }

    fileprivate func connected() throws -> DatabaseConnection {
        if let connection { return connection }
        let new = try server.connect()
        connection = new
        return new
    }

    /// Runs `body` with the connection, outside of transactions.
    func withConnection<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        let connection = try connected()
        defer { if !connection.isIdle { self.connection = nil } }
        return try body(connection)
    }

    // MARK: Transactions

    /// Begins a transaction, and waits until no other transaction writes to the partitions.
    /// - Parameter partitions: ascending.
    func begin(
        _ partitions: [Int],
        _ tables: PostgreSQLTables,
        before deadline: Deadline
    ) throws -> StoreFacts {
        var retrying = Retrying(until: deadline)
        do {
            let (rows, facts) = try retrying.run { milliseconds in
                let connection = try connected()
                do {
                    let found = try lock(partitions, tables, connection, milliseconds)
                    guard let first = found.facts.nextFirstCommit else { return found }
                    // The number is written in a separate transaction, so that other writers need not wait.
                    guard connection.rollBack() else {
                        throw DatabaseError(sqlState: "08006", message: "the connection broke", isConnectionLost: true)
                    }
                    try server.inTransaction(connection, lockTimeout: milliseconds) { connection in
                        let names = Parameter.stored(["commits", "server"].map { Array($0.utf8) })
                        let values = Parameter.integers([first, found.facts.server])
                        try connection.send(TransactionSQL.noteServer.rawValue, [names, values])
                    }
                    return try lock(partitions, tables, connection, milliseconds)
                } catch {
                    // The next attempt may succeed on a new connection. SQLSTATE 25006: this server permits only
                    // reading.
                    if !connection.rollBack() || (error as? DatabaseError)?.sqlState == "25006" {
                        self.connection = nil
                    }
                    throw error
                }
            }
            tables.begin(connection!, facts, rows, holding: partitions)
            return facts
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }

    private func lock(
        _ partitions: [Int],
        _ tables: PostgreSQLTables,
        _ connection: DatabaseConnection,
        _ milliseconds: Int
    ) throws -> (rows: [PartitionRow], facts: StoreFacts) {
        _ = connection.drainNotices()
        try server.beginWriting(connection, lockTimeout: milliseconds)
        let locks = TransactionSQL.lock(partitions, isDistributed: server.isDistributed)
        let found = try connection.rows(of: locks + [(TransactionSQL.readStore.rawValue, [])])
        let (locked, store) = (found.dropLast().joined().map(PartitionRow.init), found[locks.count])
        let facts = try StoreFacts(store[0], location)
        guard locked.count == partitions.count, store[0].integer(1) == Int64(tables.partitionCount) else {
            throw StoreError(.corrupt, "\(location.name) is damaged (a partition is missing); \(StoreError.advice)")
        }
        return (locked, facts)
    }

    /// Commits the transaction. Callers acknowledge the transaction's writes, and also the state that it has read. So
    /// the commit waits until both are durable. The read state may need this wait, because the commit that made it may
    /// not have waited for a standby.
    /// - Parameter written: the partitions that have changed.
    func commit(_ written: [HeldPartition]) throws {
        guard let connection else { throw StoreError(.misuse, "no transaction is under way") }
        do {
            if written.count > 1, !server.isDistributed {
                try connection.send(TransactionSQL.writePartitions.rawValue, PartitionRow.parameters(written))
            } else {
                for held in written {
                    try connection.send(
                        TransactionSQL.writePartition.rawValue,
                        held.row.parameters(held.partition, held.found.version)
                    )
                }
            }
            let tag = try connection.commit()
            guard tag == "COMMIT" else {
                throw StoreError(
                    .unavailable,
                    "\(location.name) has rolled the write back (\(tag)); nothing was changed"
                )
            }
        } catch let error as DatabaseError where error.hasUnknownOutcome {
            throw StoreError.outcomeUnknown("the connection broke (\(error.message))", location)
        } catch let error as DatabaseError where error.sqlState == "22012" {
            throw StoreError(
                .unavailable,
                "\(location.name): another process has written meanwhile; nothing was changed"
            )
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
        if let warning = connection.drainNotices().first(where: { $0.severity == "WARNING" }) {
            // A warning appears if the wait for a standby was cancelled. The write is stored on this server, and
            // perhaps on no other.
            throw StoreError.outcomeUnknown("the server gave a warning (\(warning.message))", location)
        }
        if !connection.isIdle { self.connection = nil }
    }

    /// Rolls the transaction back.
    func rollBack() {
        if connection?.rollBack() == false { connection = nil }
    }
}

/// A bounded number of writer slots. Further writers wait for a free slot.
final class WriterSlots: Sendable {
    private let server: PostgreSQLServer
    private let free: DispatchSemaphore
    private let lock = Lock()
    /// The slots that are not in use; the one used last is at the end. Accessed only while `lock` is held.
    nonisolated(unsafe) private var idle: [WriterSlot] = []

    init(_ server: PostgreSQLServer) {
        self.server = server
        free = DispatchSemaphore(value: max(1, server.options.writerConnections))
    }

    /// - Parameter deadline: the end of the wait for a free slot; nil for the store's time-out from now on.
    /// - Throws: ``StoreError`` of code `busy` if no slot becomes free in time.
    func withOne<T>(before deadline: Deadline? = nil, _ body: (WriterSlot) throws -> T) throws -> T {
        let deadline = deadline ?? Deadline(seconds: server.options.lockTimeout)
        guard free.wait(timeout: deadline.time) == .success else {
            throw StoreError(
                .busy,
                "all connections of this process to \(server.location.name) are busy writing; try again"
            )
        }
        defer { free.signal() }
        let slot = lock.withLock { idle.popLast() } ?? WriterSlot(server)
        defer { lock.withLock { idle.append(slot) } }
        return try body(slot)
    }

    /// Closes the idle slots.
    func close() { lock.withLock { idle.removeAll() } }
}
