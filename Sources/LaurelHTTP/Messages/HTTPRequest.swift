// SPDX-License-Identifier: Apache-2.0

/// The head of a request: everything before its body.
public struct HTTPRequestHead: Sendable, Hashable {
    public var method: String
    /// The target's path as it was sent, percent signs and all.
    public var path: String
    /// What follows the question mark, as it was sent; nil without one.
    public var query: String?
    public var headers: HTTPHeaders

    /// - Parameter target: as it stands in the request's first line.
    public init(method: String, target: String, headers: HTTPHeaders = HTTPHeaders()) {
        self.method = method
        self.headers = headers
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The media type without its parameters, in lower case.
    public var contentType: String? {
        headers["Content-Type"].map {
            String($0.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
        }
    }

    /// The announced length of the body; nil without one.
    public var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }
}

/// A whole request.
public struct HTTPRequest: Sendable, Hashable {
    public var head: HTTPRequestHead
    public var body: [UInt8]

    public init(_ method: String, _ target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        head = HTTPRequestHead(method: method, target: target, headers: headers)
        self.body = body
    }
}
