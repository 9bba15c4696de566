// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore
import Synchronization

/// Messages that wait in the store to be sent to webhooks. A message is stored under the name
///
///     outbox/WEBHOOK/DUE/LEARNER/MESSAGE
///
/// with the due time in milliseconds, in a fixed number of digits, and the learner's id in hexadecimal digits. So the
/// due messages of a webhook are one range of names, and messages due later are not read.
enum Outbox {
    static let prefix = "outbox/"

    /// The bytes of the learner's id in a message's name. The message is stored in that learner's partition. So erasing
    /// the learner deletes the message.
    static func learner(of name: String) -> [UInt8] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let digits = parts.dropFirst(3).first.map { Array($0.utf8) } ?? []
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    static func key(_ date: Date) -> String {
        let digits = String(max(0, date.milliseconds))
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

extension ProgressEngine {
    /// The prefix of the names of webhooks' records.
    package static let webhooks = "webhook/"

    /// The due messages to a webhook, the earliest first, with the names of their records. An unreadable message is
    /// nil.
    /// - Parameter limit: the maximum number of messages.
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

    /// Records the results of deliveries. A message is not written again if the learner was erased or the webhook was
    /// removed meanwhile.
    /// - Parameters:
    ///   - outcomes: the messages to be sent again, by record name; nil for messages that are finished.
    ///   - webhooks: the webhooks whose records are replaced.
    package func settleMessages(
        _ outcomes: [String: WebhookMessage?],
        webhooks: [Webhook] = []
    ) throws(EngineError) {
        try EngineError.translating {
            let byPartition = Dictionary(grouping: outcomes) { store.partition(of: Outbox.learner(of: $0.key)) }
            if webhooks.isEmpty {
                for (partition, outcomes) in byPartition.sorted(by: { $0.key < $1.key }) {
                    try writeMessages(in: partition) { try $0.settle(outcomes) }
                }
                return
            }
            try store.writeAll { transaction in
                try transaction.settle(Array(outcomes))
                for webhook in webhooks where try transaction.serviceRecord(Self.webhooks + webhook.id) != nil {
                    let text = String(decoding: try LaurelJSON.encode(webhook), as: UTF8.self)
                    try transaction.setServiceRecord(Self.webhooks + webhook.id, text)
                }
            }
        }
    }

    /// Stores a message that was already sent, so that it is sent again.
    /// - Returns: false if its learner no longer exists.
    package func enqueue(_ message: WebhookMessage) throws(EngineError) -> Bool {
        try EngineError.translating {
            let learner = Outbox.learner(of: message.recordName)
            return try writeMessages(in: store.partition(of: learner)) { transaction in
                guard try transaction.learner(named: learner) != nil else { return false }
                try transaction.keep(message)
                return true
            }
        }
    }

    /// Removes a webhook and its waiting messages.
    /// - Parameter actor: the actor for the audit log; nil for no entry.
    /// - Returns: true if the webhook existed.
    package func removeWebhook(_ id: String, by actor: AuditActor? = nil) throws(EngineError) -> Bool {
        try EngineError.translating {
            try store.writeAll { transaction in
                guard try transaction.serviceRecord(Self.webhooks + id) != nil else { return false }
                try transaction.setServiceRecord(Self.webhooks + id, nil)
                for name in try transaction.serviceRecords(prefix: "\(Outbox.prefix)\(id)/").keys {
                    try transaction.setServiceRecord(name, nil)
                }
                try transaction.write(actor.map { AuditNote(.webhookRemoved, by: $0, target: id) })
                return true
            }
        }
    }

    /// Removes all messages about a learner, delivered or not.
    func forgetMessages(about learner: String, in transaction: any StoreTransaction) throws {
        let learner = Array(learner.utf8)
        for mark in WatchMark.allCases { try transaction.setServiceRecord(mark.rawValue + learner.hexadecimal, nil) }
        for name in try transaction.serviceRecords(prefix: Outbox.prefix).keys
        where Outbox.learner(of: name) == learner {
            try transaction.setServiceRecord(name, nil)
        }
    }

    /// The active webhooks, for a transaction that does not change them.
    func listeners(in transaction: any StoreTransaction) throws -> [Webhook] {
        let step = transaction.versions[0]
        // Webhooks are shared by all partitions. If there are several partitions, the version of one partition does not
        // show if webhooks have changed.
        if store.partitions == 1, let cached = listening.withLock({ $0.cached(in: step) }) { return cached }
        let records = try transaction.serviceRecords(prefix: Self.webhooks)
        return listening.withLock { $0.read(records, in: step) }
    }

    /// Changes messages, but neither progress nor webhooks. So the caches of progress and webhooks stay valid.
    func writeMessages<T>(
        in partition: Int,
        _ body: (any StoreTransaction) throws -> T
    ) throws -> T {
        let (result, versions) = try store.write(in: partition) { transaction in
            listening.withLock { _ = $0.cached(in: transaction.versions[0]) }
            return (try body(transaction), transaction.versions)
        }
        recent.commit(versions: versions)
        return result
    }
}

extension StoreTransaction {
    fileprivate func settle(_ outcomes: [(key: String, value: WebhookMessage?)]) throws {
        for (name, message) in outcomes.sorted(by: { $0.key < $1.key }) {
            guard try serviceRecord(name) != nil else { continue }
            try setServiceRecord(name, nil)
            if let message { try keep(message) }
        }
    }

    func enqueue(_ announcements: [Announcement], for webhooks: [Webhook]) throws {
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
