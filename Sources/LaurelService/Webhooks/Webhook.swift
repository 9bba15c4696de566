// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire

/// What only the service does with a webhook.
extension Webhook {
    /// Base64 follows it.
    static let secretPrefix = "whsec_"

    static func newSecret() -> String { secretPrefix + Data(Secrets.random(32)).base64EncodedString() }

    /// What messages are signed with.
    private var key: [UInt8] {
        Data(base64Encoded: String(secret.dropFirst(Self.secretPrefix.count))).map { Array($0) } ?? []
    }

    /// The value of `webhook-signature`.
    func signature(_ id: String, _ timestamp: Int, _ body: String) -> String {
        "v1," + Data(Secrets.authenticate(Array("\(id).\(timestamp).\(body)".utf8), key: key)).base64EncodedString()
    }

    /// What is told of it: its secret was shown once.
    var listing: JSONValue {
        [
            "id": .string(id), "url": .string(url), "events": .array(events.map { .string($0) }),
            "createdAt": .string(Timestamp.utc(createdAt.milliseconds)),
            "disabledAt": disabledAt.map { .string(Timestamp.utc($0.milliseconds)) } ?? .null,
        ]
    }
}

extension WebhookMessage {
    /// Seconds to wait after so many attempts; after the last, three days and more, nobody is there any more.
    static let waits: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
}
