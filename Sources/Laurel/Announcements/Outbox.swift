// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore
import Synchronization

/// Messages that wait in the store to be sent to webhooks, each under the name
///
///     outbox/WEBHOOK/DUE/LEARNER/MESSAGE
///
/// with the instant at which it is due in milliseconds, in digits of one length, and the learner's id in hexadecimal digits. So the
/// messages of a webhook that are due are a stretch of the table, and those that are not are never looked at.
enum Outbox {
    static let prefix = "outbox/"

    static func key(_ date: Date) -> String {
        let digits = String(max(0, date.milliseconds))
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

extension ProgressEngine {
    /// Before the ids of webhooks, in the names of their records.
    package static let webhooks = "webhook/"
    /// The learners who were told that their streak is at risk, with the day.
    package static let streaksAtRisk = "at-risk/"

    /// The messages to a webhook that are due, the earliest first, each with the name of its record; nil for one that cannot be read.
    /// - Parameter limit: so many at most.
    package func dueMessages(
        to webhook: String,
        at date: Date,
        limit: Int
    ) throws(EngineError) -> [(name: String, message: WebhookMessage?)] {
        try EngineError.translating {
            let prefix = "\(Outbox.prefix)\(webhook)/"
            let end = prefix + Outbox.key(date) + "0"
            let records = try store.read { try $0.serviceRecords(prefix: prefix, before: end, limit: limit) }
            return records.sorted { $0.key < $1.key }.map {
                ($0.key, try? LaurelJSON.decode(WebhookMessage.self, from: Data($0.value.utf8)))
            }
        }
    }

    /// Records the outcome of deliveries. A message that was erased meanwhile, or whose webhook is gone, does not come
    /// back.
    /// - Parameters:
    ///   - outcomes: by the names of their records, the messages that are to be sent again; nil for those that are done.
    ///   - webhooks: to be kept in place of what is known of them.
    package func settleMessages(
        _ outcomes: [String: WebhookMessage?],
        webhooks: [Webhook] = []
    ) throws(EngineError) {
        try EngineError.translating {
            try store.write { transaction in
                for (name, message) in outcomes.sorted(by: { $0.key < $1.key }) {
                    guard try transaction.serviceRecord(name) != nil else { continue }
                    try transaction.setServiceRecord(name, nil)
                    if let message { try transaction.keep(message) }
                }
                for webhook in webhooks where try transaction.serviceRecord(Self.webhooks + webhook.id) != nil {
                    let text = String(decoding: try LaurelJSON.encode(webhook), as: UTF8.self)
                    try transaction.setServiceRecord(Self.webhooks + webhook.id, text)
                }
            }
        }
    }

    /// Writes a message that was sent already, to be sent again.
    package func leave(_ message: WebhookMessage) throws(EngineError) {
        try EngineError.translating { try store.write { try $0.keep(message) } }
    }

    /// Writes a message for each webhook that asked for it.
    /// - Parameters:
    ///   - announcements: what they are told.
    ///   - records: kept in the same transaction, by name.
    package func announce(
        _ announcements: [Announcement],
        keeping records: [String: String] = [:]
    ) throws(EngineError) {
        try EngineError.translating {
            try store.write { transaction in
                for (name, value) in records { try transaction.setServiceRecord(name, value) }
                try transaction.leave(announcements, for: listeners(in: transaction))
            }
        }
    }

    /// Removes a webhook, and what waits for it.
    /// - Returns: whether there was one.
    package func removeWebhook(_ id: String) throws(EngineError) -> Bool {
        try EngineError.translating {
            try store.write { transaction in
                guard try transaction.serviceRecord(Self.webhooks + id) != nil else { return false }
                try transaction.setServiceRecord(Self.webhooks + id, nil)
                for name in try transaction.serviceRecords(prefix: "\(Outbox.prefix)\(id)/").keys {
                    try transaction.setServiceRecord(name, nil)
                }
                return true
            }
        }
    }

    /// Removes all messages about a learner, delivered or not.
    func forgetMessages(about learner: String, in transaction: any StoreTransaction) throws {
        let digits = Array(learner.utf8).hexadecimal
        try transaction.setServiceRecord(Self.streaksAtRisk + digits, nil)
        for name in try transaction.serviceRecords(prefix: Outbox.prefix).keys
        where name.split(separator: "/").dropFirst(3).first.map(String.init) == digits {
            try transaction.setServiceRecord(name, nil)
        }
    }

    /// The active webhooks, as a transaction sees them.
    func listeners(in transaction: any StoreTransaction) throws -> [Webhook] {
        let records = try transaction.serviceRecords(prefix: Self.webhooks)
        guard !records.isEmpty else { return [] }
        // Decoding them each time would take longer than a small transaction may.
        return listening.withLock { known in
            if known.records != records {
                let webhooks = records.sorted { $0.key < $1.key }.compactMap {
                    try? LaurelJSON.decode(Webhook.self, from: Data($0.value.utf8))
                }
                known = (records, webhooks.filter { $0.disabledAt == nil })
            }
            return known.webhooks
        }
    }
}

extension StoreTransaction {
    func leave(_ announcements: [Announcement], for webhooks: [Webhook]) throws {
        let date = Date()
        for announcement in announcements {
            for webhook in webhooks where webhook.wants(announcement.kind) {
                try keep(WebhookMessage(announcement, to: webhook, at: date))
            }
        }
    }

    fileprivate func keep(_ message: WebhookMessage) throws {
        try setServiceRecord(message.recordName, String(decoding: try LaurelJSON.encode(message), as: UTF8.self))
    }
}
