import Dispatch
import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends what waits, each message until it is taken: at least once, with growing pauses.
final class WebhookSender: Sendable {
    /// Messages that are taken up at a time.
    private static let together = 64
    private static let timeout = 15.0

    private let engine: ProgressEngine
    private let keys: KeyRing
    private let metrics: Metrics
    private let options: ServiceOptions
    private let log: RequestLog
    private let client: WebhookClient
    private let isClosed = Mutex(false)

    init(_ engine: ProgressEngine, _ keys: KeyRing, _ metrics: Metrics, _ options: ServiceOptions, _ log: RequestLog) {
        (self.engine, self.keys, self.metrics, self.options, self.log) = (engine, keys, metrics, options, log)
        client = WebhookClient(timeout: Self.timeout)
    }

    /// Makes messages of what a transaction has brought about; nil where there are no webhooks.
    var recorder: AnnouncementRecorder? {
        let webhooks = keys.records.webhooks
        guard !webhooks.isEmpty else { return nil }
        return { Self.records($0, to: webhooks, at: Date()) }
    }

    private static func records(_ announcements: [Announcement], to webhooks: [Webhook], at date: Date) -> [String:
        String]
    {
        var records: [String: String] = [:]
        for announcement in announcements {
            for webhook in webhooks where webhook.wants(announcement.kind) {
                let message = WebhookMessage(announcement, to: webhook, at: date)
                records[message.name(of: announcement.learner)] = ServiceRecords.text(message)
            }
        }
        return records
    }

    func close() {
        isClosed.withLock { $0 = true }
        client.close()
    }

    // MARK: Sending

    /// Tries what is due, a few at a time, and waits for the answers.
    func sendDue(at date: Date = Date()) {
        let webhooks = keys.records.webhooks
        guard !webhooks.isEmpty,
            let waiting = try? engine.serviceRecords(prefix: ProgressEngine.messages, limit: 10_000)
        else { return }
        let due = waiting.compactMap { name, text -> (String, WebhookMessage)? in
            guard let message = try? LaurelJSON.decode(WebhookMessage.self, from: Data(text.utf8)),
                message.notBefore <= date
            else { return nil }
            return (name, message)
        }.sorted { ($0.1.createdAt, $0.1.id) < ($1.1.createdAt, $1.1.id) }
        let group = DispatchGroup()
        let outcomes = Mutex<[(String, WebhookMessage, WebhookClient.Outcome)]>([])
        for (name, message) in due.prefix(Self.together) where !isClosed.withLock({ $0 }) {
            guard let webhook = webhooks.first(where: { $0.id == message.webhook }), webhook.disabledAt == nil else {
                outcomes.withLock { $0.append((name, message, .gone)) }
                continue
            }
            group.enter()
            send(message, to: webhook) { outcome in
                outcomes.withLock { $0.append((name, message, outcome)) }
                group.leave()
            }
        }
        group.wait()
        settle(outcomes.withLock { $0 }, webhooks, date)
    }

