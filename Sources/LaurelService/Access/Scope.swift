// SPDX-License-Identifier: Apache-2.0

/// What a key or a token may be used for.
public enum Scope: String, Codable, Sendable, Hashable, CaseIterable {
    /// Sending events.
    case ingest
    /// Asking.
    case read
    /// Rules, quarantine, erasing, exporting, tokens, webhooks.
    case admin

    /// Those that a list names, separated by commas; nil where one is none.
    public static func list(_ text: String) -> [Scope]? {
        let scopes = text.split(separator: ",").map { Scope(rawValue: $0.trimmingPrefix { $0 == " " }.description) }
        let known = scopes.compactMap(\.self)
        return known.isEmpty || known.count < scopes.count ? nil : known
    }
}

/// Who sends a request.
struct Caller: Sendable, Hashable {
    /// For logs and limits: a key's id, or a token's learner. Never a secret.
    var name: String
    var scopes: Set<Scope>
    /// Whose events and answers alone these may be.
    var learner: String?
    /// The source that events must have.
    var source: String?

    /// Whoever comes, where the service has no keys and only this machine can reach it.
    static let anyone = Caller(name: "-", scopes: Set(Scope.allCases))
}
