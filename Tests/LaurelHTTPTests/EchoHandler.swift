// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTesting
import LaurelHTTP
import Synchronization
import Testing

/// Returns what it was sent. `/busy` blocks the server for a while; `/late` answers later, on another thread; `/stream`
/// answers in pieces, `/live` in pieces over time.
final class EchoHandler: HTTPHandler {
    let seen = Mutex<[HTTPRequestHead]>([])
    let streams = Mutex<[HTTPBodyStream]>([])
    let closed = Mutex(0)

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        seen.withLock { $0.append(head) }
        switch head.path {
        case "/same": return .answer(HTTPResponse(304, headers: ["ETag": "\"a\""]))
        case "/busy":
            usleep(300_000)
            fallthrough
        case "/now": return .answer(HTTPResponse(200, body: Array("now".utf8)))
        case "/stream", "/live":
            let stream = HTTPBodyStream(limit: 1 << 16, isLive: head.path == "/live")
            stream.onClose { [self] in closed.withLock { $0 += 1 } }
            streams.withLock { $0.append(stream) }
            return .answer(HTTPResponse(200, headers: ["Content-Type": "text/event-stream"], stream: stream))
        case "/pieces": return .pieces(CountingReceiver())
        default:
            let isLate = head.path == "/late"
            return .collect(limit: 1 << 20, tooLong: HTTPResponse(413)) { body, exchange in
                let answer = HTTPResponse(200, headers: ["X-Path": head.path], body: body)
                guard isLate else { return exchange.respond(answer) }
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { exchange.respond(answer) }
            }
        }
    }
}

/// Counts bytes, and pauses the other side after each piece.
final class CountingReceiver: HTTPBodyReceiver {
    private let count = Mutex(0)

    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool {
        count.withLock { $0 += bytes.count }
        DispatchQueue.global().async { exchange.resume() }
        return false
    }

    func finish(_ exchange: any HTTPExchange) {
        let count = count.withLock { $0 }
        exchange.respond(HTTPResponse(200, body: Array("\(count)".utf8)))
    }

    func abandon() {}
}

/// A server on a free port of this machine.
struct RunningServer {
    let server: MicroHTTPServer
    let handler = EchoHandler()
    var port: UInt16 { server.address.port }

    init(_ change: (inout MicroHTTPServer.Limits) -> Void = { _ in }) throws {
        var limits = MicroHTTPServer.Limits()
        change(&limits)
        server = MicroHTTPServer(try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0)), limits: limits)
        try server.start(handler)
    }

    /// Opens a stream.
    /// - Returns: both of its ends.
    func stream(_ path: String, version: String = "1.1") throws -> (RawConnection, HTTPBodyStream) {
        let count = handler.streams.withLock { $0.count }
        let connection = try #require(RawConnection(port: port))
        connection.send("GET \(path) HTTP/\(version)\r\nHost: localhost\r\n\r\n")
        while handler.streams.withLock({ $0.count }) == count { usleep(1000) }
        return (connection, handler.streams.withLock { $0[count] })
    }
}
