// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelResults

/// The parts of a webhook that only the service needs.
extension Webhook {
    /// The prefix of a secret; Base64 follows.
    static let secretPrefix = "whsec_"

    static func newSecret() -> String { secretPrefix + Data(Secrets.random(32)).base64EncodedString() }

    /// The key that signs messages.
    private var key: [UInt8] {
        Data(base64Encoded: String(secret.dropFirst(Self.secretPrefix.count))).map { Array($0) } ?? []
    }

    /// The value of `webhook-signature`.
    func signature(_ id: String, _ timestamp: Int, _ body: String) -> String {
        "v1," + Data(HMACSHA256(key: key).hash(Array("\(id).\(timestamp).\(body)".utf8))).base64EncodedString()
    }
}

/// A webhook, as lists show it.
struct WebhookListing: Codable {
    /// Time when it was added.
    var createdAt: Date
    /// Time when an answer of status 410 disabled the webhook; null while it is enabled.
    var disabledAt: Date?
    /// Types of messages to send; empty for all.
    var events: [String]
    /// The webhook's id.
    var id: String
    /// Secret that messages are signed with; only in the answer to the request that adds the webhook.
    var secret: String?
    /// Address that messages go to.
    var url: String

    private enum CodingKeys: OmittableKey {
        case createdAt, disabledAt, events, id, secret, url

        var isOmittedIfNil: Bool { self == .secret }
    }

    init(_ webhook: Webhook, secret: String? = nil) {
        (id, url, events, self.secret) = (webhook.id, webhook.url, webhook.events, secret)
        (createdAt, disabledAt) = (webhook.createdAt, webhook.disabledAt)
    }
}

extension WebhookMessage {
    /// The seconds to wait after each failed attempt. After the last attempt, more than three days after the first one,
    /// the message is given up.
    static let waits: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
}
