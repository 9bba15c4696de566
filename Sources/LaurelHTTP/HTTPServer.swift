// SPDX-License-Identifier: Apache-2.0

/// A server that receives requests and sends answers.
public protocol HTTPServer: AnyObject, Sendable {
    /// Starts to accept requests, and passes them to a handler.
    /// - Throws: ``HTTPServerError``.
    func start(_ handler: any HTTPHandler) throws
    /// Stops accepting connections. Open connections continue.
    func quiesce()
    /// Closes all connections. Requests that still wait for an answer get none.
    func stop()
}

/// Decides how requests are handled.
public protocol HTTPHandler: AnyObject, Sendable {
    /// Decides how the server handles a request, from the request's head alone. The server calls this method on its own
    /// threads, so the method must not block.
    func receive(_ head: HTTPRequestHead) -> HTTPIntake
}

/// The ways in which a server can handle a request.
public enum HTTPIntake: Sendable {
    /// Sends an answer, and ignores the body.
    case answer(HTTPResponse)
    /// Collects the whole body in memory. Then calls the function on one of the server's threads; the function must not
    /// block. A body of more than `limit` bytes is answered with `tooLong`.
    case collect(limit: Int, tooLong: HTTPResponse, @Sendable ([UInt8], any HTTPExchange) -> Void)
    /// Passes each piece of the body to a receiver when the piece arrives.
    case pieces(any HTTPBodyReceiver)
}

/// Receives a body of any length, piece by piece. The server calls the methods on its own threads, one call after
/// another. The methods must not block.
public protocol HTTPBodyReceiver: AnyObject, Sendable {
    /// Receives the next bytes.
    /// - Returns: false to pause the body until ``HTTPExchange/resume()``.
    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool
    /// Called after the last piece of the body.
    func finish(_ exchange: any HTTPExchange)
    /// Called if the client disconnects before the end of the body.
    func abandon()
}

/// A request that waits for its answer.
public protocol HTTPExchange: AnyObject, Sendable {
    /// Sends the answer. The method can be called on any thread. Calls after the first are ignored.
    func respond(_ response: HTTPResponse)
    /// Continues to receive a paused body.
    func resume()
}

/// The reason why a server cannot start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
