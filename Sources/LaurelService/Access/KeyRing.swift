// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import Synchronization

/// The keys that there are, as the store had them a moment ago.
final class KeyRing: Sendable {
    private struct State {
        var records = ServiceRecords([:])
        var keys: [String: AccessKey] = [:]
    }

    private let engine: ProgressEngine
    private let state = Mutex(State())
    /// Whose pages may ask, where there are no keys.
    private let origins: Set<String>

    /// Seconds within which what another process changes is noticed.
    static let refresh = 2.0

    init(_ engine: ProgressEngine, origins: Set<String> = []) throws {
        (self.engine, self.origins) = (engine, origins)
        try reload()
        if tokenSecret.isEmpty {
            try engine.setServiceRecords([ServiceRecords.tokenSecret: Base64URL.encode(Secrets.random(32))])
            try reload()
        }
    }

    var isEmpty: Bool { state.withLock { $0.keys.isEmpty } }
    var records: ServiceRecords { state.withLock { $0.records } }
    var tokenSecret: [UInt8] { state.withLock { $0.records.tokenSecret ?? [] } }

    func reload() throws {
        let records = try ServiceRecords.read(engine)
        state.withLock { state in
            guard state.records != records else { return }
            state.records = records
            state.keys = Dictionary(records.keys.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    func key(_ id: String) -> AccessKey? { state.withLock { $0.keys[id] } }
    func token(_ token: LearnerToken) -> String { token.signed(tokenSecret) }

    /// Who sends a request.
    /// - Parameter token: from the query, for those who cannot set headers.
    func caller(of head: HTTPRequestHead, token: String?, at date: Date = Date()) throws(Problem) -> Caller {
        guard let secret = try credential(head) ?? token else {
            if let caller = try signedIn(head, at: date) { return caller }
            guard isEmpty else { throw .unauthorized("a key is needed: send it as Authorization: Bearer KEY") }
            try checkIsLocal(head)
            return .anyone
        }
        if let id = AccessKey.id(in: secret) {
            guard let key = key(id), key.isSecret(secret) else {
                throw .unauthorized("the key is not known, or was revoked")
            }
            if let end = key.expiresAt, end <= date { throw .unauthorized("the key has expired") }
            return key.caller
        }
        guard let token = LearnerToken(secret, secret: tokenSecret, at: date) else {
            throw .unauthorized("the token is not of this service, or has expired")
        }
        return token.caller
    }

    private func credential(_ head: HTTPRequestHead) throws(Problem) -> String? {
        guard let field = head.headers["Authorization"] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthorized("only Authorization: Bearer is taken")
        }
        return String(parts[1])
    }

    private static let proxyFields = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    ]

    /// Without keys, only what comes straight from this machine is answered. Behind a proxy everybody would; and a page of the web
    /// must not reach what listens here by a name that leads to this machine.
    private func checkIsLocal(_ head: HTTPRequestHead) throws(Problem) {
        for name in Self.proxyFields where head.headers[name] != nil {
            throw Problem(403, "keys-needed", "the request came through a proxy: behind one, the service needs keys")
        }
        let host = head.headers["Host"] ?? ""
        let isLocal = ListenAddress(host)?.isLoopback ?? ListenAddress("\(host):0")?.isLoopback ?? false
        guard isLocal else { throw Problem(403, "keys-needed", "without keys, only localhost is served") }
        if let origin = head.headers["Origin"], !origins.contains(origin), !head.isOfSameOrigin {
            throw Problem(403, "keys-needed", "a page of a browser needs a key or a token")
        }
    }
}
