// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents

/// A token for one learner: a JSON Web Token (RFC 7519) signed with HS256. Every node that has the store's signing keys checks it
/// without asking.
struct LearnerToken: Codable, Hashable, Sendable {
    var sub: String
    /// Separated by spaces, as OAuth has it.
    var scope: String
    /// Seconds since 1970.
    var iat: Double
    var exp: Double
    /// The id of the key that made it, with which it ends.
    var key: String?
    /// Event types that it may send beside the ordinary ones.
    var types: [String]?
    /// The id of the signing key of a token that was checked. The token's head says it, not its claims.
    var signer: String?

    /// The most seconds that a token may hold.
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
        return "\(content).\(Base64URL.encode(Secrets.authenticate(Array(content.utf8), key: signer.bytes)))"
    }

    /// nil for a text that none of the keys has signed, or a token that has expired.
    init?(_ text: String, signers: [SigningKey], at date: Date) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // No other heads are signed, so one with another algorithm, or none, need not be read.
        guard parts.count == 3, let signer = signers.first(where: { $0.head == parts[0] }), signer.isValid(at: date),
            let signature = Base64URL.decode(parts[2]),
            Secrets.areEqual(
                signature,
                Secrets.authenticate(Array("\(parts[0]).\(parts[1])".utf8), key: signer.bytes)
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
        // A token administers nothing, whatever it says.
        let named = Set(scope.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
        var caller = Caller(name: "\(Caller.learnerPrefix)\(sub)", scopes: named.intersection([.ingest, .read]))
        (caller.learner, caller.types, caller.key, caller.credential) = (sub, Set(types ?? []), key, .token(self))
        return caller
    }
}
