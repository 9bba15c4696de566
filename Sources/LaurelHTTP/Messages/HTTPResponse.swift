// SPDX-License-Identifier: Apache-2.0

/// The answer to a request.
public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A body of any length, written piece by piece.
        case stream(HTTPBodyStream)
    }

    public var status: Int
    public var headers: HTTPHeaders
    public var body: Body

    public init(_ status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, .bytes(body))
    }

    public init(_ status: Int, headers: HTTPHeaders = HTTPHeaders(), stream: HTTPBodyStream) {
        (self.status, self.headers, self.body) = (status, headers, .stream(stream))
    }

    /// The bytes of the body; empty for a stream.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
