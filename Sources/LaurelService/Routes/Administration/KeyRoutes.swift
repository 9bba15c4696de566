// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelResults
import LaurelWire

/// The routes that manage keys, like `laurel keys`.
extension Route {
    private static let now = Parameter("now", .flag, "True to end earlier keys and their tokens at once.")

    static let keyRoutes = [
        Route(
            "GET",
            "/v1/keys",
            "The keys, without their secrets.",
            access: .scopes([.keys]),
            answer: .list(AccessKey.self),
            action: .question { service, _ in
                try service.keys.reload()
                return JSONAnswer.response(try JSONAnswer.list(service.keys.records.keys))
            }
        ),
        Route(
            "POST",
            "/v1/keys",
            "Creates a key with at most the rights of its creator. It is shown only once, and by default expires after a year.",
            access: .scopes([.keys]),
            answer: .json(NewKey.self, status: 201),
            body: KeyTerms.shape,
            codes: ["invalid-key", "invalid-scope"],
            action: .document(limit: 64 << 10) { service, request, bytes in
                let wanted = try KeyTerms.read(bytes)
                let made = try KeyRoutes.add(wanted.grant(at: Date()), by: request.caller, service)
                return try JSONAnswer.response(NewKey(key: made.key, secret: made.secret), status: 201)
            }
        ),
        Route(
            "DELETE",
            "/v1/keys/{id}",
            "Revokes a key. The last key with the scope admin cannot be revoked.",
            access: .scopes([.keys]),
            answer: .nothing,
            action: .question { service, request in
                try KeyRoutes.revoke(request.path("id"), by: request.caller, service)
                return HTTPResponse(204)
            }
        ),
        Route(
            "POST",
            "/v1/keys/rotate",
            "Creates a new signing key for learners' tokens. The previous key stays valid for 24 hours.",
            access: .scopes([.keys]),
            parameters: [now],
            answer: .nothing,
            action: .question { service, request in
                guard !service.keys.signsByFile else {
                    throw Problem(
                        409,
                        "signed-by-file",
                        "tokens are signed with the key in signing-key-file; replace that file and restart the service"
                    )
                }
                try SigningKeys(service.engine).rotate(
                    now: request.query.flag(now),
                    auditing: request.caller.actor
                )
                try service.keys.reload()
                return HTTPResponse(204)
            }
        ),
    ]
}

/// The properties of a new key.
struct KeyTerms: JSONBody {
    /// Name for people, at most 64 bytes.
    var name: String?
    /// The rights of the key; admin has all of them.
    var scopes: [Scope]
    /// Only source whose events the key may send.
    var source: String?
    /// Only learner that the key is for.
    var learner: String?
    /// Event types that the key may send besides the ordinary ones.
    var types: [String]?
    /// Only cohorts whose learners the key may see.
    var cohorts: [String]?
    /// Time of expiry, RFC 3339, or never; one year from now if left out.
    var expiresAt: String?

    static let example = #"{"name":"Anna","scopes":["ingest","read","admin"],"expiresAt":"2030-01-01T00:00:00Z"}"#

    func grant(at date: Date) throws(Problem) -> KeyGrant {
        var grant = KeyGrant(name: name, scopes, source: source, learner: learner, types: types, cohorts: cohorts)
        switch expiresAt {
        case nil: grant.expiresAt = date + KeyGrant.lifetime
        case "never": grant.expiresAt = nil
        case let text?:
            guard let end = try? Timestamp(text) else {
                throw Problem(
                    422,
                    "invalid-key",
                    "expiresAt is “\(text.prefix(64))”; it must be an RFC 3339 time, such as 2027-01-01T00:00:00Z, or never"
                )
            }
            grant.expiresAt = Date(milliseconds: end.milliseconds)
        }
        return grant
    }
}

/// A key with its secret, which is shown only once.
struct NewKey: Codable {
    var key: AccessKey
    var secret: String

    private enum CodingKeys: String, CodingKey {
        /// The secret, to be sent as Bearer.
        case secret = "key"
    }

    init(key: AccessKey, secret: String) { (self.key, self.secret) = (key, secret) }

    init(from decoder: any Decoder) throws {
        secret = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .secret)
        key = try AccessKey(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(secret, forKey: .secret)
        try key.encode(to: encoder)
    }
}

/// The operations on keys, for routes and pages.
enum KeyRoutes {
    static func add(
        _ grant: KeyGrant,
        by caller: Caller,
        _ service: LaurelService
    ) throws -> (key: AccessKey, secret: String) {
        if let problem = grant.problem() { throw Problem(422, "invalid-key", problem) }
        // Once a key exists, every request needs a key. So the first key must be an administrator's.
        guard service.hasKeys || grant.scopes.contains(.admin) else {
            throw Problem(422, "invalid-key", "the first key needs the scope admin, or nobody could make another")
        }
        guard grant.scopes.allSatisfy(caller.may), caller.may(.decree) || grant.types == nil else {
            let missing = grant.scopes.first { !caller.may($0) } ?? .decree
            throw Problem(
                403,
                "missing-scope",
                "a key can give no more than it may itself; this one lacks the scope \(missing.rawValue)"
            )
        }
        guard caller.source == nil || caller.source == grant.source || caller.may(.admin) else {
            throw Problem(
                403,
                "forbidden",
                "this key is for the source \(caller.source ?? ""), and so are the keys it makes"
            )
        }
        let made = try AccessKeys(service.engine).add(
            grant,
            by: caller.key ?? "this machine",
            auditing: caller.actor
        )
        try service.keys.reload()
        return made
    }

    static func revoke(_ id: String, by caller: Caller, _ service: LaurelService) throws {
        try service.keys.reload()
        if let key = service.keys.key(id), !key.scopes.allSatisfy(caller.may) {
            throw Problem(403, "missing-scope", "this key may do more than yours, which therefore cannot revoke it")
        }
        switch try AccessKeys(service.engine).revoke(id, auditing: caller.actor) {
        case .revoked: try service.keys.reload()
        case .unknown: throw Problem.notFound("there is no such key")
        case .isLastAdministrator:
            throw Problem(
                409,
                "last-admin-key",
                "this is the last valid key with the scope admin; make another one before you revoke it"
            )
        }
    }
}
