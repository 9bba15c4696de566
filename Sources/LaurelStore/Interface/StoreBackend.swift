// SPDX-License-Identifier: Apache-2.0

/// The location of a store: a file or a database. No other code decides which of the two a location is.
package enum StoreBackend: Sendable, Hashable {
    /// The file's path.
    case file(String)
    /// The database's address, as `PostgreSQLLocation` reads it.
    case database(String)

    package init(_ location: String) {
        let isAddress = PostgreSQLLocation.schemes.contains { location.hasPrefix($0) }
        self = isAddress ? .database(location) : .file(location)
    }

    /// Opens the store.
    /// - Throws: ``StoreError``.
    package func open(mode: StoreMode, options: StoreOptions = StoreOptions()) throws -> any EventStore {
        switch self {
        case .file(let path): try SQLiteStore(path: path, mode: mode, options: options)
        case .database(let address): try PostgreSQLStore(address, mode: mode, options: options)
        }
    }

    /// The name for people and logs, without a password.
    package var name: String {
        switch self {
        case .file(let path): path
        // An address that cannot be parsed may contain a password anywhere.
        case .database(let address): (try? PostgreSQLLocation(address).name) ?? "postgresql://…"
        }
    }
}
