// SPDX-License-Identifier: Apache-2.0

/// A server that receives requests and sends answers.
public protocol HTTPServer: AnyObject, Sendable {
    /// Starts to accept requests.
    /// - Throws: ``HTTPServerError``.
    func start(_ handler: any HTTPHandler) throws
    /// Accepts no new connections. Open connections continue.
    func quiesce()
    /// Ends all connections. A request without an answer gets none.
    func stop()
}

/// Answers requests.
public protocol HTTPHandler: AnyObject, Sendable {
    /// Decides about a request before its body is read. The server calls it on its own threads, so it must not block.
    func receive(_ head: HTTPRequestHead) -> HTTPIntake
}

/// The server's handling of a request.
public enum HTTPIntake: Sendable {
    /// Sends the answer, whatever the body is.
    case answer(HTTPResponse)
    /// Collects the body, and passes it on. The function runs on one of the server's threads, and must not block. A
    /// body over the limit is answered with `tooLong`.
    case collect(limit: Int, tooLong: HTTPResponse, @Sendable ([UInt8], any HTTPExchange) -> Void)
    /// Passes the body on as it arrives.
    case pieces(any HTTPBodyReceiver)
}

/// Receives a body of any length, piece by piece. The server calls it on its own threads, one call after another. It
/// must not block.
public protocol HTTPBodyReceiver: AnyObject, Sendable {
    /// Receives the next bytes.
    /// - Returns: false to pause the body until ``HTTPExchange/resume()``.
    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool
    /// The body is complete.
    func finish(_ exchange: any HTTPExchange)
    /// The client disconnected before the end of the body.
    func abandon()
}

/// A request that waits for its answer.
public protocol HTTPExchange: AnyObject, Sendable {
    /// Sends the answer. Any thread may call it; only the first call counts.
    func respond(_ response: HTTPResponse)
    /// Continues a paused body.
    func resume()
}

/// The reason why a server cannot start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
