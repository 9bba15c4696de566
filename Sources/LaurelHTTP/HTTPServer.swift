// SPDX-License-Identifier: Apache-2.0

/// Something that takes requests and sends answers.
public protocol HTTPServer: AnyObject, Sendable {
    /// Begins to take requests.
    /// - Throws: ``HTTPServerError``.
    func start(_ handler: any HTTPHandler) throws
    /// Accepts no new connections. The open ones go on.
    func quiesce()
    /// Ends all connections. A request without an answer gets none.
    func stop()
}

/// Answers requests.
public protocol HTTPHandler: AnyObject, Sendable {
    /// Decides what to do with a request before its body is read. The server calls it on its own threads: it must not
    /// block.
    func receive(_ head: HTTPRequestHead) -> HTTPIntake
}

/// What the server does with a request.
public enum HTTPIntake: Sendable {
    /// Sends this answer, whatever the body is.
    case answer(HTTPResponse)
    /// Collects the body, and hands it over on one of the server's threads, which must not block. A longer body is
    /// answered with `tooLong`.
    case collect(limit: Int, tooLong: HTTPResponse, @Sendable ([UInt8], any HTTPExchange) -> Void)
    /// Hands the body over as it arrives.
    case pieces(any HTTPBodyReceiver)
}

/// Takes a body of any length, piece by piece. The server calls it on its own threads, one call after the other; it
/// must not block.
public protocol HTTPBodyReceiver: AnyObject, Sendable {
    /// - Returns: false to hold the next piece back until ``HTTPExchange/resume()``.
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
    /// Continues with a body that was held back.
    func resume()
}

/// Why a server cannot start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
