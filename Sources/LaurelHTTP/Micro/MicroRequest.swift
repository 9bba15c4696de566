// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
import Synchronization

/// A request in libmicrohttpd. The library calls the steps of a request on one of its threads, one after another. Any
/// thread may send the answer.
final class MicroRequest: HTTPExchange, @unchecked Sendable {
    /// The maximum number of bytes of an unwanted body that are read before the connection is closed. If no bytes
    /// were read, some clients would not receive the answer.
    private static let mostSkippedBytes = 1 << 20

    private struct State {
        var answer: HTTPResponse?
        var isAnswered = false
        /// The connection, while it waits for ``HTTPExchange/resume()`` or the answer; nil at other times.
        var suspended: UInt?
        /// True if `resume` was called before the connection was suspended.
        var wasResumed = false
        var isOver = false
    }

    private enum Plan {
        /// The head is not read yet.
        case none
        /// The answer is known; the rest of the body is skipped.
        case answer
        case collect(limit: Int, tooLong: HTTPResponse, @Sendable ([UInt8], any HTTPExchange) -> Void)
        case pieces(any HTTPBodyReceiver)
        /// The body is complete, and was passed on.
        case wait
    }

    private unowned let server: MicroHTTPServer
    private let target: String?
    private let state = Mutex(State())
    // Only the library's threads use the properties below.
    private var plan = Plan.none
    private var body: [UInt8] = []
    private var skipped = 0
    private var knowsChunks = true

    init(_ server: MicroHTTPServer, target: UnsafePointer<CChar>?) {
        self.server = server
        self.target = target.flatMap { String(validatingCString: $0) }
    }

    // MARK: Steps

    /// Handles the next step of the request.
    /// - Parameter bytes: the next bytes of the body; empty at the first call, and at the end of the body.
    /// - Returns: false if the connection must be closed.
    func proceed(
        _ connection: OpaquePointer,
        _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?,
        _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        if case .none = plan {
            return begin(connection, method, version)
        }
        if !bytes.isEmpty { return take(bytes, connection) }
        if let answer = takeAnswer() { return queue(answer, connection) }
        return finish(connection)
    }

    private func begin(
        _ connection: OpaquePointer,
        _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?
    ) -> Bool {
        guard let handler = server.handler else { return false }
        knowsChunks = version.map { String(cString: $0) } != "HTTP/1.0"
        switch HeadCheck.read(connection, method: method, target: target, version: version) {
        case .refused(let status, let reason):
            // The server cannot know where such a request ends. So it answers the request at once, and the connection
            // accepts no further request.
            return queue(HTTPResponse(problem: status, reason), connection)
        case .sound(let head):
            Connection.of(connection)?.note(.body)
            switch handler.receive(head) {
            case .answer(let response):
                plan = .answer
                state.withLock { ($0.answer, $0.isAnswered) = (response, true) }
                if let length = head.contentLength, length > MicroRequest.mostSkippedBytes {
                    return takeAnswer().map { queue($0, connection) } ?? false
                }
            case .collect(let limit, let tooLong, let body):
                plan = .collect(limit: limit, tooLong: tooLong, body)
                if let length = head.contentLength {
                    if length > limit { return queue(tooLong, connection) }
                    self.body.reserveCapacity(length)
                }
            case .pieces(let receiver): plan = .pieces(receiver)
            }
            return true
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ connection: OpaquePointer) -> Bool {
        switch plan {
        case .collect(let limit, let tooLong, _):
            if body.count + bytes.count <= limit {
                body += bytes
                return true
            }
            body = []
            plan = .answer
            state.withLock { ($0.answer, $0.isAnswered) = (tooLong, true) }
        case .pieces(let receiver):
            // The rest of an answered request's body is not needed.
            guard !state.withLock({ $0.isAnswered }) else { break }
            Connection.of(connection)?.note(.body, bytes: bytes.count)
            state.withLock { $0.wasResumed = false }
            return receiver.receive(bytes, self) || suspend(connection)
        default: break
        }
        skipped += bytes.count
        return skipped <= MicroRequest.mostSkippedBytes * 16
    }

    private func finish(_ connection: OpaquePointer) -> Bool {
        let plan = plan
        self.plan = .wait
        state.withLock { $0.wasResumed = false }
        // The connection is suspended before the handler can answer. Otherwise an early answer would find no suspended
        // connection to resume.
        switch plan {
        case .collect(_, _, let receiveBody):
            guard suspend(connection) else { return false }
            let whole = body
            body = []
            receiveBody(whole, self)
        case .pieces(let receiver):
            guard suspend(connection) else { return false }
            receiver.finish(self)
        default: return suspend(connection)
        }
        return true
    }

    /// Called when the library has finished the request, with or without an answer.
    func end() {
        let wasAnswered = state.withLock { state in
            state.isOver = true
            return state.isAnswered
        }
        if case .pieces(let receiver) = plan, !wasAnswered { receiver.abandon() }
    }

    // MARK: Answers

    func respond(_ response: HTTPResponse) {
        let isFirst = state.withLock { state in
            guard !state.isAnswered, !state.isOver else { return false }
            (state.answer, state.isAnswered) = (response, true)
            resume(&state)
            return true
        }
        if !isFirst, case .stream(let stream) = response.body { stream.close() }
    }

    func resume() {
        state.withLock { state in
            // The client must send more, so the time limit of the body applies again.
            if let connection = state.suspended.flatMap({ OpaquePointer(bitPattern: $0) }) {
                Connection.of(connection)?.note(.body)
            }
            resume(&state)
        }
    }

    /// Resumes and closes the connection, because the server shuts down.
    func shutDown() {
        state.withLock { state in
            if !state.isAnswered { (state.answer, state.isAnswered) = (nil, true) }
            resume(&state)
        }
    }

    private func resume(_ state: inout State) {
        if let connection = state.suspended.take().flatMap({ OpaquePointer(bitPattern: $0) }) {
            // The pointer to the connection is valid while the connection is suspended.
            Connection.of(connection)?.resume(connection)
        } else {
            state.wasResumed = true
        }
    }

    /// Suspends the connection, unless it was already resumed.
    /// - Returns: false while the server shuts down.
    private func suspend(_ connection: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: connection)
        return state.withLock { state in
            if state.wasResumed || state.isAnswered { return true }
            guard Connection.of(connection)?.suspend(connection, self) ?? false else { return false }
            state.suspended = address
            return true
        }
    }

