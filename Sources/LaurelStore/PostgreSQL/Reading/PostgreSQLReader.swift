// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// A connection, and the session that reads all partitions through it.
final class PostgreSQLReader: @unchecked Sendable {
    let connection: DatabaseConnection
    private let tables: PostgreSQLTables
    let session: StoreSession

    init(_ connection: DatabaseConnection, _ server: PostgreSQLServer, partitions: Int) {
        self.connection = connection
        let options = server.options
        tables = PostgreSQLTables(server.location, partitionCount: partitions, isDistributed: server.isDistributed)
        // The limits are those of a writer to one partition, so that readers and writers agree on the merges that are
        // due.
        var own = options.shared(among: partitions)
        own.cachedBlocks = options.cachedBlocks
        session = StoreSession(tables, own)
    }

    /// Begins a transaction. Until ``end()``, the session sees the current state of the store.
    /// - Parameter snapshot: the snapshot of another transaction; nil for the current state.
    /// - Throws: ``DatabaseError``, or ``StoreError`` if the store has a later format.
    func begin(of snapshot: String? = nil) throws {
        do {
            try TransactionSQL.read(connection, tables.location, of: snapshot)
            let found = try connection.rows(
                of: [(TransactionSQL.readPartition.rawValue, [.integer(0)]), (TransactionSQL.readStore.rawValue, [])]
            )
            let facts = try StoreFacts(found[1][0], tables.location)
            tables.begin(connection, facts, [PartitionRow(found[0][0])])
            session.learn(facts)
        } catch {
            _ = connection.rollBack()
            throw error
        }
    }

    /// Begins a transaction in which every server of a Citus cluster has a snapshot. Citus takes each snapshot when the
    /// transaction first uses the server, and one connection to each server is one snapshot.
    func beginOnAllServers() throws {
        try begin()
        try connection.send("SET LOCAL citus.max_adaptive_executor_pool_size = 1")
        _ = try connection.rows(TransactionSQL.takeSnapshots.rawValue)
    }

    func end() {
        tables.end()
        _ = connection.rollBack()
    }
}

extension StoreSession {
    func learn(_ facts: StoreFacts) {
        learn(rulesKey: facts.rulesKey, foldVersion: facts.fold, firstCommit: facts.firstCommit)
    }
}

extension PostgreSQLSchema {
    /// Refuses a format that this program does not know, and an older format that must be migrated first.
    static func check(_ format: Int64, _ location: PostgreSQLLocation) throws {
        try StoreError.check(format, of: location.name, readable: readableFormats)
        guard format == PostgreSQLSchema.format else {
            throw StoreError(
                .misuse,
                "\(location.name) has store format \(format), this program needs \(PostgreSQLSchema.format): end all that use the"
                    + " store, and have its owner run `laurel store migrate`"
            )
        }
    }
}

/// The readers of a store. Readers that are not in use are kept for later reads.
final class ReaderPool: Sendable {
    private let server: PostgreSQLServer
    private let partitions: Int
    private let lock = Lock()
    /// The readers that are not in use. Accessed only while `lock` is held.
    nonisolated(unsafe) private var idle: [PostgreSQLReader] = []

    init(_ server: PostgreSQLServer, partitions: Int) { (self.server, self.partitions) = (server, partitions) }

    func take() throws -> PostgreSQLReader {
        if let reader = lock.withLock({ idle.popLast() }) { return reader }
        return PostgreSQLReader(try server.connect(), server, partitions: partitions)
    }

    func release(_ reader: PostgreSQLReader) {
        guard reader.connection.isIdle else { return }
        lock.withLock {
            if idle.count < server.options.idleReaders { idle.append(reader) }
        }
    }

    /// Closes idle connections. Must be called after a failover or a restart of the server.
    func removeAll() {
        let old = lock.withLock {
            defer { idle = [] }
            return idle
        }
        withExtendedLifetime(old) {}
    }

    /// Returns a reader that has begun a transaction.
    func begin() throws -> PostgreSQLReader {
        try retrying { reader in
            try reader.begin()
            return reader
        }
    }

    func end(_ reader: PostgreSQLReader) {
        reader.end()
        release(reader)
    }

    /// Runs `body` with a connection that has no open transaction. Runs `body` again if the connection is lost.
    func withConnection<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        try retrying { reader in
            let result = try body(reader.connection)
            release(reader)
            return result
        }
    }

    private func retrying<T>(_ body: (PostgreSQLReader) throws -> T) throws -> T {
        var retrying = Retrying(until: Deadline(seconds: server.options.lockTimeout))
        do {
            return try retrying.run { _ in
                let reader = try take()
                do {
                    return try body(reader)
                } catch {
                    // If one connection is lost, the server has restarted, and all idle connections are lost.
                    if reader.connection.isLost { removeAll() } else { release(reader) }
                    throw error
                }
            }
        } catch {
            throw translated(error)
        }
    }

    func translated(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0, server.location) } ?? error
    }
}
