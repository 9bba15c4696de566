// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelResults
import LaurelWire

/// A receiver of messages about learners and groups, by the Standard Webhooks specification. The value is stored in this form.
package struct Webhook: Codable, Sendable, Hashable {
    package var id: String
    package var url: String
    /// The values of ``Announcement/Kind`` to send; empty for all.
    package var events: [String]
    /// The secret in plain text, because it signs each message.
    package var secret: String
    package var createdAt: Date
    /// The time when the webhook was turned off because its receiver answered 410; nil if that did not happen.
    package var disabledAt: Date?

    package init(id: String, url: String, events: [String], secret: String, createdAt: Date) {
        (self.id, self.url, self.events) = (id, url, events)
        (self.secret, self.createdAt) = (secret, createdAt)
    }

    package func wants(_ kind: Announcement.Kind) -> Bool {
        disabledAt == nil && (events.isEmpty || events.contains(kind.rawValue))
    }
}

/// A message to one webhook. The store keeps the message until it is delivered.
package struct WebhookMessage: Codable, Sendable, Hashable {
    /// The message's id. It is the same at every attempt, so that receivers recognise repetitions.
    package let id: String
    package let webhook: String
    /// The learner that the message is about; nil for a message about a group.
    package let learner: String?
    /// The group that the message is about; nil for a message about a learner.
    package let group: String?
    package let body: String
    package let createdAt: Date
    /// The number of attempts so far.
    package var attempts = 0
    package var notBefore: Date
    /// The HTTP status of the latest attempt; nil before the first attempt, and if no response came.
    package var lastStatus: Int?

    package init(_ announcement: Announcement, to webhook: Webhook, at date: Date) {
        // The system's random number generator is cryptographically secure on every platform.
        var generator = SystemRandomNumberGenerator()
        id = "msg_" + (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
        self.webhook = webhook.id
        (createdAt, notBefore) = (date, date)
        var data = announcement.data
        switch announcement.subject {
        case .learner(let id):
            (learner, group) = (id, nil)
            data["learner"] = .string(id)
        case .group(let id):
            (learner, group) = (nil, id)
            data["group"] = .string(id)
        }
        let document: JSONValue = [
            "type": .string(announcement.kind.rawValue), "timestamp": .string(Timestamp.utc(date.milliseconds)),
            "data": .object(data),
        ]
        body = document.json
    }

    var subject: Announcement.Subject { group.map { .group($0) } ?? .learner(learner ?? "") }

    /// The name under which the message is stored. The names sort a webhook's messages by their due time.
    var recordName: String {
        "\(Outbox.prefix)\(webhook)/\(Outbox.key(notBefore))/\(subject.key)/\(id)"
    }
}
