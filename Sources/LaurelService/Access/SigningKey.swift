// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents

/// A secret that signs learners' tokens. A store has one active signing key. When a new key is made, the earlier keys
/// stay valid for a day.
struct SigningKey: Codable, Hashable, Sendable {
    /// The `kid` in the heads of the key's tokens; nil for the key of version 0.2, whose tokens have no `kid`.
    let id: String?
    /// The secret, in Base64 for URLs.
    let secret: String
    let createdAt: Date
    /// The time at which the key expires; nil for the active key.
    var endsAt: Date?
    let bytes: [UInt8]
    /// The encoded head of every token that the key signs.
    let head: String

    private enum CodingKeys: String, CodingKey { case id, secret, createdAt, endsAt }

    private struct Head: Encodable {
        var alg = "HS256"
        var kid: String?
        var typ = "JWT"
    }

    static func make(at date: Date) -> SigningKey {
        SigningKey(id: Secrets.random(4).hexadecimal, secret: Base64URL.encode(Secrets.random(32)), createdAt: date)
    }

    /// Creates a key from a secret that is not in the store.
    init(secret bytes: [UInt8], at date: Date) {
        self.init(id: SHA256.hash(bytes).prefix(4).hexadecimal, secret: Base64URL.encode(bytes), createdAt: date)
    }

    init(id: String?, secret: String, createdAt: Date, endsAt: Date? = nil) {
        (self.id, self.secret, self.createdAt, self.endsAt) = (id, secret, createdAt, endsAt)
        bytes = Base64URL.decode(secret) ?? []
        head = Base64URL.encode(Array(ServiceRecords.text(Head(kid: id)).utf8))
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decodeIfPresent(String.self, forKey: .id),
            secret: try members.decode(String.self, forKey: .secret),
            createdAt: try members.decode(Date.self, forKey: .createdAt),
            endsAt: try members.decodeIfPresent(Date.self, forKey: .endsAt)
        )
    }

    var recordName: String { ServiceRecords.signingKeys + (id ?? "former") }
    func isValid(at date: Date) -> Bool { !bytes.isEmpty && (endsAt.map { $0 > date } ?? true) }
}
