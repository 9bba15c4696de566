// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Synchronization

/// The credentials of a store, reloaded every few seconds.
final class KeyRing: Sendable {
    private struct State {
        var records = ServiceRecords([:])
        var keys: [String: StoredKey] = [:]
        var sessions: [String: DashboardSession] = [:]
        var signingKeys: [SigningKey] = []
        /// True if a learner was erased within the last day.
        var knowsErasures = false
        /// The times of the latest uses that were not written to the store yet, by key, in milliseconds since 1970.
        var uses: [String: Int64] = [:]
        /// The tokens of learners that sent events within about a minute, each with the time of its latest use.
        var senders: [LearnerToken: Date] = [:]
    }

    private let engine: ProgressEngine
    private let merged: MergedLearners
    private let state = Mutex(State())
    private let reloads = Atomic(0)
    /// Locked while records are read and stored. Otherwise, a slow thread could replace newer records by older ones.
    /// Then a new key would be unknown, or a revoked key would be valid.
    private let reloading = Mutex(())
    /// True if the service answers requests without a key while the store has no keys.
    private let isOpen: Bool
    /// The origins whose pages may call a service without keys.
    private let origins: Set<String>
    /// The signing key from a file, used instead of the keys in the store; nil if there is no file.
    private let fileKey: SigningKey?
    /// Limits how often this node looks up unknown dashboard sessions in the store.
    private let lookups = RateLimiter(perSecond: 20)

    /// Limits how often callers sign in, because each sign-in writes to the store.
    private let signIns = RateLimiter(perSecond: 5)

    /// The number of seconds within which changes by other processes are noticed.
    static let refresh = 2.0

    init(_ engine: ProgressEngine, _ options: ServiceOptions) throws {
        (self.engine, isOpen, origins) = (engine, options.isOpen, Set(options.corsOrigins))
        merged = MergedLearners(engine)
        fileKey = try options.signingKeyFile.map { try SigningKeyFile.read($0) }
        try reload()
        if fileKey == nil { try SigningKeys(engine).ensure(at: Date()) }
        try reload()
    }

    /// True if any program on this machine has all rights, because the store has no keys.
    var isUnlocked: Bool { isOpen && state.withLock { $0.keys.isEmpty } }
    var hasKeys: Bool { state.withLock { !$0.keys.isEmpty } }
    var records: ServiceRecords { state.withLock { $0.records } }
    private var signers: [SigningKey] { fileKey.map { [$0] } ?? state.withLock { $0.signingKeys } }

    func reload() throws {
        try reloading.withLock { _ in
            store(try ServiceRecords.read(engine))
            try merged.reload()
        }
        try eraseAgain()
    }

    private func store(_ records: ServiceRecords) {
        state.withLock { state in
            guard state.records != records else { return }
            reloads.add(1, ordering: .releasing)
            state.records = records
            state.keys = Dictionary(records.storedKeys.map { ($0.key.id, $0) }) { first, _ in first }
            state.sessions = records.sessions
            state.signingKeys = records.signingKeys
            state.knowsErasures = records.records.keys.contains { $0.hasPrefix(ServiceRecordName.erasures) }
        }
    }

    /// Repeats erasures that other processes made. Before this process noticed an erasure, it may have stored events
    /// that were sent with the learner's token.
    private func eraseAgain() throws {
        let (senders, records) = state.withLock { $0.knowsErasures ? ($0.senders, $0.records) : ([:], $0.records) }
        for (token, latest) in senders {
            guard let erasure = records.erasure(ending: token) else { continue }
            _ = state.withLock { $0.senders.removeValue(forKey: token) }
            // Events that were admitted just before the erasure may have been stored after the erasure.
            guard latest > erasure - 1, try engine.learner(token.sub).isKnown() else { continue }
            _ = try engine.erase(learner: token.sub)
        }
    }

    /// A number that changes when the credentials change. After checking a credential, a caller can compare this number
    /// to see whether the check is still valid.
    var version: Int { reloads.load(ordering: .acquiring) }

    func key(_ id: String) -> AccessKey? { state.withLock { $0.keys[id]?.key } }

    /// The encoded and signed text of a token.
    func text(of token: LearnerToken, at date: Date = Date()) throws(Problem) -> String {
        guard let signer = signers.last(where: { $0.endsAt == nil && $0.isValid(at: date) }) else {
            throw .busy("there is no signing key; try again", after: 2)
        }
        return token.signed(signer)
    }

    /// True if tokens are signed with a key from a file. The store does not contain that key.
    var signsByFile: Bool { fileKey != nil }

    // MARK: Requests

