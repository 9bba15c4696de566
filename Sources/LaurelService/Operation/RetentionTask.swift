// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Deletes records after their retention time, at most once an hour.
final class RetentionTask: Sendable {
    private static let linesTogether = 1000
    private let engine: ProgressEngine
    private let jobs: Jobs
    private let webhooks: WebhookSender
    private let options: ServiceOptions
    private let hourly = HourlyWork()

    init(_ engine: ProgressEngine, _ jobs: Jobs, _ webhooks: WebhookSender, _ options: ServiceOptions) {
        (self.engine, self.jobs, self.webhooks, self.options) = (engine, jobs, webhooks, options)
    }

    /// - Parameter date: the present time, from which retention times are subtracted.
    func run(at date: Date) throws { try hourly.run(at: date) { try removeOld(at: date) } }

    private func removeOld(at date: Date) throws {
        func end(_ days: Int) -> Date { date - Double(days) * 86_400 }
        if let days = options.keepQuarantineDays { try removeQuarantined(before: end(days)) }
        if let days = options.keepJobsDays { try jobs.removeEnded(before: days) }
        if let days = options.keepWebhookMessagesDays { try webhooks.removeMessages(before: end(days), at: date) }
        if let days = options.keepAuditDays { try engine.removeAuditEntries(before: end(days)) }
    }

    /// Deletes old lines from quarantine. All lines are read, because a store with several partitions does not order
    /// lines by time.
    private func removeQuarantined(before end: Date) throws {
        var place = Int.min
        while true {
            let lines = try engine.quarantinedLines(after: place, limit: Self.linesTogether)
            let old = lines.filter { $0.receivedAt < end }.map(\.id)
            if !old.isEmpty { _ = try engine.dropQuarantined(old) }
            guard let next = lines.last?.id, lines.count == Self.linesTogether else { return }
            place = next
        }
    }
}

extension WebhookSender {
    private static let messagesTogether = 1000

    /// Deletes messages that were created before an instant. A waiting message is deleted when its next attempt is due.
    func removeMessages(before end: Date, at date: Date) throws {
        sent.keep { $0.createdAt >= end }
        for webhook in keys.records.webhooks {
            while true {
                let due = try engine.dueMessages(to: webhook.id, at: date, limit: Self.messagesTogether)
                let old = due.filter { $0.message.map { $0.createdAt < end } ?? false }.map(\.name)
                if !old.isEmpty {
                    try engine.settleMessages(Dictionary(uniqueKeysWithValues: old.map { ($0, nil) }))
                }
                if due.count < Self.messagesTogether || old.isEmpty { break }
            }
        }
    }
}
