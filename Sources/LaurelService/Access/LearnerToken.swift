// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents

/// A token for one learner: a JSON Web Token (RFC 7519) signed with HS256. Every node that has the store's signing keys
/// can check the token without reading the store.
struct LearnerToken: Codable, Hashable, Sendable {
    var sub: String
    /// The scopes, separated by spaces as in OAuth.
    var scope: String
    /// The time of creation, in seconds since 1970.
    var iat: Double
    var exp: Double
    /// The id of the key that made the token; nil if the service had no keys. When the key becomes invalid, the token
    /// does, too.
    var key: String?
    /// Event types that the token may send besides the ordinary ones; nil for none.
    var types: [String]?
    /// The id of the signing key. It is set when a token is checked, from the token's head and not from its claims.
    var signer: String?

    /// The longest lifetime of a token, in seconds.
    static let longest = 24 * 3600

    init(
        learner: String,
        scopes: [Scope],
        seconds: Int,
        types: [String]? = nil,
        madeBy key: String? = nil,
        at date: Date
    ) {
        sub = learner
        scope = scopes.map(\.rawValue).joined(separator: " ")
        iat = (date.timeIntervalSince1970 * 1000).rounded() / 1000
        exp = iat + Double(min(max(seconds, 1), Self.longest))
        (self.key, self.types) = (key, types)
    }

    func signed(_ signer: SigningKey) -> String {
        let content = "\(signer.head).\(Base64URL.encode(Array(ServiceRecords.text(self).utf8)))"
        return "\(content).\(Base64URL.encode(HMACSHA256(key: signer.bytes).hash(Array(content.utf8))))"
    }

    /// Reads a token; returns nil if no given key has signed it, or if it has expired.
    init?(_ text: String, signers: [SigningKey], at date: Date) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // The service writes only the heads of its own signing keys. So a token with another head, such as another
        // algorithm, is refused before it is parsed.
        guard parts.count == 3, let signer = signers.first(where: { $0.head == parts[0] }), signer.isValid(at: date),
            let signature = Base64URL.decode(parts[2]),
            Secrets.areEqual(
                signature,
                HMACSHA256(key: signer.bytes).hash(Array("\(parts[0]).\(parts[1])".utf8))
            ),
            let claims = Base64URL.decode(parts[1]),
            let token = try? JSONDecoder().decode(LearnerToken.self, from: Data(claims)), token.isValid(at: date)
        else { return nil }
        self = token
        self.signer = signer.id
    }

    func isValid(at date: Date) -> Bool { exp > date.timeIntervalSince1970 }
    var expiresAt: Date { Date(timeIntervalSince1970: exp) }

    var caller: Caller {
        // A token never has the scope `admin`, even if its claims contain it.
        let named = Set(scope.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
        var caller = Caller(name: "\(Caller.learnerPrefix)\(sub)", scopes: named.intersection([.ingest, .read]))
        (caller.learner, caller.types, caller.key, caller.credential) = (sub, Set(types ?? []), key, .token(self))
        return caller
    }
}
