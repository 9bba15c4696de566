// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Laurel
import LaurelEvents

/// The terms of a new key.
public struct KeyGrant: Sendable, Hashable {
    /// For people, such as `Anna's phone`.
    public var name: String?
    public var scopes: [Scope]
    /// The source that events sent with the key must have.
    public var source: String?
    /// The only learner whom the key is for.
    public var learner: String?
    /// Event types that the key may send beside the ordinary ones, such as `xp.adjusted`.
    public var types: [String]?
    /// The only cohorts whose learners the key may see.
    public var cohorts: [String]?
    /// nil: never.
    public var expiresAt: Date?

    public init(
        name: String? = nil,
        _ scopes: [Scope],
        source: String? = nil,
        learner: String? = nil,
        types: [String]? = nil,
        cohorts: [String]? = nil,
        expiresAt: Date? = nil
    ) {
        (self.name, self.scopes, self.source, self.learner) = (name, scopes, source, learner)
        (self.types, self.cohorts, self.expiresAt) = (types, cohorts, expiresAt)
    }

    /// Seconds that a key holds where nothing else is asked for: one year.
    public static let lifetime = 365.0 * 86_400

    /// The reason why these terms make no key; nil if they do.
    public func problem(at date: Date = Date()) -> String? {
        if scopes.isEmpty { return "a key needs a scope: \(Scope.names)" }
        if learner != nil, !scopes.allSatisfy({ [.ingest, .read].contains($0) }) {
            return "a key for one learner has the scopes ingest and read at most"
        }
        if cohorts != nil, scopes != [.read] { return "a key for cohorts has the scope read alone" }
        if learner != nil, cohorts != nil { return "a key is for one learner or for cohorts, not for both" }
        if types != nil, !scopes.contains(.ingest) { return "types need the scope ingest" }
        for (what, list) in [("types", types), ("cohorts", cohorts)] {
            if let list, list.isEmpty || list.contains("") { return "\(what) must name something, or be left out" }
        }
        if let expiresAt, expiresAt <= date { return "the key would have ended already" }
        return nil
    }
}

/// A key to a service as the store keeps it: its hash in place of the key.
public struct AccessKey: Codable, Sendable, Hashable, Identifiable {
    /// The part of the key that is no secret.
    public var id: String
    /// SHA-256 of the whole key, hexadecimal.
    var hash: String
    public var name: String?
    public var scopes: [Scope]
    /// See ``KeyGrant/source``.
    public var source: String?
    public var learner: String?
    public var types: [String]?
    public var cohorts: [String]?
    /// The id of the key that made it, `dashboard`, or the user of the command; nil for keys of version 0.2.
    public var madeBy: String?
    public var createdAt: Date
    /// nil: never.
    public var expiresAt: Date?

    static let prefix = "laurel_"

    /// A new key.
    /// - Returns: the key for the store, and the secret that its user sends. The secret cannot be had again.
    static func make(_ grant: KeyGrant, by maker: String, at date: Date) -> (key: AccessKey, secret: String) {
        let id = Secrets.random(6).hexadecimal
        let secret = "\(prefix)\(id)_\(Base64URL.encode(Secrets.random(32)))"
        let key = AccessKey(
            id: id,
            hash: SHA256.hash(Array(secret.utf8)).hexadecimal,
            name: grant.name,
            scopes: grant.scopes,
            source: grant.source,
            learner: grant.learner,
            types: grant.types,
            cohorts: grant.cohorts,
            madeBy: maker,
            createdAt: date,
            expiresAt: grant.expiresAt
        )
        return (key, secret)
    }

    /// The id in a text that looks like a key; nil in any other.
    static func id(in secret: String) -> String? {
        guard secret.hasPrefix(prefix) else { return nil }
        let rest = secret.dropFirst(prefix.count)
        return rest.firstIndex(of: "_").map { String(rest[..<$0]) }
    }

    func isSecret(_ secret: String) -> Bool {
        Secrets.areEqual(Array(SHA256.hash(Array(secret.utf8)).hexadecimal.utf8), Array(hash.utf8))
    }

    func isValid(at date: Date) -> Bool { expiresAt.map { $0 > date } ?? true }

    var caller: Caller {
        var caller = Caller(name: id, scopes: Set(scopes))
        (caller.learner, caller.source, caller.types) = (learner, source, Set(types ?? []))
        (caller.cohorts, caller.key, caller.credential) = (cohorts, id, .key(id))
        return caller
    }
}

extension AccessKey {
    /// A key without its hash, for people.
    public struct Listing: Codable, Sendable, Hashable {
        public var id: String
        public var name: String?
        public var scopes: [Scope]
        public var source: String?
        public var learner: String?
        public var types: [String]?
        public var cohorts: [String]?
        public var madeBy: String?
        public var createdAt: Date
        public var expiresAt: Date?
        /// The latest use, to the minute; nil if there is none.
        public var lastUsedAt: Date?

        /// Seconds before its end from which a key's owner is warned.
        public static let warning = 30.0 * 86_400

        /// True if it administers the service at an instant.
        public func isAdministrator(at date: Date = Date()) -> Bool {
            scopes.contains(.admin) && (expiresAt.map { $0 > date } ?? true)
        }

        /// True if it ends within the next 30 days.
        public func endsSoon(at date: Date = Date()) -> Bool {
            expiresAt.map { $0 > date && $0 < date + Self.warning } ?? false
        }
    }

    public func listing(lastUsedAt: Date? = nil) -> Listing {
        Listing(
            id: id,
            name: name,
            scopes: scopes,
            source: source,
            learner: learner,
            types: types,
            cohorts: cohorts,
            madeBy: madeBy,
            createdAt: createdAt,
            expiresAt: expiresAt,
            lastUsedAt: lastUsedAt
        )
    }
}
