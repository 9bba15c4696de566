// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Synchronization

/// A server without a network, for tests of handlers: a request is a function call.
public final class MemoryHTTPServer: HTTPServer, @unchecked Sendable {
    private let handler = Mutex<(any HTTPHandler)?>(nil)

    public init() {}

    public func start(_ handler: any HTTPHandler) { self.handler.withLock { $0 = handler } }
    public func quiesce() {}
    public func stop() { handler.withLock { $0 = nil } }

    /// Sends a request, and waits for the answer.
    /// - Parameter pieces: the sizes in bytes of the pieces of the body; nil for a single piece.
    /// - Returns: nil if no server runs, or if no answer comes in time.
    public func send(
        _ request: HTTPRequest,
        pieces: Int? = nil,
        patience: DispatchTimeInterval = .seconds(60)
    ) -> HTTPResponse? {
        guard let handler = handler.withLock({ $0 }) else { return nil }
        let exchange = MemoryExchange()
        switch handler.receive(request.head) {
        case .answer(let response): return response
        case .collect(let limit, let tooLong, let receiveBody):
            if request.body.count > limit { return tooLong }
            receiveBody(request.body, exchange)
        case .pieces(let receiver):
            let size = max(pieces ?? request.body.count, 1)
            for start in stride(from: 0, to: request.body.count, by: size) {
                let piece = request.body[start..<min(start + size, request.body.count)]
                if !piece.withUnsafeBytes({ receiver.receive($0, exchange) }) { exchange.waitUntilResumed() }
                if let response = exchange.response { return response }
            }
            receiver.finish(exchange)
        }
        return exchange.wait(patience)
    }
}

private final class MemoryExchange: HTTPExchange {
    private let answer = Mutex<HTTPResponse?>(nil)
    private let isAnswered = DispatchSemaphore(value: 0)
    private let resumed = DispatchSemaphore(value: 0)

    var response: HTTPResponse? { answer.withLock { $0 } }

    func respond(_ response: HTTPResponse) {
        let isFirst = answer.withLock { answer in
            defer { answer = answer ?? response }
            return answer == nil
        }
        guard isFirst else { return }
        isAnswered.signal()
        resumed.signal()
    }

    func resume() { resumed.signal() }
    func waitUntilResumed() { resumed.wait() }

    func wait(_ patience: DispatchTimeInterval) -> HTTPResponse? {
        _ = isAnswered.wait(timeout: .now() + patience)
        return response
    }
}

extension HTTPBodyStream {
    /// Reads the bytes that were written to the stream and not read yet, for tests.
    public func readAll() -> [UInt8] {
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while case .sent(let count) = room.withUnsafeMutableBytes({ read(into: $0, suspend: {}, wake: {}) }) {
            result += room[..<count]
        }
        return result
    }
}
