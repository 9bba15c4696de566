// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP

/// A request that is logged and counted when it is answered. Only one thread at a time uses it.
final class TrackedRequest: @unchecked Sendable {
    private let service: LaurelService
    private let head: HTTPRequestHead
    private let start = ContinuousClock.now
    var route = "-"
    var caller: String?
    /// True if the request is for a page. `signedIn` is then the caller that has signed in; nil if there is none.
    var isPage = false
    var signedIn: Caller?

    init(_ service: LaurelService, _ head: HTTPRequestHead) { (self.service, self.head) = (service, head) }

    /// Logs and counts the request.
    /// - Returns: the answer to send.
    func finish(_ response: HTTPResponse) -> HTTPResponse {
        let seconds = start.duration(to: .now).inSeconds
        // Each method is a separate series of the metrics, so unknown methods are counted together.
        let method =
            switch head.method {
            case "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS": head.method
            default: "other"
            }
        service.metrics.noteRequest(method: method, route: route, status: response.status, seconds: seconds)
        service.log.note(head, route: route, status: response.status, seconds: seconds, caller: caller)
        return service.cors.adding(to: response, for: head).packed(for: head)
    }
}

/// An upload that is logged and counted when it is answered.
final class TrackedUpload: HTTPBodyReceiver, Sendable {
    private let receiver: any HTTPBodyReceiver
    private let tracked: TrackedRequest

    init(_ receiver: any HTTPBodyReceiver, _ tracked: TrackedRequest) {
        (self.receiver, self.tracked) = (receiver, tracked)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool {
        receiver.receive(bytes, TrackedExchange(exchange, tracked))
    }

    func finish(_ exchange: any HTTPExchange) { receiver.finish(TrackedExchange(exchange, tracked)) }

    func abandon() {
        receiver.abandon()
        // The status that nginx logs if the client has closed the connection.
        _ = tracked.finish(HTTPResponse(499))
    }
}

private final class TrackedExchange: HTTPExchange {
    private let exchange: any HTTPExchange
    private let tracked: TrackedRequest

    init(_ exchange: any HTTPExchange, _ tracked: TrackedRequest) {
        (self.exchange, self.tracked) = (exchange, tracked)
    }

    func respond(_ response: HTTPResponse) { exchange.respond(tracked.finish(response)) }
    func resume() { exchange.resume() }
}
