// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The Kotlin client's transport over `URLSession`. Its calls block a thread of the Kotlin client's dispatcher.
final class SessionTransport: Transport {
    func open(request: Request) throws -> any Answer {
        guard let url = URL(string: request.url), url.scheme?.hasPrefix("http") == true else {
            throw URLError(.badURL)
        }
        var sent = URLRequest(url: url, timeoutInterval: Double(request.timeout) / 1000)
        sent.httpMethod = request.body == nil ? "GET" : "POST"
        sent.httpBody = request.body.map { Data($0.utf8) }
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        let answer = SessionAnswer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = sent.timeoutInterval
        configuration.httpShouldSetCookies = false
        let session = URLSession(configuration: configuration, delegate: answer, delegateQueue: nil)
        try answer.start(session.dataTask(with: sent), in: session)
        return answer
    }
}

/// An answer whose bytes arrive on the session's thread, and are read on another.
private final class SessionAnswer: NSObject, Answer, URLSessionDataDelegate, @unchecked Sendable {
    private let changed = NSCondition()
    private var task: URLSessionDataTask?
    private var head: HTTPURLResponse?
    private var received = Data()
    private var isOver = false
    private var failure: (any Error)?

    /// Starts a request, and waits for the head of the answer.
    func start(_ task: URLSessionDataTask, in session: URLSession) throws {
        self.task = task
        task.resume()
        // The session keeps its delegate until the task has ended.
        session.finishTasksAndInvalidate()
        try waiting {
            while head == nil, !isOver { changed.wait() }
            if head == nil { throw failure ?? URLError(.badServerResponse) }
        }
    }

    var status: Int32 { waiting { Int32(head?.statusCode ?? 0) } }

    func header(name: String) -> String? { waiting { head?.value(forHTTPHeaderField: name) } }

    func readLine() throws -> String? {
        try waiting {
            while true {
                if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = received[received.startIndex..<end]
                    received = Data(received[(end + 1)...])
                    return text(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
                }
                if isOver { break }
                changed.wait()
            }
            if let failure { throw failure }
            defer { received = Data() }
            return received.isEmpty ? nil : text(received)
        }
    }

    func close() { waiting { task }?.cancel() }

    private func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }

    private func waiting<Result>(_ body: () throws -> Result) rethrows -> Result {
        changed.lock()
        defer { changed.unlock() }
        return try body()
    }

    private func change(_ body: () -> Void) {
        waiting {
            body()
            changed.broadcast()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        change { head = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        change { received.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        change {
            isOver = true
            failure = error
        }
    }

    /// Refuses redirects, because another server would get the events and the credential.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
