// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Laurel
import LaurelEvents

/// A key to a service, as the store keeps it: not the key itself, but its hash.
public struct AccessKey: Codable, Sendable, Hashable, Identifiable {
    /// The part of the key that is no secret.
    public var id: String
    /// SHA-256 of the whole key, hexadecimal.
    var hash: String
    public var scopes: [Scope]
    /// The source that events sent with it must have.
    public var source: String?
    /// The learner whom it is for alone.
    public var learner: String?
    public var createdAt: Date
    public var expiresAt: Date?

    static let prefix = "laurel_"

    /// A new key.
    /// - Returns: with the key as whoever uses it sends it; it cannot be had again.
    static func make(scopes: [Scope], source: String?, learner: String?, expiresAt: Date?, at date: Date) -> (
        key: AccessKey, secret: String
    ) {
        let id = Secrets.random(6).hexadecimal
        let secret = "\(prefix)\(id)_\(Base64URL.encode(Secrets.random(32)))"
        let key = AccessKey(
            id: id,
            hash: SHA256.hash(Array(secret.utf8)).hexadecimal,
            scopes: scopes,
            source: source,
            learner: learner,
            createdAt: date,
            expiresAt: expiresAt
        )
        return (key, secret)
    }

    /// The id in what looks like a key; nil where it does not.
    static func id(in secret: String) -> String? {
        guard secret.hasPrefix(prefix) else { return nil }
        let rest = secret.dropFirst(prefix.count)
        return rest.firstIndex(of: "_").map { String(rest[..<$0]) }
    }

    func isSecret(_ secret: String) -> Bool {
        Secrets.areEqual(Array(SHA256.hash(Array(secret.utf8)).hexadecimal.utf8), Array(hash.utf8))
    }

    var caller: Caller { Caller(name: id, scopes: Set(scopes), learner: learner, source: source) }
}

extension AccessKey {
    /// What is told of a key; its hash is nobody's business.
    public struct Listing: Codable, Sendable, Hashable {
        public var id: String
        public var scopes: [Scope]
        public var source: String?
        public var learner: String?
        public var createdAt: Date
        public var expiresAt: Date?
    }

    public var listing: Listing {
        Listing(
            id: id,
            scopes: scopes,
            source: source,
            learner: learner,
            createdAt: createdAt,
            expiresAt: expiresAt
        )
    }
}

/// The keys of a store, for the command that manages them.
public struct AccessKeys: Sendable {
    private let engine: ProgressEngine

    public init(_ engine: ProgressEngine) { self.engine = engine }

    /// Oldest first.
    public func all() throws(EngineError) -> [AccessKey] {
        ServiceRecords(try engine.serviceRecords(prefix: ServiceRecords.keys)).keys.sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    /// Adds one.
    /// - Returns: with the key as whoever uses it sends it; it cannot be had again.
    public func add(
        _ scopes: [Scope],
        source: String? = nil,
        learner: String? = nil,
        expiresAt: Date? = nil,
        at date: Date = Date()
    ) throws(EngineError) -> (key: AccessKey, secret: String) {
        let made = AccessKey.make(scopes: scopes, source: source, learner: learner, expiresAt: expiresAt, at: date)
        try engine.setServiceRecords([ServiceRecords.name(ofKey: made.key.id): ServiceRecords.text(made.key)])
        return made
    }

    /// Takes one back; a service that runs notices within seconds.
    /// - Returns: false where there is none of that id.
    public func revoke(_ id: String) throws(EngineError) -> Bool {
        guard try all().contains(where: { $0.id == id }) else { return false }
        try engine.setServiceRecords([ServiceRecords.name(ofKey: id): nil])
        return true
    }
}