    /// The caller that sent a request.
    /// - Parameters:
    ///   - token: a learner's token from the query, for clients that cannot set headers; nil if there is none.
    ///   - acceptsBasic: true if the user name of Basic authentication may be the key.
    func caller(
        of head: HTTPRequestHead,
        token: String?,
        acceptsBasic: Bool = false,
        at date: Date = Date()
    ) throws(Problem) -> Caller {
        if let secret = try credential(head, acceptsBasic: acceptsBasic) { return try caller(by: secret, at: date) }
        if let token {
            guard StoredKey.id(in: token) == nil else {
                throw .unauthorized("a key does not belong in an address: send it as Authorization: Bearer KEY")
            }
            return try caller(by: token, at: date)
        }
        if let caller = try signedIn(head, at: date) { return caller }
        guard isUnlocked else { throw .unauthorized("a key is needed: send it as Authorization: Bearer KEY") }
        try checkIsLocal(head)
        return .anyone
    }

    /// The caller that has this key or token.
    func caller(by secret: String, at date: Date) throws(Problem) -> Caller {
        if let id = StoredKey.id(in: secret) {
            guard let stored = state.withLock({ $0.keys[id] }), stored.isSecret(secret) else {
                throw .unauthorized("the key is unknown, or was revoked")
            }
            let key = stored.key
            guard key.isValid(at: date) else { throw .unauthorized("the key has expired") }
            note(useOf: id, at: date)
            return key.caller
        }
        guard let token = LearnerToken(secret, signers: signers, at: date) else {
            throw .unauthorized("the token is not of this service, or has expired")
        }
        guard isValid(.token(token), at: date) else {
            throw .unauthorized("the token has ended: its key was revoked, or its learner was erased or merged")
        }
        return caller(of: token, at: date)
    }

    /// The caller with a valid token. The caller may send only events of the source that the token's key requires.
    private func caller(of token: LearnerToken, at date: Date) -> Caller {
        var caller = token.caller
        caller.source = token.key.flatMap(key)?.source
        if caller.may(.ingest) { state.withLock { $0.senders[token] = date } }
        return caller
    }

