// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents

/// A secret that learners' tokens are signed with. A store has one that signs, and for a day those before it.
struct SigningKey: Codable, Hashable, Sendable {
    /// Of tokens, the `kid` in their heads; nil for the one of version 0.2, whose tokens name none.
    var id: String?
    /// Base64 for URLs.
    var secret: String
    var createdAt: Date
    /// nil: it signs.
    var endsAt: Date?

    static func make(at date: Date) -> SigningKey {
        SigningKey(id: Secrets.random(4).hexadecimal, secret: Base64URL.encode(Secrets.random(32)), createdAt: date)
    }

    /// The key of a secret that lies outside the store.
    init(secret bytes: [UInt8], at date: Date) {
        self.init(
            id: SHA256.hash(bytes).prefix(4).hexadecimal,
            secret: Base64URL.encode(bytes),
            createdAt: date,
            endsAt: nil
        )
    }

    init(id: String?, secret: String, createdAt: Date, endsAt: Date? = nil) {
        (self.id, self.secret, self.createdAt, self.endsAt) = (id, secret, createdAt, endsAt)
    }

    var bytes: [UInt8] { Base64URL.decode(secret) ?? [] }
    var recordName: String { ServiceRecords.signingKeys + (id ?? "former") }
    func isValid(at date: Date) -> Bool { !bytes.isEmpty && (endsAt.map { $0 > date } ?? true) }
}

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

    private struct Head: Codable {
        var alg: String
        var kid: String?
        var typ: String
    }

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
        let head = Head(alg: "HS256", kid: signer.id, typ: "JWT")
        let content = [ServiceRecords.text(head), ServiceRecords.text(self)].map { Base64URL.encode(Array($0.utf8)) }
            .joined(separator: ".")
        return "\(content).\(Base64URL.encode(Secrets.authenticate(Array(content.utf8), key: signer.bytes)))"
    }

    /// nil for a text that none of the keys has signed, or a token that has expired.
    init?(_ text: String, signers: [SigningKey], at date: Date) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]),
            let head: Head = Self.decode(parts[0]), head.alg == "HS256", head.typ == "JWT",
            let signer = signers.first(where: { $0.id == head.kid }), signer.isValid(at: date),
            Secrets.areEqual(
                signature,
                Secrets.authenticate(Array("\(parts[0]).\(parts[1])".utf8), key: signer.bytes)
            ),
            let token: LearnerToken = Self.decode(parts[1]), token.isValid(at: date)
        else { return nil }
        self = token
    }

    private static func decode<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(text).flatMap { try? JSONDecoder().decode(Part.self, from: Data($0)) }
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
