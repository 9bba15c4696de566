// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelHTTP

/// A session of the dashboard. Its id is a random number in a cookie, and the store has only the id's hash. So a copy
/// of the store is not enough to sign in.
struct DashboardSession: Codable, Hashable, Sendable {
    /// The id of the key used to sign in.
    var key: String?
    /// The learner's token used to sign in.
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

    /// The credential used to sign in. The session ends when it becomes invalid.
    var credential: Caller.Credential { token.map { .token($0) } ?? key.map { .key($0) } ?? .none }

    /// The key or the learner, whose sessions are counted together.
    var owner: String { token.map { "learner:\($0.sub)" } ?? key ?? "" }

    static func hash(of id: String) -> String { SHA256.hash(Array(id.utf8)).hexadecimal }

    /// The session's id in the cookies of a request; nil without one.
    static func cookie(in head: HTTPRequestHead) -> String? {
        for field in head.headers.values(of: "Cookie") {
            for part in field.split(separator: ";") {
                let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if pair.count == 2, pair[0] == cookie { return String(pair[1]) }
            }
        }
        return nil
    }

    /// The header field that sets the cookie; nil removes it.
    static func header(_ id: String?, for head: HTTPRequestHead) -> String {
        let secure = head.cameByTLS ? "; Secure" : ""
        return "\(cookie)=\(id ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(id == nil ? 0 : seconds)\(secure)"
    }
}

extension HTTPRequestHead {
    /// True if a proxy has terminated TLS.
    fileprivate var cameByTLS: Bool {
        if headers["X-Forwarded-Proto"]?.lowercased() == "https" { return true }
        return headers["Forwarded"]?.lowercased().contains("proto=https") ?? false
    }

    /// True if the request comes from a page of this service, by `Sec-Fetch-Site`. Browsers without that header, or
    /// without TLS, send `Origin`.
    var isOfSameOrigin: Bool {
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
