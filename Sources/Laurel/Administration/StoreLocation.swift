// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// Where a store is: a file, or a database's address.
public struct StoreLocation: Sendable, Hashable, CustomStringConvertible {
    /// As it was given; an address may have a password in it.
    public let text: String

    /// - Parameter text: a file's path, or `postgresql://…`.
    public init(_ text: String) { self.text = text }

    /// Whether it is in a database: then it is no file, and does not lie in a folder.
    public var isDatabase: Bool { if case .database = StoreBackend(text) { true } else { false } }

    /// For people and for logs: without a password.
    public var description: String { StoreBackend(text).name }
}
