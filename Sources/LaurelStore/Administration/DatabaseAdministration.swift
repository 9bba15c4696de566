// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// What is done with a store in a database as a whole, by whoever runs it: made, looked at, its users let in.
package struct DatabaseAdministration {
    private let address: String
    private let place: PostgreSQLLocation

    /// - Parameter address: as ``PostgreSQLStore`` takes it.
    package init(_ address: String) throws {
        self.address = address
        place = try PostgreSQLLocation(address)
    }

    /// Makes the tables, and lets roles in. Where there is a store, it only lets roles in.
    /// - Parameters:
    ///   - buckets: of a store that is made.
    ///   - isDistributed: over the servers of a Citus cluster.
    /// - Returns: whether there was none.
    /// - Throws: ``StoreError``; of code `alreadyExists` where there is a store and nobody is to be let in.
    package func create(_ roles: DatabaseRoles, buckets: Int, isDistributed: Bool = false) throws -> Bool {
        // What cannot be finished is not begun.
        try connected { try roles.make($0) }
        let exists = try PostgreSQLStore.status(address).format != nil
        guard !exists || !roles.isEmpty else {
            throw StoreError(.alreadyExists, "there is a store in schema \(place.schema) of \(place.name) already")
        }
        if !exists { try PostgreSQLStore.create(address, buckets: buckets, isDistributed: isDistributed) }
        try connected { try roles.grant(in: place.schema, $0) }
        return !exists
    }

    /// Brings the tables to the newest format.
    /// - Returns: the format that they had.
    /// - Throws: ``StoreError`` of code `notFound`, `newerFormat` or `olderFormat`.
    package func migrate() throws -> Int {
        let status = try PostgreSQLStore.status(address)
        guard let format = status.format else { throw StoreError(.notFound, StoreError.noStore(place)) }
        try StoreError.check(format, of: place.name, known: status.knownFormats)
        if format < status.knownFormats.upperBound { try PostgreSQLStore.migrate(address) }
        return Int(format)
    }

    package func examine() throws -> DatabaseExamination {
        let status = try PostgreSQLStore.status(address)
        return try connected { try DatabaseExamination(status, $0) }
    }

    private func connected<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        do {
            let server = PostgreSQLServer(place: place, mode: .readOnly, options: StoreOptions())
            return try body(try server.connect())
        } catch let error as DatabaseError {
            throw StoreError(error, place)
        }
    }
}
