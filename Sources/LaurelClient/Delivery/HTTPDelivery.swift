// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends batches to a service, `laurel serve`, and reacts to its answers.
///
/// An answer of 200 means that the events are durable and counted. After 429 and 503, the client waits for the time in
/// `Retry-After`. After 401 and 403, it waits for ``LaurelClient/flush()`` or the next start, because it may need a new
/// token. A batch that is too large (413) is sent in halves.
public struct HTTPDelivery: Delivery {
    private let service: URL
    private let credential: @Sendable () async throws -> String?
    private let session: Session

    /// - Parameters:
    ///   - service: the address of the service, such as `https://progress.example`.
    ///   - timeout: the maximum time to wait for an answer, in seconds.
    ///   - credential: returns the key or token to send. The function is called before each batch, so the credential
    ///     may change.
    public init(
        _ service: URL,
        timeout: TimeInterval = 60,
        credential: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        self.service = service
        self.credential = credential
        session = Session(timeout: timeout)
    }

    /// Sends a batch; see ``Delivery/deliver(_:)``.
    public func deliver(_ batch: Batch) async throws -> Receipt {
        let lines = batch.ndjson.split(separator: UInt8(ascii: "\n"))
        return try await deliver(lines[...], try await credential())
    }

    private func deliver(_ lines: ArraySlice<Data>, _ credential: String?) async throws -> Receipt {
        guard !lines.isEmpty else { return .accepted }
        var request = URLRequest(url: service.appendingPathComponent("v1/events"))
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
        let (body, response) = try await post(request, credential)
        if response.statusCode == 413, lines.count > 1 {
            let middle = lines.startIndex + lines.count / 2
            let (first, second) = (
                try await deliver(lines[..<middle], credential), try await deliver(lines[middle...], credential)
            )
            return Receipt(refused: first.refused + second.refused, message: first.message ?? second.message)
        }
        return try receipt(response, body, lines.count)
    }

    /// Buys an item; see ``Delivery/buy(_:)``.
    public func buy(_ purchase: ItemPurchase) async throws -> ItemReceipt {
        // A learner's id may contain a slash.
        let plain = CharacterSet(charactersIn: "-._~").union(CharacterSet(charactersIn: "a"..."z"))
            .union(CharacterSet(charactersIn: "A"..."Z")).union(CharacterSet(charactersIn: "0"..."9"))
        let learner = purchase.learner.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
        let base = service.absoluteString + (service.absoluteString.hasSuffix("/") ? "" : "/")
        guard let url = URL(string: "\(base)v1/learners/\(learner)/purchases") else {
            throw DeliveryError("the service has no valid address: \(base)", isRetryable: false)
        }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(PurchaseTerms(purchase))
        let (body, response) = try await post(request, try await credential())
        guard response.statusCode != 200 else {
            let stored = try decode(StoredPurchase.self, body)
            return ItemReceipt(isDuplicate: stored.duplicate, balances: stored.progress.balances ?? [:])
        }
        let failure = failure(response, body)
        // A wrong address or credential says nothing about the purchase.
        guard !failure.isRetryable, ![401, 403].contains(response.statusCode), let code = problem(body)?.code else {
            throw failure
        }
        throw PurchaseRefusal(of: purchase, code: code, message: failure.message)
    }

    private func post(_ request: URLRequest, _ credential: String?) async throws -> (Data, HTTPURLResponse) {
        var request = request
        request.httpMethod = "POST"
        if let credential { request.setValue("Bearer \(credential)", forHTTPHeaderField: "Authorization") }
        return try await session.send(request)
    }

    private func decode<Answer: Decodable>(_: Answer.Type, _ body: Data) throws -> Answer {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: body) else {
            throw DeliveryError("\(service.host ?? "the service") answered, but not as a service does")
        }
        return answer
    }

    private func receipt(_ response: HTTPURLResponse, _ body: Data, _ count: Int) throws -> Receipt {
        switch response.statusCode {
        case 200:
            let report = try decode(Report.self, body)
            return Receipt(refused: report.refused + report.conflicts, message: report.problems.first?.message)
        case 413:
            // If a single event is too large for the service, a retry would fail, too. So the event is not sent again.
            return Receipt(refused: count, message: "the event is too large for the service")
        default: throw failure(response, body)
        }
    }

    private func failure(_ response: HTTPURLResponse, _ body: Data) -> DeliveryError {
        let message = problem(body)?.detail
        switch response.statusCode {
        case 401, 403: return DeliveryError(message ?? "the service wants another key", isRetryable: false)
        case 408, 425, 429, 500...:
            let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            return DeliveryError(
                message ?? "the service answered \(response.statusCode)",
                retryAfter: wait.map { .seconds(min(max($0, 0), 86_400)) }
            )
        default:
            // The whole request was refused, and nothing was stored. A retry would be refused, too.
            return DeliveryError(message ?? "the service answered \(response.statusCode)", isRetryable: false)
        }
    }

    private func problem(_ body: Data) -> Problem? { try? JSONDecoder().decode(Problem.self, from: body) }

    private struct Report: Decodable {
        struct Problem: Decodable {
            var message: String
        }

        var refused: Int
        var conflicts: Int
        var problems: [Problem]
    }

    private struct Problem: Decodable {
        var detail: String
        var code: String?
    }

    private struct PurchaseTerms: Encodable {
        var item, id, time: String
        var count: Int

        init(_ purchase: ItemPurchase) {
            (item, id, time, count) = (purchase.item, purchase.id, purchase.time, purchase.count)
        }
    }

    private struct StoredPurchase: Decodable {
        struct Progress: Decodable {
            var balances: [String: Double]?
        }

        var duplicate: Bool
        var progress: Progress
    }
}

/// A session of Foundation. It is invalidated when the last delivery that uses it is released.
private final class Session: Sendable {
    private let session: URLSession

    init(timeout: TimeInterval) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let task = CancellableTask()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                task.start(
                    session.dataTask(with: request) { data, response, error in
                        if let response = response as? HTTPURLResponse {
                            continuation.resume(returning: (data ?? Data(), response))
                        } else {
                            let reason = error?.localizedDescription ?? "there was no answer"
                            continuation.resume(throwing: DeliveryError("the service cannot be reached: \(reason)"))
                        }
                    }
                )
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// A request that can be cancelled even before it is sent.
private final class CancellableTask: @unchecked Sendable {
    private let lock = NSLock()
    private var task: URLSessionDataTask?
    private var isCancelled = false

    func start(_ task: URLSessionDataTask) {
        lock.lock()
        self.task = task
        let isCancelled = isCancelled
        lock.unlock()
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        let task = task
        lock.unlock()
        task?.cancel()
    }
}
