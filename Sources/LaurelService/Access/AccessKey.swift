// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Laurel
import LaurelEvents

/// The properties of a new key that its maker chooses.
public struct KeyGrant: Codable, Sendable, Hashable {
    /// The name for people, such as `Anna's phone`; nil if there is none.
    public var name: String?
    /// The rights of the key.
    public var scopes: [Scope]
    /// The source that events sent with the key must have; nil for any.
    public var source: String?
    /// The id of the only learner that the key is for; nil for all learners.
    public var learner: String?
    /// Event types that the key may send besides the ordinary ones, such as `xp.adjusted`; nil for none.
    public var types: [String]?
    /// The only cohorts whose learners the key may see; nil for all learners.
    public var cohorts: [String]?
    /// The time at which the key expires; nil if it never expires.
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

    /// The default lifetime of a key, in seconds: one year.
    public static let lifetime = 365.0 * 86_400

    /// The reason why the properties are invalid; nil if they are valid.
    public func problem(at date: Date = Date()) -> String? {
        if scopes.isEmpty { return "a key needs a scope: \(Scope.names)" }
        if learner != nil, !scopes.allSatisfy({ [.ingest, .read].contains($0) }) {
            return "a key for one learner has the scopes ingest and read at most"
        }
        if scopes.contains(.analytics), scopes != [.analytics] {
            return "a key with the scope analytics has no other scope, because everybody can read it in a page"
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

/// A key to a service, without its secret.
@dynamicMemberLookup
public struct AccessKey: Codable, Sendable, Hashable, Identifiable {
    /// The public part of the key.
    public var id: String
    /// The properties that the key's maker chose. In JSON, they are members of the key itself.
    public var grant: KeyGrant
    /// The id of the key that made the key, `dashboard`, or the user of the command; nil for keys of version 0.2.
    public var madeBy: String?
    /// The time at which the key was made.
    public var createdAt: Date
    /// The time of the latest use, rounded to the minute; nil if the key was never used.
    public var lastUsedAt: Date?

    private enum CodingKeys: CodingKey { case id, madeBy, createdAt, lastUsedAt }

    init(id: String, grant: KeyGrant, madeBy: String, createdAt: Date) {
        (self.id, self.grant, self.madeBy, self.createdAt) = (id, grant, madeBy, createdAt)
    }

    public init(from decoder: any Decoder) throws {
        grant = try KeyGrant(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        madeBy = try container.decodeIfPresent(String.self, forKey: .madeBy)
        createdAt = try container.decode(Date.self, forKey: .createdAt)
        lastUsedAt = try container.decodeIfPresent(Date.self, forKey: .lastUsedAt)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try grant.encode(to: encoder)
        try container.encodeIfPresent(madeBy, forKey: .madeBy)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encodeIfPresent(lastUsedAt, forKey: .lastUsedAt)
    }

    public subscript<Term>(dynamicMember term: KeyPath<KeyGrant, Term>) -> Term { grant[keyPath: term] }

    /// The number of seconds before a key's expiry at which warnings begin: 30 days.
    public static let warning = 30.0 * 86_400

    func isValid(at date: Date) -> Bool { grant.expiresAt.map { $0 > date } ?? true }

    /// True if the key is a valid administrator's key at an instant.
    public func isAdministrator(at date: Date = Date()) -> Bool { grant.scopes.contains(.admin) && isValid(at: date) }

    /// True if the key expires within the next 30 days.
    public func endsSoon(at date: Date = Date()) -> Bool {
        grant.expiresAt.map { $0 > date && $0 < date + Self.warning } ?? false
    }

    var caller: Caller {
        var caller = Caller(name: id, scopes: Set(grant.scopes))
        (caller.learner, caller.source, caller.types) = (grant.learner, grant.source, Set(grant.types ?? []))
        (caller.cohorts, caller.key, caller.credential) = (grant.cohorts, id, .key(id))
        return caller
    }
}

/// A key as the store contains it, with the hash of its secret.
struct StoredKey: Codable, Sendable, Hashable {
    var key: AccessKey
    /// SHA-256 of the secret, hexadecimal. In JSON, the hash is a member of the key itself.
    private var hash: String

    private enum CodingKeys: CodingKey { case hash }

    private static let prefix = "laurel_"

    /// Creates a key.
    /// - Returns: the key for the store, and the secret for its user. The secret cannot be recovered later.
    static func make(_ grant: KeyGrant, by maker: String, at date: Date) -> (stored: StoredKey, secret: String) {
        let id = Secrets.random(6).hexadecimal
        let secret = "\(prefix)\(id)_\(Base64URL.encode(Secrets.random(32)))"
        let key = AccessKey(id: id, grant: grant, madeBy: maker, createdAt: date)
        return (StoredKey(key: key, hash: hash(of: secret)), secret)
    }

    private init(key: AccessKey, hash: String) { (self.key, self.hash) = (key, hash) }

    init(from decoder: any Decoder) throws {
        key = try AccessKey(from: decoder)
        hash = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .hash)
    }

    func encode(to encoder: any Encoder) throws {
        try key.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hash, forKey: .hash)
    }

    /// The key's id in a text with the form of a secret; nil for any other text.
    static func id(in secret: String) -> String? {
        guard secret.hasPrefix(prefix) else { return nil }
        let rest = secret.dropFirst(prefix.count)
        return rest.firstIndex(of: "_").map { String(rest[..<$0]) }
    }

    private static func hash(of secret: String) -> String { SHA256.hash(Array(secret.utf8)).hexadecimal }

    func isSecret(_ secret: String) -> Bool { Secrets.areEqual(Array(Self.hash(of: secret).utf8), Array(hash.utf8)) }
}
