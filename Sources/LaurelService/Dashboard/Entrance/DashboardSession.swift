// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelHTTP

/// A session of the dashboard. The session's id is a random number in a cookie. The store contains only a hash of the
/// id, so nobody can sign in with a copy of the store.
struct DashboardSession: Codable, Hashable, Sendable {
    /// The id of the key that was used to sign in; nil for a token.
    var key: String?
    /// The learner's token that was used to sign in; nil for a key.
    var token: LearnerToken?
    var expiresAt: Date

    static let cookie = "laurel_session"
    static let seconds = 12 * 3600

    init(_ credential: Caller.Credential, at date: Date) {
        expiresAt = date + Double(Self.seconds)
        switch credential {
        case .key(let id): key = id
        case .token(let shown):
            token = shown
            expiresAt = min(expiresAt, shown.expiresAt)
        case .none, .session: break
        }
    }

    /// The credential that was used to sign in. When the credential becomes invalid, the session ends.
    var credential: Caller.Credential { token.map { .token($0) } ?? key.map { .key($0) } ?? .none }

    /// The owner of the session: a key, or a learner. The number of sessions is limited for each owner.
    var owner: String { token.map { "learner:\($0.sub)" } ?? key ?? "" }

    static func hash(of id: String) -> String { SHA256.hash(Array(id.utf8)).hexadecimal }

    /// The session's id in the cookies of a request; nil without one.
    static func cookie(in head: HTTPRequestHead) -> String? { head.cookie(cookie) }

    /// The header field that sets the cookie; nil removes it.
    static func header(_ id: String?, for head: HTTPRequestHead) -> String {
        let secure = head.isSecure ? "; Secure" : ""
        return "\(cookie)=\(id ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(id == nil ? 0 : seconds)\(secure)"
    }
}

extension HTTPRequestHead {
    /// The value of a cookie; nil without one.
    func cookie(_ name: String) -> String? {
        for field in headers.values(of: "Cookie") {
            for part in field.split(separator: ";") {
                let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if pair.count == 2, pair[0] == name { return String(pair[1]) }
            }
        }
        return nil
    }

    /// True if a proxy received the request over TLS.
    var isSecure: Bool {
        if headers["X-Forwarded-Proto"]?.lowercased() == "https" { return true }
        return headers["Forwarded"]?.lowercased().contains("proto=https") ?? false
    }

    /// The address of this service as the client sees it, without a path.
    var origin: String { "\(isSecure ? "https" : "http")://\(headers["Host"] ?? "localhost:8080")" }

    /// True if the request comes from a page of this service, according to `Sec-Fetch-Site`. Without that header,
    /// `Origin` decides. Some browsers never send `Sec-Fetch-Site`, and no browser sends it without TLS.
    var isSameOrigin: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}

extension Problem {
    static let crossSite = Problem(
        403,
        "cross-site",
        "only pages of this service may change something: the request came from elsewhere"
    )
}
