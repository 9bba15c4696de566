// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore
import Synchronization

/// Messages that wait in the store to be sent to webhooks. A message is stored under the name
///
///     outbox/WEBHOOK/DUE/SUBJECT/MESSAGE
///
/// with the due time in milliseconds, in a fixed number of digits. SUBJECT is the learner's id in hexadecimal digits, or
/// `group-` and a group's id. So the due messages of a webhook are one range of names, and messages due later are not
/// read.
enum Outbox {
    static let prefix = "outbox/"

    /// The part of a message's name that is ``Announcement/Subject/key``. The message is stored in the partition of the
    /// subject's id. So erasing a learner deletes the learner's messages.
    static func subject(of name: String) -> Substring {
        name.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).first ?? ""
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
            let byPartition = Dictionary(grouping: outcomes) { outcome in
                store.partition(of: Announcement.Subject(key: Outbox.subject(of: outcome.key)))
            }
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
    /// - Returns: false if the message is about a learner who no longer exists.
    package func enqueue(_ message: WebhookMessage) throws(EngineError) -> Bool {
        try EngineError.translating {
            try writeMessages(in: store.partition(of: message.subject)) { transaction in
                guard try transaction.mayAnnounce(message.subject) else { return false }
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
        let subject = Announcement.Subject.learner(learner)
        for mark in WatchMark.allCases { try transaction.setServiceRecord(mark.record(of: subject), nil) }
        for name in try transaction.serviceRecords(prefix: Outbox.prefix).keys
        where Outbox.subject(of: name) == subject.key {
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

extension EventStore {
    /// The partition that holds the messages and marks about a subject.
    func partition(of subject: Announcement.Subject) -> Int { partition(of: Array(subject.id.utf8)) }
}

extension StoreTransaction {
    /// False if the subject is a learner who was erased.
    func mayAnnounce(_ subject: Announcement.Subject) throws -> Bool {
        guard case .learner(let id) = subject else { return true }
        return try learner(named: Array(id.utf8)) != nil
    }

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
