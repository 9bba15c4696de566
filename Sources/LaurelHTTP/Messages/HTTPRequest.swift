// SPDX-License-Identifier: Apache-2.0

/// The head of a request: everything before its body.
public struct HTTPRequestHead: Sendable, Hashable {
    public var method: String
    /// The target's path as it was sent, with percent escapes.
    public var path: String
    /// The text after the question mark, as it was sent; nil without a question mark.
    public var query: String?
    public var headers: HTTPHeaders
    /// The other end of the connection: the client, or a proxy.
    public var peer: PeerAddress

    /// - Parameter target: the target in the request's first line.
    public init(
        method: String,
        target: String,
        headers: HTTPHeaders = HTTPHeaders(),
        peer: PeerAddress = .loopback
    ) {
        self.method = method
        self.headers = headers
        self.peer = peer
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = mark.map { String(target[..<$0]) } ?? target
        query = mark.map { String(target[target.utf8.index(after: $0)...]) }
    }

    /// The target in the request's first line: the path with its query.
    public var target: String { path + (query.map { "?\($0)" } ?? "") }

    /// The media type without its parameters, in lower case.
    public var contentType: String? {
        headers["Content-Type"].map { field in
            // Nearly every value is already in lower case, without parameters.
            let isPlain = field.utf8.allSatisfy {
                $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: ";") && $0 | 0x20 == $0
            }
            if isPlain { return field }
            let type = field.utf8.prefix { $0 != UInt8(ascii: ";") }
            return String(decoding: type.lazy.filter { $0 != 0x20 && $0 != 0x09 }.map(HTTPHeaders.lower), as: UTF8.self)
        }
    }

    /// The length of the body in bytes, from `Content-Length`; nil if the header is missing or is not a number.
    public var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }
}

/// A request with its whole body.
public struct HTTPRequest: Sendable, Hashable {
    public var head: HTTPRequestHead
    public var body: [UInt8]

    public init(
        _ method: String,
        _ target: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        from peer: PeerAddress = .loopback
    ) {
        head = HTTPRequestHead(method: method, target: target, headers: headers, peer: peer)
        self.body = body
    }
}
