// SPDX-License-Identifier: Apache-2.0

/// A right of a key or a token.
public enum Scope: String, Codable, Sendable, Hashable, CaseIterable {
    /// Sending events.
    case ingest
    /// Asking.
    case read
    /// Rules: checking, comparing, applying, replaying.
    case rules
    /// Keys and tokens, of at most the caller's own rights.
    case keys
    case webhooks
    /// Erasing learners.
    case erase
    /// Events that change numbers by decree, purchases, merges.
    case decree
    /// All of the above, and everything else: quarantine, exports, jobs, the audit log.
    case admin

    /// The scopes of a list, separated by commas; nil if one is unknown or the list is empty.
    public static func list(_ text: String) -> [Scope]? {
        let scopes = text.split(separator: ",").map { Scope(rawValue: $0.trimmingPrefix { $0 == " " }.description) }
        let known = scopes.compactMap(\.self)
        return known.isEmpty || known.count < scopes.count ? nil : known
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The sender of a request.
struct Caller: Sendable, Hashable {
    /// The proof of a caller's identity, which may end while a stream is open.
    enum Credential: Sendable, Hashable {
        /// None: the service runs without keys.
        case none
        case key(String)
        case token(LearnerToken)
        /// A session of the dashboard, by the hash of its id.
        case session(String)
    }

    /// A key's id, or `learner:` and a token's learner; for logs and limits. Never a secret.
    let name: String
    /// All scopes where the key has `admin`.
    let scopes: Set<Scope>
    /// The only learner whose events and answers these may be.
    var learner: String?
    /// The source that events must have.
    var source: String?
    /// Event types that it may send beside the ordinary ones.
    var types: Set<String> = []
    /// The only cohorts whose learners it may see; nil for all learners.
    var cohorts: [String]?
    /// The id of the key behind it, also of a token.
    var key: String?
    var credential = Credential.none
    /// The address that the request came from, for the audit log.
    var address: String?

    init(name: String, scopes: Set<Scope>) {
        self.name = name
        self.scopes = scopes.contains(.admin) ? Set(Scope.allCases) : scopes
    }

    /// The beginning of the name of a token's caller.
    static let learnerPrefix = "learner:"

    func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

    /// A caller on this machine, where the service runs without keys.
    static let anyone = Caller(name: "-", scopes: [.admin])
}
