// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// A token for one learner: a JSON Web Token (RFC 7519) signed with HS256, so that every node that has the store's secret can check it
/// without asking.
struct LearnerToken: Codable, Hashable {
    var sub: String
    /// Separated by spaces, as OAuth has it.
    var scope: String
    /// Seconds since 1970.
    var iat: Int
    var exp: Int

    /// Seconds that a token may hold at most.
    static let longest = 24 * 3600
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    func signed(_ secret: [UInt8]) -> String {
        let content = "\(Self.header).\(Base64URL.encode(Array(ServiceRecords.text(self).utf8)))"
        return "\(content).\(Base64URL.encode(Secrets.authenticate(Array(content.utf8), key: secret)))"
    }

    /// nil for what was not signed with the secret, or holds no more.
    init?(_ text: String, secret: [UInt8], at date: Date) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // No other header is signed here, so none with another algorithm, or none at all, need be read.
        guard parts.count == 3, parts[0] == Self.header, let signature = Base64URL.decode(parts[2]),
            Secrets.areEqual(signature, Secrets.authenticate(Array("\(parts[0]).\(parts[1])".utf8), key: secret)),
            let content = Base64URL.decode(parts[1]),
            let token = try? JSONDecoder().decode(LearnerToken.self, from: Data(content)),
            Double(token.exp) > date.timeIntervalSince1970
        else { return nil }
        self = token
    }

    init(learner: String, scopes: [Scope], seconds: Int, at date: Date) {
        sub = learner
        scope = scopes.map(\.rawValue).joined(separator: " ")
        iat = Int(date.timeIntervalSince1970)
        exp = iat + min(max(seconds, 1), Self.longest)
    }

    var caller: Caller {
        let scopes = scope.split(separator: " ").compactMap { Scope(rawValue: String($0)) }
        // Whatever a token says, it administers nothing.
        return Caller(name: "learner:\(sub)", scopes: Set(scopes).subtracting([.admin]), learner: sub)
    }
}
