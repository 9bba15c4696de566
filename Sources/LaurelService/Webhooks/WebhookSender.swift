// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelSystem
import LaurelWire
import Synchronization

/// Sends the messages that wait in the store, including those that other processes wrote. A message is sent again,
/// after growing pauses, until the receiver accepts it. So a receiver may get a message more than once.
final class WebhookSender: Sendable {
    /// The maximum number of messages in transfer: in all, and to one webhook. One slow receiver cannot use all
    /// transfers.
    private static let (together, togetherToOne) = (128, 32)
    /// The maximum number of messages of a webhook that are read in one query.
    private static let readTogether = 256
    private static let timeout = 15.0
    /// The milliseconds between two searches for due messages.
    private static let pause: Int64 = 100

    let engine: ProgressEngine
    let keys: KeyRing
    let sent = Deliveries()
    private let metrics: Metrics
    private let duty: Duty
    private let options: ServiceOptions
    private let log: RequestLog
    private let isClosed = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter duty: the duty of sending messages. Only the service that has this duty sends them.
    /// - Throws: ``EngineError/outOfThreads``.
    init(
        _ engine: ProgressEngine,
        _ keys: KeyRing,
        _ duty: Duty,
        _ metrics: Metrics,
        _ options: ServiceOptions,
        _ log: RequestLog
    ) throws(EngineError) {
        (self.engine, self.keys, self.duty, self.metrics) = (engine, keys, duty, metrics)
        (self.options, self.log) = (options, log)
        guard options.role.works else {
            ended.signal()
            return
        }
        let isRunning = SystemThread.start("laurel webhooks") { [self] in
            run()
            ended.signal()
        }
        guard isRunning else { throw .outOfThreads }
    }

    /// Stops sending. Messages in transfer are sent again by the next service that uses the store.
    func close() {
        isClosed.withLock { $0 = true }
        ended.wait()
    }

    // MARK: Sending

    /// The state that only the thread of the sender uses.
    private struct Work {
        let client: WebhookClient
        /// The messages in transfer, each with the name of its record, by the client's tags.
        var inFlight: [Int: (name: String, message: WebhookMessage)] = [:]
        /// The due messages. They are sent as soon as fewer messages are in transfer. Each search reads them again.
        var queue: [(message: WebhookMessage, name: String, webhook: Webhook)] = []
        /// The messages whose outcome must be stored; nil for a message that cannot be read.
        var ended: [(name: String, message: WebhookMessage?, outcome: WebhookClient.Outcome)] = []
    }

    private func run() {
        var work = Work(client: WebhookClient(timeout: Self.timeout, allowsPrivate: options.allowsPrivateWebhooks))
        let clock = ContinuousClock()
        while !isClosed.withLock({ $0 }) {
            do { try startDeliveries(&work) } catch { log.event("failure", [("error", .string("\(error)"))]) }
            let end = clock.now + .milliseconds(Self.pause)
            while clock.now < end {
                sendQueued(&work)
                let left = max(1, Int32(clock.now.duration(to: end).inSeconds * 1000))
                for (tag, outcome, status) in work.client.wait(milliseconds: left) {
                    guard let (name, sent) = work.inFlight.removeValue(forKey: tag) else { continue }
                    var message = sent
                    message.lastStatus = status
                    work.ended.append((name, message, outcome))
                }
            }
            settle(&work)
        }
    }

    private func startDeliveries(_ work: inout Work) throws {
        work.queue = []
        let webhooks = keys.records.webhooks.filter { $0.disabledAt == nil }
        guard !webhooks.isEmpty, try duty.isOurs() else { return }
        let sent = Set(work.inFlight.values.map(\.name) + work.ended.map(\.name))
        for webhook in webhooks {
            let due = try engine.dueMessages(to: webhook.id, at: options.now(), limit: Self.readTogether)
            for (name, message) in due where !sent.contains(name) {
                if let message {
                    work.queue.append((message, name, webhook))
                } else {
                    work.ended.append((name, nil, .gone))
                }
            }
        }
    }

    private func sendQueued(_ work: inout Work) {
        guard !work.queue.isEmpty, work.inFlight.count < Self.together else { return }
        var counts = work.inFlight.values.reduce(into: [:]) { $0[$1.message.webhook, default: 0] += 1 }
        var queue = work.queue
        queue.removeAll { message, name, webhook in
            guard work.inFlight.count < Self.together, counts[webhook.id, default: 0] < Self.togetherToOne else {
                return false
            }
            if let tag = work.client.send(request(message, to: webhook)) {
                work.inFlight[tag] = (name, message)
                counts[webhook.id, default: 0] += 1
            } else {
                var unsent = message
                unsent.lastStatus = nil
                work.ended.append((name, unsent, .failed))
            }
            return true
        }
        work.queue = queue
    }

    private func request(_ message: WebhookMessage, to webhook: Webhook) -> WebhookClient.Request {
        let timestamp = Int(Date().timeIntervalSince1970)
        return WebhookClient.Request(
            url: webhook.url,
            headers: [
                ("Content-Type", "application/json"), ("User-Agent", "Laurel"), ("Expect", ""),
                ("webhook-id", message.id), ("webhook-timestamp", "\(timestamp)"),
                ("webhook-signature", webhook.signature(message.id, timestamp, message.body)),
            ],
            body: message.body
        )
    }

    private func settle(_ work: inout Work) {
        guard !work.ended.isEmpty else { return }
        let (webhooks, date) = (keys.records.webhooks, options.now())
        var (changes, disabled): ([String: WebhookMessage?], [Webhook]) = ([:], [])
        var noted: [(message: WebhookMessage, state: String)] = []
        for (name, message, outcome) in work.ended {
            changes[name] = .some(nil)
            guard var message else { continue }
            message.attempts += 1
            noted.append((message, outcome.name))
            switch outcome {
            case .delivered: break
            case .gone:
                guard var webhook = webhooks.first(where: { $0.id == message.webhook }), webhook.disabledAt == nil,
                    !disabled.contains(where: { $0.id == webhook.id })
                else { break }
                webhook.disabledAt = date
                disabled.append(webhook)
                log.event("webhook-disabled", [("webhook", .string(webhook.id))])
            case .failed, .refused:
                guard message.attempts <= WebhookMessage.waits.count else {
                    log.event("webhook-message-dropped", [("webhook", .string(message.webhook))])
                    break
                }
                message.notBefore = date + WebhookMessage.waits[message.attempts - 1] * Double.random(in: 0.9...1.1)
                changes[name] = message
            }
        }
        do {
            try engine.settleMessages(changes, webhooks: disabled)
            // Each message is counted once, even if storing its outcome took several attempts.
            for (_, _, outcome) in work.ended { metrics.noteWebhook(outcome.counted) }
            for (message, state) in noted { sent.note(message, state) }
            work.ended = []
            if !disabled.isEmpty { try keys.reload() }
        } catch {
            // The outcome was not stored, and the next pass tries again. If the process ends before, the message is
            // delivered once more.
            log.event("failure", [("error", .string("\(error)"))])
        }
    }
}
