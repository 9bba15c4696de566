// SPDX-License-Identifier: Apache-2.0

/// Where a store is: the one place that tells a file from a database.
package enum StoreBackend: Sendable, Hashable {
    /// A path.
    case file(String)
    /// An address, as `PostgreSQLLocation` reads it.
    case database(String)

    package init(_ location: String) {
        let isAddress = PostgreSQLLocation.schemes.contains { location.hasPrefix($0) }
        self = isAddress ? .database(location) : .file(location)
    }

    /// - Throws: ``StoreError``.
    package func open(mode: StoreMode, options: StoreOptions = StoreOptions()) throws -> any EventStore {
        switch self {
        case .file(let path): try SQLiteStore(path: path, mode: mode, options: options)
        case .database(let address): try PostgreSQLStore(address, mode: mode, options: options)
        }
    }

    /// For people, and for logs: without a password.
    package var name: String {
        switch self {
        case .file(let path): path
        // What cannot be read may have a password anywhere.
        case .database(let address): (try? PostgreSQLLocation(address).name) ?? "postgresql://…"
        }
    }
}
