// SPDX-License-Identifier: Apache-2.0

/// Something that takes requests and sends answers.
public protocol HTTPServer: AnyObject, Sendable {
    /// Begins to take requests.
    /// - Throws: ``HTTPServerError``.
    func start(_ handler: any HTTPHandler) throws
    /// No new connections; those that there are go on.
    func quiesce()
    /// Ends all connections. What has not been answered yet is not.
    func stop()
}

/// Who answers requests.
public protocol HTTPHandler: AnyObject, Sendable {
    /// Says what is to become of a request, by what comes before its body. Called on the server's threads: it must not wait for
    /// anything.
    func receive(_ head: HTTPRequestHead) -> HTTPIntake
}

/// What is to become of a request.
public enum HTTPIntake: Sendable {
    /// This is the answer, whatever the body is.
    case answer(HTTPResponse)
    /// The body is collected; called on the server's threads, which must not wait. A longer body is answered with `tooLong`.
    case collect(limit: Int, tooLong: HTTPResponse, @Sendable ([UInt8], any HTTPExchange) -> Void)
    /// The body is handed over as it comes.
    case pieces(any HTTPBodyReceiver)
}

/// Takes a body of any length piece by piece. Called on the server's threads, which must not wait, one call after the other.
public protocol HTTPBodyReceiver: AnyObject, Sendable {
    /// - Returns: false where the next piece is to wait for ``HTTPExchange/resume()``.
    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool
    /// The body has ended as it should.
    func finish(_ exchange: any HTTPExchange)
    /// The other side has gone before the end of the body.
    func abandon()
}

/// A request that waits for its answer.
public protocol HTTPExchange: AnyObject, Sendable {
    /// Sends the answer, the first time it is called. Any thread may.
    func respond(_ response: HTTPResponse)
    /// Goes on with a body that was held up.
    func resume()
}

/// Why a server cannot start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