    private func takeAnswer() -> HTTPResponse? { state.withLock { $0.answer.take() } }

    /// Queues the answer.
    /// - Returns: false if the connection must be closed.
    private func queue(_ answer: HTTPResponse, _ connection: OpaquePointer) -> Bool {
        plan = .answer
        state.withLock { $0.isAnswered = true }
        if case .stream(let stream) = answer.body, stream.isLive {
            server.streams.take(laurel_http_socket(connection), answer, stream, isChunked: knowsChunks)
            // The library closes its own descriptor. The socket stays open, because the stream has a duplicate.
            return false
        }
        Connection.of(connection)?.note(.answer)
        guard let response = make(answer, connection) else { return false }
        defer { MHD_destroy_response(response) }
        for field in answer.headers.fields where laurel_http_add_field(response, field.name, field.value) == 0 {
            return false
        }
        if server.isQuiet { _ = laurel_http_add_field(response, "Connection", "close") }
        return laurel_http_queue(connection, UInt32(answer.status), response) != 0
    }

    private func make(_ answer: HTTPResponse, _ connection: OpaquePointer) -> OpaquePointer? {
        switch answer.body {
        // An answer 304 has no body. A `Content-Length` of 0 would be wrong, because it would describe the body that is
        // left out.
        case .bytes where answer.status == 304: return laurel_http_bodiless_response()
        case .bytes(let bytes): return bytes.withUnsafeBytes { laurel_http_response($0.baseAddress, $0.count) }
        case .stream(let stream): return SentStream(stream, connection, self).response()
        }
    }
}

extension MicroRequest {
    /// Suspends a connection that has nothing to send.
    fileprivate func suspendSending(_ connection: OpaquePointer) {
        let address = UInt(bitPattern: connection)
        state.withLock { state in
            if Connection.of(connection)?.suspend(connection, self) ?? false { state.suspended = address }
        }
    }
}

/// The source from which the library reads a stream.
private final class SentStream: @unchecked Sendable {
    private let stream: HTTPBodyStream
    private let connection: OpaquePointer
    private let request: MicroRequest

    init(_ stream: HTTPBodyStream, _ connection: OpaquePointer, _ request: MicroRequest) {
        (self.stream, self.connection, self.request) = (stream, connection, request)
    }

    func response() -> OpaquePointer? {
        laurel_http_stream(
            { context, _, buffer, room in
                let sent = Unmanaged<SentStream>.fromOpaque(context!).takeUnretainedValue()
                return sent.read(UnsafeMutableRawBufferPointer(start: buffer, count: room))
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in Unmanaged<SentStream>.fromOpaque(context!).takeRetainedValue().stream.close() }
        )
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let request = request
        let step = stream.read(into: buffer) {
            request.suspendSending(connection)
        } wake: {
            request.resume()
        }
        return switch step {
        case .sent(let count): count
        case .end: Int(laurel_http_end_of_stream)
        case .aborted: Int(laurel_http_end_with_error)
        case .nothingYet: 0
        }
    }
}

extension HTTPResponse {
    /// An error answer to a request that the handler has not seen.
    init(problem status: Int, _ reason: String) {
        let code = status == 400 ? "malformed-request" : status == 505 ? "http-version" : "unsupported-framing"
        let body = #"{"type":"about:blank","title":"\#(reason)","status":\#(status),"code":"\#(code)"}"#
        self.init(
            status,
            headers: ["Content-Type": "application/problem+json", "Connection": "close"],
            body: Array(body.utf8)
        )
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { add(name, value) }
    }
}
