// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The location of a store: a file, or the address of a database.
public struct StoreLocation: Sendable, Hashable, CustomStringConvertible {
    /// The location as given; an address may contain a password.
    public let text: String

    /// - Parameter text: a file's path, or `postgresql://…`.
    public init(_ text: String) { self.text = text }

    /// True if the store is in a database, not in a file.
    public var isDatabase: Bool { if case .database = StoreBackend(text) { true } else { false } }

    /// The location without a password, for messages and logs.
    public var description: String { StoreBackend(text).name }
}