    private func send(
        _ message: WebhookMessage,
        to webhook: Webhook,
        _ done: @escaping @Sendable (WebhookClient.Outcome) -> Void
    ) {
        guard let url = URL(string: webhook.url), let host = url.host,
            options.allowsPrivateWebhooks || AddressGuard.isPublic(host)
        else { return done(.refused) }
        let timestamp = Int(Date().timeIntervalSince1970)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(message.body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Laurel", forHTTPHeaderField: "User-Agent")
        request.setValue(message.id, forHTTPHeaderField: "webhook-id")
        request.setValue("\(timestamp)", forHTTPHeaderField: "webhook-timestamp")
        request.setValue(
            webhook.signature(message.id, timestamp, message.body),
            forHTTPHeaderField: "webhook-signature"
        )
        client.send(request, done)
    }

    private func settle(
        _ outcomes: [(String, WebhookMessage, WebhookClient.Outcome)],
        _ webhooks: [Webhook],
        _ date: Date
    ) {
        var changes: [String: String?] = [:]
        for (name, message, outcome) in outcomes {
            metrics.noteWebhook(outcome.counted)
            var message = message
            message.attempts += 1
            switch outcome {
            case .delivered: changes[name] = .some(nil)
            case .gone:
                changes[name] = .some(nil)
                if var webhook = webhooks.first(where: { $0.id == message.webhook }), webhook.disabledAt == nil {
                    webhook.disabledAt = date
                    changes[ServiceRecords.name(ofWebhook: webhook.id)] = ServiceRecords.text(webhook)
                    log.event("webhook-disabled", [("webhook", .string(webhook.id))])
                }
            case .failed, .refused:
                guard message.attempts <= WebhookMessage.waits.count else {
                    changes[name] = .some(nil)
                    log.event("webhook-message-dropped", [("webhook", .string(message.webhook))])
                    break
                }
                message.notBefore = date + WebhookMessage.waits[message.attempts - 1] * Double.random(in: 0.9...1.1)
                changes[name] = ServiceRecords.text(message)
            }
        }
        guard !changes.isEmpty else { return }
        do {
            // One that was erased or revoked meanwhile is not to come back.
            try engine.setServiceRecords(changes, onlyKnown: true)
            try keys.reload()
        } catch {
            log.event("failure", [("error", .string("\(error)"))])
        }
    }

    // MARK: Streaks at risk

    /// Tells of streaks that end tonight unless the learner practises: in the evening of their own day, once.
    func lookForStreaksAtRisk(at date: Date) {
        let webhooks = keys.records.webhooks.filter { $0.wants(.streakAtRisk) }
        guard !webhooks.isEmpty else { return }
        do {
            var candidates: [String] = []
            try engine.forEachLearner(at: nil) { learner in
                let isRecent = learner.lastEventAt.map { date.timeIntervalSince($0) < 4 * 86_400 } ?? false
                if isRecent, learner.currentStreak >= options.streakAtRiskDays { candidates.append(learner.id) }
            }
            for id in candidates { try tellIfAtRisk(id, webhooks, date) }
        } catch {
            log.event("failure", [("error", .string("\(error)"))])
        }
    }

    /// Seconds before the end of the day.
    private static let evening = 4 * 3600.0

    private func tellIfAtRisk(_ id: String, _ webhooks: [Webhook], _ date: Date) throws {
        guard let end = try engine.endOfDay(of: id, at: date), end.timeIntervalSince(date) <= Self.evening else {
            return
        }
        let learner = engine.learner(id, timeZone: nil)
        guard let now = try learner.progress(at: date), now.currentStreak >= options.streakAtRiskDays,
            // Without another event, what would it be when tomorrow is over?
            let later = try learner.progress(at: end), later.currentStreak < now.currentStreak
        else { return }
        let name = ProgressEngine.streaksAtRisk + Array(id.utf8).hexadecimal
        let night = Timestamp.utc(end.milliseconds)
        guard try engine.serviceRecords(prefix: name, limit: 1)[name] != night else { return }
        let announcement = Announcement(
            .streakAtRisk,
            learner: id,
            ["days": .integer(Int64(now.currentStreak)), "endsAt": .string(night)]
        )
        var records: [String: String?] = Self.records([announcement], to: webhooks, at: date)
        records[name] = night
        try engine.setServiceRecords(records)
    }
}

/// Sends requests, and follows no redirection.
final class WebhookClient: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    enum Outcome: Sendable {
        case delivered, failed
        /// 410, or there is no such webhook any more.
        case gone
        /// The address is none that may be sent to.
        case refused

        var counted: String {
            switch self {
            case .delivered: "delivered"
            case .refused: "refused"
            case .failed, .gone: "failed"
            }
        }
    }

    private var session: URLSession!

    init(timeout: Double) {
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func close() { session.invalidateAndCancel() }

    func send(_ request: URLRequest, _ done: @escaping @Sendable (Outcome) -> Void) {
        session.dataTask(with: request) { _, response, _ in
            switch (response as? HTTPURLResponse)?.statusCode {
            case .some(200..<300): done(.delivered)
            case .some(410): done(.gone)
            default: done(.failed)
            }
        }.resume()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
