// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// A schema with plain tables in a PostgreSQL database. Its name is the name of the schema in a store's address,
/// followed by `_tables`. So a store's own address is also the address of tables beside that store.
package final class PlainSchema {
    package let name: String
    /// The location without a password, for messages.
    package let location: String
    private let address: PostgreSQLLocation
    private let connection: DatabaseConnection

    /// Connects to the server.
    /// - Throws: ``StoreError`` if the address is invalid, or the server cannot be reached.
    package init(_ address: String) throws {
        let place = try PostgreSQLLocation(address)
        (self.address, name, location) = (place, "\(place.schema)_tables", place.name)
        do {
            connection = try PostgreSQLServer(location: place, mode: .readWrite, options: StoreOptions()).connect()
        } catch let error as DatabaseError {
            throw StoreError(error, place)
        }
    }

    /// Runs `body` in a transaction. In it, table names without a schema refer to this schema.
    package func transaction(_ body: () throws -> Void) throws {
        do {
            try connection.send("BEGIN")
            try connection.send("SET LOCAL search_path = \(name), pg_temp")
            try body()
            guard try connection.commit() == "COMMIT" else {
                throw DatabaseError(sqlState: "25P02", message: "the transaction was rolled back")
            }
        } catch {
            _ = connection.rollBack()
            throw translated(error)
        }
    }

    /// Sends a statement. If the statement fails, ``transaction(_:)`` throws its error.
    package func run(_ sql: String, _ values: [PlainValue] = []) throws {
        try connection.send(sql, values.map(\.parameter))
    }

    /// The rows of a query. All columns of the query must be texts.
    package func texts(_ sql: String) throws -> [[String]] {
        do {
            let rows = try connection.rows(sql)
            return rows.map { row in (0..<rows.width).map { row.string($0) } }
        } catch {
            throw translated(error)
        }
    }

    private func translated(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0, address) } ?? error
    }
}

/// A value for a column of a plain table.
package enum PlainValue {
    case text([UInt8]?)
    case integer(Int64?)
    case real(Double?)

    fileprivate var parameter: Parameter {
        switch self {
        case .text(let text): .text(text.map(StoredText.stored))
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        }
    }
}
