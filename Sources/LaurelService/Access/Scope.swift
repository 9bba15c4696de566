// SPDX-License-Identifier: Apache-2.0

/// A right of a key or a token.
public enum Scope: String, Codable, Sendable, Hashable, CaseIterable {
    /// Sending events.
    case ingest
    /// Sending calls of analytics SDKs. The calls may be about anonymous ids, and about users whose ids first came with
    /// this scope. A key with this scope alone may be public. The scope `ingest` includes this scope.
    case analytics
    /// Reading results.
    case read
    /// Checking, comparing and applying rules, and replaying.
    case rules
    /// Managing keys and tokens, with at most the caller's own rights.
    case keys
    case webhooks
    /// Erasing learners.
    case erase
    /// Sending events that set numbers directly, purchases and merges.
    case decree
    /// All rights, including those without a scope of their own: quarantine, exports, jobs, the audit log.
    case admin

    /// Parses a list of scopes, separated by commas; returns nil if a scope is unknown or the list is empty.
    public static func list(_ text: String) -> [Scope]? {
        let scopes = text.split(separator: ",").map { Scope(rawValue: $0.trimmingPrefix { $0 == " " }.description) }
        let known = scopes.compactMap(\.self)
        return known.isEmpty || known.count < scopes.count ? nil : known
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The sender of a request, and its rights.
struct Caller: Sendable, Hashable {
    /// The proof of a caller's identity. It may become invalid while a stream is open.
    enum Credential: Sendable, Hashable {
        /// No credential: the service runs without keys.
        case none
        case key(String)
        case token(LearnerToken)
        /// A session of the dashboard, by the hash of its id.
        case session(String)
    }

    /// The name for logs and limits: a key's id, or `learner:` followed by the id of a token's learner. The name is
    /// never a secret.
    let name: String
    /// The scopes of the caller; all of them if the key has `admin`.
    let scopes: Set<Scope>
    /// The only learner that the caller's events and answers may be about; nil for all learners.
    var learner: String?
    /// The source that the caller's events must have; nil for any source.
    var source: String?
    /// Event types that the caller may send besides the ordinary ones.
    var types: Set<String> = []
    /// The only cohorts whose learners the caller may see; nil for all learners.
    var cohorts: [String]?
    /// The id of the caller's key, or of the key that made the caller's token; nil without a key.
    var key: String?
    var credential = Credential.none
    /// The address from which the request came, for the audit log.
    var address: String?

    init(name: String, scopes: Set<Scope>) {
        self.name = name
        if scopes.contains(.admin) {
            self.scopes = Set(Scope.allCases)
        } else {
            self.scopes = scopes.contains(.ingest) ? scopes.union([.analytics]) : scopes
        }
    }

    /// The prefix of the name of a caller with a learner's token.
    static let learnerPrefix = "learner:"

    func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

    /// A caller on this machine, if the service has no keys.
    static let anyone = Caller(name: "-", scopes: [.admin])
}
