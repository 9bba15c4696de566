// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLStore {
    /// The default number of partitions. One transaction at a time can write to a partition.
    package static let defaultPartitions = 256
    package static let possiblePartitions = 1...1024

    /// Creates the schema, if it does not exist, and the tables in it.
    /// - Parameters:
    ///   - partitions: the number of partitions, which cannot be changed later.
    ///   - isDistributed: true to distribute the tables over the servers of a Citus cluster.
    /// - Throws: ``StoreError`` of code `misuse` if the schema already contains a store.
    package static func create(
        _ location: String,
        partitions: Int = defaultPartitions,
        isDistributed: Bool = false
    ) throws {
        guard possiblePartitions.contains(partitions) else {
            throw StoreError(
                .misuse,
                "a store has from 1 to \(possiblePartitions.upperBound) partitions, not \(partitions)"
            )
        }
        try changeSchema(location) { connection, location in
            let found = try connection.rows(TransactionSQL.hasStore.rawValue, [.text(location.schema)])[0]
            guard !found.truth(0) else {
                throw StoreError(.misuse, "there is a store in schema \(location.schema) of \(location.name) already")
            }
            if !found.truth(1) { try connection.send("CREATE SCHEMA \(location.schema)") }
            for statement in PostgreSQLSchema.statements(partitions: partitions) { try connection.send(statement) }
            if isDistributed { try PostgreSQLSchema.distribute(connection, location) }
        }
    }

    /// Migrates the tables of an older format to the current format.
    static func migrate(_ location: String) throws {
        try changeSchema(location) { connection, _ in try PostgreSQLSchema.migrate(connection) }
    }

    /// Runs `body` in a transaction that changes the schema. Only one process at a time can run such a transaction.
    private static func changeSchema(
        _ location: String,
        _ body: (DatabaseConnection, PostgreSQLLocation) throws -> Void
    ) throws {
        let location = try PostgreSQLLocation(location)
        let options = StoreOptions()
        let server = PostgreSQLServer(location: location, mode: .readWrite, options: options)
        do {
            try server.inTransaction(try server.connect(), lockTimeout: Int(options.lockTimeout * 1000)) { connection in
                _ = try connection.rows(TransactionSQL.lockCreation.rawValue, [.text("laurel \(location.schema)")])
                try body(connection, location)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }

    /// Reads the status of a store. A missing store is no error: the status then has no format.
    /// - Throws: ``StoreError`` if the server cannot be reached.
    package static func status(_ location: String) throws -> PostgreSQLStatus {
        let location = try PostgreSQLLocation(location)
        let server = PostgreSQLServer(location: location, mode: .readOnly, options: StoreOptions())
        var status = PostgreSQLStatus()
        (status.name, status.schema) = (location.name, location.schema)
        do {
            let connection = try server.connect()
            status.serverVersion = connection.serverVersion
            try connection.send(TransactionSQL.beginReading.rawValue)
            try connection.send("SET LOCAL search_path = \(location.searchPath)")
            let facts = try connection.rows(TransactionSQL.server.rawValue)[0]
            status.fsync = facts.string(0) != "off"
            status.synchronousCommit = facts.string(1)
            status.hasChecksums = facts.string(3) == "on"
            let found = try connection.rows(TransactionSQL.hasStore.rawValue, [.text(location.schema)])[0]
            if found.truth(0) { try status.read(connection) }
            _ = connection.rollBack()
            // This query runs outside of the transaction above, which would be read-only on any server.
            status.isReadOnly = try connection.rows(TransactionSQL.server.rawValue)[0].truth(4)
            return status
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }
}

extension PostgreSQLStatus {
    fileprivate mutating func read(_ connection: DatabaseConnection) throws {
        let store = try connection.rows(TransactionSQL.readStore.rawValue)[0]
        format = store.integer(0)
        partitions = Int(store.integer(1))
        guard PostgreSQLSchema.readableFormats.contains(store.integer(0)) else { return }
        let counts = try connection.rows(TransactionSQL.statusOfPartitions.rawValue)[0]
        writes = counts.integer(0)
        isBuildingShadow = counts.integer(1) > 0
        let stored = try connection.rows(CheckedSQL.countLearners.rawValue)[0]
        (learners, events) = (Int(stored.integer(0)), Int(stored.integer(1)))
        bytes = try AdministrationSQL.sizes(in: schema, connection).reduce(0) { $0 + $1.bytes }
    }
}
