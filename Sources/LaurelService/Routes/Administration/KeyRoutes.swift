// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelResults

/// Keys, as `laurel keys` has them.
extension Route {
    static let keyRoutes = [
        Route(
            "GET",
            "/v1/keys",
            "The keys, without their secrets.",
            access: .scopes([.admin]),
            answer: .list("Key"),
            action: .question { service, _ in
                try service.keys.reload()
                let keys = service.keys.records.keys.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
                return JSONAnswer.response(try JSONAnswer.list(keys.map(\.listing)))
            }
        ),
        Route(
            "POST",
            "/v1/keys",
            "Makes a key; it is shown this once. The first one must have the scope admin.",
            access: .scopes([.admin]),
            answer: .json("NewKey", status: 201),
            body: BodyShape(mediaTypes: ["application/json"], example: #"{"scopes":["ingest","read","admin"]}"#),
            action: .document(limit: 64 << 10) { service, _, bytes in
                guard let wanted = try? LaurelJSON.decode(KeyRoutes.Wanted.self, from: Data(bytes)) else {
                    throw Problem(400, "invalid-json", #"the body must be as {"scopes":["read"],"source":"my-app"}"#)
                }
                let made = try KeyRoutes.add(wanted, service)
                return try JSONAnswer.response(KeyRoutes.Made(made.key, made.secret), status: 201)
            }
        ),
        Route(
            "DELETE",
            "/v1/keys/{id}",
            "Revokes a key.",
            access: .scopes([.admin]),
            answer: .nothing,
            action: .question { service, request in
                try KeyRoutes.revoke(request.path("id"), service)
                return HTTPResponse(204)
            }
        ),
    ]
}

/// What is done with keys, whoever asks for it.
enum KeyRoutes {
    /// What a new key is to be for.
    struct Wanted: Codable {
        var scopes: [Scope]
        var source: String?
        var learner: String?
        var expiresAt: Date?
    }

    /// A key with its secret.
    struct Made: Encodable {
        var key: String
        var id: String
        var scopes: [Scope]
        var source: String?
        var learner: String?
        var createdAt: Date
        var expiresAt: Date?

        init(_ made: AccessKey, _ secret: String) {
            (key, id, scopes, source) = (secret, made.id, made.scopes, made.source)
            (learner, createdAt, expiresAt) = (made.learner, made.createdAt, made.expiresAt)
        }
    }

    static func add(_ wanted: Wanted, _ service: LaurelService) throws -> (key: AccessKey, secret: String) {
        guard !wanted.scopes.isEmpty else {
            throw Problem(422, "invalid-key", "a key needs a scope: ingest, read or admin")
        }
        // From the first key on, everything needs one.
        guard service.hasKeys || wanted.scopes.contains(.admin) else {
            throw Problem(422, "invalid-key", "the first key needs the scope admin, or nobody could make another")
        }
        guard wanted.learner == nil || !wanted.scopes.contains(.admin) else {
            throw Problem(422, "invalid-key", "a key for one learner administers nothing")
        }
        if let end = wanted.expiresAt, end <= Date() {
            throw Problem(422, "invalid-key", "the key would have ended already")
        }
        let made = try AccessKeys(service.engine).add(
            wanted.scopes,
            source: wanted.source,
            learner: wanted.learner,
            expiresAt: wanted.expiresAt
        )
        try service.keys.reload()
        return made
    }

    static func revoke(_ id: String, _ service: LaurelService) throws {
        guard try AccessKeys(service.engine).revoke(id) else { throw Problem.notFound("there is no such key") }
        try service.keys.reload()
    }
}
