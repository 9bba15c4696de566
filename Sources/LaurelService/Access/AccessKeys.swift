// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Laurel

/// The keys of a store: lists, adds and revokes them.
public struct AccessKeys: Sendable {
    private let engine: ProgressEngine

    public init(_ engine: ProgressEngine) { self.engine = engine }

    /// All keys with the times of their latest uses, the oldest key first.
    public func all() throws(EngineError) -> [AccessKey] {
        ServiceRecords(try engine.serviceRecords(prefixes: [ServiceRecords.keys, ServiceRecords.uses])).keys
    }

    /// Adds a key.
    /// - Parameters:
    ///   - grant: the properties of the key.
    ///   - maker: the maker's name: the id of the key that authorises the request, or a name such as `dashboard`.
    ///   - date: the time of creation.
    ///   - actor: the actor for the audit log; nil for no entry.
    /// - Returns: the key, and the secret for its user. The secret cannot be recovered later.
    public func add(
        _ grant: KeyGrant,
        by maker: String,
        at date: Date = Date(),
        auditing actor: AuditActor? = nil
    ) throws(EngineError) -> (key: AccessKey, secret: String) {
        let made = StoredKey.make(grant, by: maker, at: date)
        try engine.setServiceRecords(made.stored.records(auditing: actor))
        return (made.stored.key, made.secret)
    }

    /// Adds the first key of a store, with all rights.
    /// - Parameter keep: called with the secret before the key is stored.
    /// - Returns: the key; nil if the store has a key already.
    public func addFirst(at date: Date = Date(), keep: (String) throws -> Void) throws -> AccessKey? {
        let grant = KeyGrant(name: "first key", [.admin], expiresAt: date + KeyGrant.lifetime)
        let made = StoredKey.make(grant, by: "laurel serve", at: date)
        guard try all().isEmpty else { return nil }
        try keep(made.secret)
        try engine.updateServiceRecords(prefixes: [ServiceRecords.keys]) { known in
            known.isEmpty ? made.stored.records(auditing: AuditActor(name: "laurel serve")) : [:]
        }
        return try all().first { $0.id == made.stored.key.id }
    }

    /// The outcome of revoking a key.
    public enum Revocation: Sendable, Hashable {
        case revoked
        case unknown
        /// The key is not revoked, because no other valid key has all rights.
        case isLastAdministrator
    }

    /// Revokes a key permanently. A running service notices the change within seconds.
    /// - Parameters:
    ///   - id: the id of the key.
    ///   - date: the present time. A key with all rights is revoked only if another such key is valid at this time.
    ///   - actor: the actor for the audit log; nil for no entry.
    public func revoke(
        _ id: String,
        at date: Date = Date(),
        auditing actor: AuditActor? = nil
    ) throws(EngineError) -> Revocation {
        var outcome = Revocation.unknown
        try engine.updateServiceRecords(prefixes: [ServiceRecords.keys]) { known in
            let keys = ServiceRecords(known).keys
            guard let key = keys.first(where: { $0.id == id }) else {
                outcome = .unknown
                return [:]
            }
            let others = keys.contains { $0.id != id && $0.isAdministrator(at: date) }
            guard others || !key.isAdministrator(at: date) else {
                outcome = .isLastAdministrator
                return [:]
            }
            outcome = .revoked
            var records: [String: String?] = [ServiceRecords.name(ofKey: id): nil]
            if let actor { records.add(AuditNote(.keyRevoked, by: actor, target: id, details: ["name": key.name])) }
            return records
        }
        return outcome
    }
}

extension StoredKey {
    /// The records that add the key and, if there is an actor, an entry in the audit log.
    fileprivate func records(auditing actor: AuditActor?) -> [String: String?] {
        var records: [String: String?] = [ServiceRecords.name(ofKey: key.id): ServiceRecords.text(self)]
        if let actor { records.add(.made(key, by: actor)) }
        return records
    }
}

extension AuditNote {
    fileprivate static func made(_ key: AccessKey, by actor: AuditActor) -> AuditNote {
        let scopes = key.scopes.map(\.rawValue).joined(separator: ",")
        return AuditNote(
            .keyMade,
            by: actor,
            target: key.id,
            learner: key.learner,
            details: [
                "name": key.name, "scopes": scopes, "source": key.source, "types": key.types?.joined(separator: ","),
                "cohorts": key.cohorts?.joined(separator: ","),
            ]
        )
    }
}

extension [String: String?] {
    /// Adds the records of an entry in the audit log.
    mutating func add(_ note: AuditNote) {
        for (name, value) in note.records() { updateValue(value, forKey: name) }
    }
}
