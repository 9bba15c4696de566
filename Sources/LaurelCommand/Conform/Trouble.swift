// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP

/// An answer that a client must survive.
enum Trouble: String, CaseIterable, Sendable {
    /// The service's own answer.
    case none
    /// The service's own answer, after a delay.
    case slow
    /// The service's own answer, but one event is refused and does not reach the service.
    case refusedEvent
    case tooLarge, tooManyRequests, unavailable, brokenProxy, wrongKey
    /// A page of a network that asks its users to sign in.
    case foreignPage

    /// The share of requests, in percent.
    var share: Int {
        switch self {
        case .none: 50
        case .slow, .tooLarge, .refusedEvent: 8
        case .tooManyRequests, .unavailable, .brokenProxy: 6
        case .foreignPage: 5
        case .wrongKey: 3
        }
    }

    /// The number of seconds that the answer tells the client to wait; nil if the answer says nothing about it.
    var retryAfter: Int? { self == .tooManyRequests || self == .unavailable ? 1 : nil }

    /// The answer in place of the service's; nil if the service itself answers.
    var answer: HTTPResponse? {
        switch self {
        case .none, .slow, .refusedEvent: nil
        case .tooLarge: problem(413, "body-too-large", "send fewer events in a request")
        case .tooManyRequests: problem(429, "too-many-requests", "too many requests")
        case .unavailable: problem(503, "queue-full", "the service is busy")
        case .brokenProxy: HTTPResponse(502)
        case .wrongKey: problem(401, "unauthorized", "the key is not valid")
        case .foreignPage: foreignPage
        }
    }

    private func problem(_ status: Int, _ code: String, _ detail: String) -> HTTPResponse {
        var headers = HTTPHeaders()
        headers.add("Content-Type", "application/problem+json")
        if let retryAfter { headers.add("Retry-After", "\(retryAfter)") }
        let body = #"{"status":\#(status),"code":"\#(code)","detail":"\#(detail)"}"#
        return HTTPResponse(status, headers: headers, body: Array(body.utf8))
    }

    private var foreignPage: HTTPResponse {
        var headers = HTTPHeaders()
        headers.add("Content-Type", "text/html")
        return HTTPResponse(200, headers: headers, body: Array("<html><body>Please sign in.</body></html>".utf8))
    }
}
