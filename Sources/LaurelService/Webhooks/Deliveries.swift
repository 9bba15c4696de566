// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// A message to a webhook, and the state of its delivery.
struct Delivery: Codable, Sendable {
    /// The message's id, the same at every attempt.
    var id: String
    /// The webhook's id.
    var webhook: String
    /// Type of the message, such as `level.reached`.
    var event: String
    /// Learner that the message is about; null for a message about a group.
    var learner: String?
    /// Group that the message is about; null for a message about a learner.
    var group: String?
    /// Time of the message.
    var createdAt: Date
    /// Attempts so far.
    var attempts: Int
    /// The state: `waiting`, `delivered`, `failed`, `gone` or `refused`.
    var state: String
    /// Time of the next attempt; null unless the message waits.
    var nextAttemptAt: Date?
    /// HTTP status of the latest attempt; null before the first, and if no answer came.
    var lastStatus: Int?

    init(_ message: WebhookMessage, state: String) {
        (id, webhook, learner, group) = (message.id, message.webhook, message.learner, message.group)
        (createdAt, attempts, self.state) = (message.createdAt, message.attempts, state)
        lastStatus = message.lastStatus
        event = ""
        if case .object(let members)? = JSONValue(validated: Array(message.body.utf8)),
            case .string(let type)? = members["type"]
        {
            event = type
        }
        if state == "waiting" { nextAttemptAt = message.notBefore }
    }
}

/// The latest messages that this node has sent, to view and to send again.
final class Deliveries: Sendable {
    private static let most = 1000
    private static let mostPerWebhook = 100
    private let sent = Mutex<[(message: WebhookMessage, state: String)]>([])

    func note(_ message: WebhookMessage, _ state: String) {
        sent.withLock { sent in
            sent.append((message, state))
            if sent.count > Self.most { sent.removeFirst(sent.count - Self.most) }
        }
    }

    /// The messages to a webhook, the newest first.
    func all(to webhook: String) -> [Delivery] {
        sent.withLock { sent in
            sent.reversed().lazy.filter { $0.message.webhook == webhook }.prefix(Self.mostPerWebhook)
                .map { Delivery($0.message, state: $0.state) }
        }
    }

    func message(_ id: String, to webhook: String) -> WebhookMessage? {
        sent.withLock { sent in
            sent.last { $0.message.id == id && $0.message.webhook == webhook }?.message
        }
    }

    /// Removes the messages that do not satisfy a condition.
    func keep(where condition: (WebhookMessage) throws -> Bool) rethrows {
        let present = sent.withLock { $0 }
        let removed = Set(try present.lazy.map(\.message).filter { try !condition($0) }.map(\.id))
        if !removed.isEmpty { sent.withLock { sent in sent.removeAll { removed.contains($0.message.id) } } }
    }
}

extension WebhookSender {
    private static let mostWaiting = 100

    func deliveries(of webhook: String) throws -> [Delivery] {
        guard isKnown(webhook) else { throw Problem.notFound("there is no such webhook") }
        let waiting = try engine.dueMessages(to: webhook, at: .distantFuture, limit: Self.mostWaiting)
        try forgetErased()
        return waiting.compactMap { $0.message.map { Delivery($0, state: "waiting") } }.reversed()
            + sent.all(to: webhook)
    }

    /// Removes sent messages about learners that are no longer in the store. Any process may have erased these
    /// learners.
    func forgetErased() throws { try sent.keep { try $0.learner.map { try engine.learner($0).isKnown() } ?? true } }

    /// Sends a message at once, even if it waits or was sent already.
    func sendAgain(_ id: String, to webhook: String) throws {
        guard isKnown(webhook) else { throw Problem.notFound("there is no such webhook") }
        let waiting = try engine.dueMessages(to: webhook, at: .distantFuture, limit: Self.mostWaiting)
        if let (name, message) = waiting.first(where: { $0.message?.id == id }), var message {
            message.notBefore = Date()
            return try engine.settleMessages([name: message])
        }
        if var message = sent.message(id, to: webhook) {
            (message.notBefore, message.attempts) = (Date(), 0)
            if try engine.enqueue(message) { return }
        }
        throw Problem.notFound("there is no such message; this node remembers the last ones that it has sent")
    }

    private func isKnown(_ webhook: String) -> Bool { keys.records.webhooks.contains { $0.id == webhook } }
}
