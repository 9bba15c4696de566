// SPDX-License-Identifier: Apache-2.0

/// A right of a key or a token.
public enum Scope: String, Codable, Sendable, Hashable, CaseIterable {
    /// Sending events.
    case ingest
    /// Reading results.
    case read
    /// Checking, comparing and applying rules, and replaying.
    case rules
    /// Keys and tokens, with at most the caller's own rights.
    case keys
    case webhooks
    /// Erasing learners.
    case erase
    /// Events that set numbers directly, purchases, merges.
    case decree
    /// All of the above, and the rest: quarantine, exports, jobs, the audit log.
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
    /// The proof of a caller's identity, which may become invalid while a stream is open.
    enum Credential: Sendable, Hashable {
        /// No credential: the service runs without keys.
        case none
        case key(String)
        case token(LearnerToken)
        /// A session of the dashboard, by the hash of its id.
        case session(String)
    }

    /// A key's id, or `learner:` and a token's learner, for logs and limits. It is never a secret.
    let name: String
    /// The scopes of the caller; all of them if the key has `admin`.
    let scopes: Set<Scope>
    /// The only learner that events and answers may be about; nil for all.
    var learner: String?
    /// The source that events must have; nil for any.
    var source: String?
    /// Event types that the caller may send besides the ordinary ones.
    var types: Set<String> = []
    /// The only cohorts whose learners the caller may see; nil for all learners.
    var cohorts: [String]?
    /// The id of the key, also behind a token.
    var key: String?
    var credential = Credential.none
    /// The address from which the request came, for the audit log.
    var address: String?

    init(name: String, scopes: Set<Scope>) {
        self.name = name
        self.scopes = scopes.contains(.admin) ? Set(Scope.allCases) : scopes
    }

    /// The beginning of the name of a token's caller.
    static let learnerPrefix = "learner:"

    func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

    /// A caller on this machine, in a service without keys.
    static let anyone = Caller(name: "-", scopes: [.admin])
}
