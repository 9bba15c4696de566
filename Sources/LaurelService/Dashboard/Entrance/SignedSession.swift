// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// Somebody who has signed in: what the cookie says, signed with the store's secret, so that every node takes it. The key itself is
/// not in it, and one that is revoked opens nothing any more.
struct SignedSession: Codable, Hashable, Sendable {
    /// The id of the key that was shown.
    var key: String?
    /// What a learner's token said.
    var token: LearnerToken?
    /// Seconds since 1970.
    var exp: Int

    static let cookie = "laurel_session"
    static let seconds = 12 * 3600

    /// What the cookie holds.
    func signed(_ secret: [UInt8]) -> String {
        let content = Base64URL.encode(Array(ServiceRecords.text(self).utf8))
        return "\(content).\(Base64URL.encode(Self.signature(content, secret)))"
    }

    /// nil for what was not signed with the secret, or holds no more.
    init?(_ text: String, secret: [UInt8], at date: Date) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let signature = Base64URL.decode(parts[1]),
            Secrets.areEqual(signature, Self.signature(String(parts[0]), secret)),
            let content = Base64URL.decode(parts[0]),
            let session = try? LaurelJSON.decode(SignedSession.self, from: Data(content)),
            Double(session.exp) > date.timeIntervalSince1970
        else { return nil }
        self = session
    }

    init(key: String, at date: Date) {
        self.key = key
        exp = Int(date.timeIntervalSince1970) + Self.seconds
    }

    init(token: LearnerToken, at date: Date) {
        self.token = token
        exp = min(token.exp, Int(date.timeIntervalSince1970) + Self.seconds)
    }

    /// The secret signs tokens, too, and neither must be taken for the other.
    private static func signature(_ content: String, _ secret: [UInt8]) -> [UInt8] {
        Secrets.authenticate(Array("laurel session\n\(content)".utf8), key: secret)
    }

    /// What a request's cookies say; nil without one.
    static func cookie(in head: HTTPRequestHead) -> String? {
        for field in head.headers.values(of: "Cookie") {
            for part in field.split(separator: ";") {
                let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if pair.count == 2, pair[0] == cookie { return String(pair[1]) }
            }
        }
        return nil
    }

    /// The header field that sets the cookie, or takes it back with nil.
    static func header(_ value: String?, for head: HTTPRequestHead) -> String {
        let secure = head.cameByTLS ? "; Secure" : ""
        return
            "\(cookie)=\(value ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(value == nil ? 0 : seconds)\(secure)"
    }
}

extension HTTPRequestHead {
    /// Whether a proxy has taken TLS off.
    fileprivate var cameByTLS: Bool {
        if headers["X-Forwarded-Proto"]?.lowercased() == "https" { return true }
        return headers["Forwarded"]?.lowercased().contains("proto=https") ?? false
    }

    /// Whether a page of this very service sends it, as browsers tell: by `Sec-Fetch-Site`, and those that do not know it, or where
    /// there is no TLS, by `Origin`.
    var isOfSameOrigin: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}

extension KeyRing {
    /// Exchanges a key or a token for what the cookie holds.
    func session(for credential: String, at date: Date = Date()) throws(Problem) -> String {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Authorization": "Bearer \(credential)"])
        let caller = try caller(of: head, token: nil, at: date)
        guard caller.scopes.contains(.read) || caller.scopes.contains(.admin) else {
            throw Problem(
                403,
                "missing-scope",
                "this key may only send events; looking around needs one with the scope read"
            )
        }
        let session =
            LearnerToken(credential, secret: tokenSecret, at: date).map { SignedSession(token: $0, at: date) }
            ?? SignedSession(key: caller.name, at: date)
        return session.signed(tokenSecret)
    }

    /// Who has signed in; nil without a cookie that holds.
    func signedIn(_ head: HTTPRequestHead, at date: Date) throws(Problem) -> Caller? {
        guard let text = SignedSession.cookie(in: head),
            let session = SignedSession(text, secret: tokenSecret, at: date)
        else { return nil }
        guard ["GET", "HEAD"].contains(head.method) || head.isOfSameOrigin else { throw .crossSite }
        if let token = session.token { return token.caller }
        guard let key = session.key.flatMap(key), key.expiresAt.map({ $0 > date }) ?? true else { return nil }
        return key.caller
    }
}

extension Problem {
    static let crossSite = Problem(
        403,
        "cross-site",
        "only pages of this service may change something: the request came from elsewhere"
    )
}
