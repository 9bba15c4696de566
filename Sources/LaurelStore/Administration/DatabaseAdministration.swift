// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Administration of a store in a database as a whole: creating it, examining it, and granting access.
package struct DatabaseAdministration {
    private let address: String
    private let location: PostgreSQLLocation

    /// - Parameter address: an address as for ``PostgreSQLStore``.
    package init(_ address: String) throws {
        self.address = address
        location = try PostgreSQLLocation(address)
    }

    /// Creates the tables and grants access to roles. If a store exists, it only grants access.
    /// - Parameters:
    ///   - partitions: the number of partitions of a new store.
    ///   - isDistributed: true to distribute the tables over the servers of a Citus cluster.
    /// - Returns: true if the store was created.
    /// - Throws: ``StoreError``; with code `alreadyExists` if a store exists and no roles are given.
    package func create(_ roles: DatabaseRoles, partitions: Int, isDistributed: Bool = false) throws -> Bool {
        // Roles are created first, so that a failure does not leave a store without them.
        try connected { try roles.make($0) }
        let exists = try PostgreSQLStore.status(address).format != nil
        guard !exists || !roles.isEmpty else {
            throw StoreError(
                .alreadyExists,
                "there is a store in schema \(location.schema) of \(location.name) already"
            )
        }
        if !exists { try PostgreSQLStore.create(address, partitions: partitions, isDistributed: isDistributed) }
        try connected { try roles.grant(in: location.schema, $0) }
        return !exists
    }

    /// Converts the tables to the newest format.
    /// - Returns: the previous format.
    /// - Throws: ``StoreError``; with code `notFound`, `newerFormat` or `olderFormat` if there is no supported store.
    package func migrate() throws -> Int {
        let status = try PostgreSQLStore.status(address)
        guard let format = status.format else { throw StoreError(.notFound, StoreError.noStore(location)) }
        try StoreError.check(format, of: location.name, readable: status.readableFormats)
        if format < status.readableFormats.upperBound { try PostgreSQLStore.migrate(address) }
        return Int(format)
    }

    package func examine() throws -> DatabaseExamination {
        let status = try PostgreSQLStore.status(address)
        return try connected { try DatabaseExamination(status, $0) }
    }

    private func connected<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        do {
            let server = PostgreSQLServer(location: location, mode: .readOnly, options: StoreOptions())
            return try body(try server.connect())
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }
}