    private func credential(_ head: HTTPRequestHead, acceptsBasic: Bool) throws(Problem) -> String? {
        guard let field = head.headers["Authorization"] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        if acceptsBasic, parts.count == 2, parts[0].lowercased() == "basic" {
            guard let pair = Data(base64Encoded: String(parts[1])),
                let user = String(decoding: pair, as: UTF8.self).split(separator: ":").first
            else { throw .unauthorized("the user name of Basic authentication must be the key") }
            return String(user)
        }
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthorized("only Authorization: Bearer is accepted")
        }
        return String(parts[1])
    }

    /// True if an accepted credential is still valid.
    func isValid(_ credential: Caller.Credential, at date: Date = Date()) -> Bool {
        switch credential {
        case .none: isUnlocked
        case .key(let id): key(id)?.isValid(at: date) ?? false
        case .session(let hash): session(hash, at: date) != nil
        case .token(let token):
            token.isValid(at: date) && signers.contains { $0.id == token.signer && $0.isValid(at: date) }
                && token.key.map { isValid(.key($0), at: date) } ?? true && !hasErased(token)
                && !merged.contains(token.sub)
        }
    }

    private func hasErased(_ token: LearnerToken) -> Bool {
        state.withLock { $0.knowsErasures ? $0.records : nil }?.erasure(ending: token) != nil
    }

    // MARK: Sessions

    /// The maximum number of sessions of one key or learner. A further sign-in ends the oldest session.
    private static let mostSessions = 20

    private func session(_ hash: String, at date: Date) -> DashboardSession? {
        guard let session = state.withLock({ $0.sessions[hash] }), session.expiresAt > date,
            isValid(session.credential, at: date)
        else { return nil }
        return session
    }

    /// The caller of the session that a request's cookie names; nil without a valid session.
    private func signedIn(_ head: HTTPRequestHead, at date: Date) throws(Problem) -> Caller? {
        guard let id = DashboardSession.cookie(in: head) else { return nil }
        let hash = DashboardSession.hash(of: id)
        if state.withLock({ $0.sessions[hash] == nil }), lookups.admit("session") == nil { try? reload() }
        guard let session = session(hash, at: date) else { return nil }
        guard ["GET", "HEAD"].contains(head.method) || head.isSameOrigin else { throw .crossSite }
        var caller: Caller
        switch session.credential {
        case .key(let id):
            note(useOf: id, at: date)
            caller = key(id)?.caller ?? Caller(name: "-", scopes: [])
        case .token(let token): caller = self.caller(of: token, at: date)
        case .none, .session: return nil
        }
        caller.credential = .session(hash)
        return caller
    }

    /// Creates a session for a key or a token.
    /// - Returns: the content of the session's cookie.
    func signIn(_ secret: String, at date: Date = Date()) throws -> String {
        let caller = try caller(by: secret, at: date)
        guard caller.may(.read) else {
            throw Problem(
                403,
                "missing-scope",
                "this key may only send events; looking around needs one with the scope read"
            )
        }
        guard signIns.admit(caller.name) == nil else {
            throw Problem.tooMany("too many sign-ins with this key; wait a second", after: 1)
        }
        let id = Base64URL.encode(Secrets.random(32))
        let hash = DashboardSession.hash(of: id)
        let session = DashboardSession(caller.credential, at: date)
        try engine.updateServiceRecords(prefixes: [ServiceRecords.sessions]) { all in
            let own = ServiceRecords(all).sessions.filter { $0.value.owner == session.owner }
            let oldest = own.sorted { $0.value.expiresAt < $1.value.expiresAt }.dropLast(Self.mostSessions - 1)
            var changes: [String: String?] = [ServiceRecords.sessions + hash: ServiceRecords.text(session)]
            for (other, _) in oldest { changes.updateValue(nil, forKey: ServiceRecords.sessions + other) }
            return changes
        }
        try reload()
        return id
    }

    /// Ends the session that a request's cookie names.
    func signOut(_ head: HTTPRequestHead) throws {
        guard let id = DashboardSession.cookie(in: head) else { return }
        try engine.setServiceRecords([ServiceRecords.sessions + DashboardSession.hash(of: id): nil])
        try reload()
    }

    // MARK: Upkeep

    private func note(useOf key: String, at date: Date) {
        state.withLock { $0.uses[key] = date.milliseconds }
    }

    /// Writes the times of the latest uses of keys to the store, rounded to minutes.
    func storeUses() throws {
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        let known = records
        var changes: [String: String?] = [:]
        for (id, time) in uses where known.records[ServiceRecords.uses + id].flatMap({ Int64($0) }) ?? 0 < time - 60_000
        {
            changes[ServiceRecords.uses + id] = "\(time)"
        }
        // After a minute, this process has noticed every erasure that happened before.
        state.withLock { state in state.senders = state.senders.filter { $0.value > Date() - 60 } }
        if !changes.isEmpty { try engine.setServiceRecords(changes) }
    }

    /// Deletes the records of credentials that are no longer valid, and of old erasures.
    func sweep(at date: Date) throws {
        let found = records
        var ended: [String: String?] = [:]
        for (hash, session) in found.sessions where session.expiresAt <= date || !isValid(session.credential, at: date)
        {
            ended.updateValue(nil, forKey: ServiceRecords.sessions + hash)
        }
        for key in found.signingKeys where !key.isValid(at: date) { ended.updateValue(nil, forKey: key.recordName) }
        for name in found.records.keys where name.hasPrefix(ServiceRecords.uses) {
            if key(String(name.dropFirst(ServiceRecords.uses.count))) == nil { ended.updateValue(nil, forKey: name) }
        }
        let oldest = date.milliseconds - Int64(ServiceRecordName.erasuresKept) * 1000
        for (name, time) in found.records where name.hasPrefix(ServiceRecordName.erasures) {
            if Int64(time) ?? 0 < oldest { ended.updateValue(nil, forKey: name) }
        }
        if !ended.isEmpty { try engine.setServiceRecords(ended) }
    }

    /// The keys that expire within 30 days.
    func endingKeys(at date: Date) -> [AccessKey] { records.keys.filter { $0.endsSoon(at: date) } }

    // MARK: Without keys

    private static let proxyFields = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    ]

    /// Checks that the request comes from this machine, and that its `Host` is a name of this machine. A service
    /// without keys answers no other requests. A web page that reaches the service by another name (DNS rebinding)
    /// sends that name as `Host`. Requests through a proxy are refused, because they may come from other machines.
    private func checkIsLocal(_ head: HTTPRequestHead) throws(Problem) {
        for name in Self.proxyFields where head.headers[name] != nil {
            throw Problem(403, "keys-needed", "the request came through a proxy: behind one, the service needs keys")
        }
        guard head.peer.isLoopback, Self.namesThisMachine(head.headers["Host"] ?? "") else {
            throw Problem(
                403,
                "keys-needed",
                "without keys, only clients on this machine are answered, by the names localhost, 127.0.0.1 and [::1]"
            )
        }
        if let origin = head.headers["Origin"], !origins.contains(origin), !head.isSameOrigin {
            throw Problem(403, "keys-needed", "a page of a browser needs a key or a token")
        }
    }

    /// True if a `Host` is one of the three names of this machine. A port may follow.
    private static func namesThisMachine(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || (rest.first == ":" && UInt16(rest.dropFirst()) != nil)
        }
    }
}
