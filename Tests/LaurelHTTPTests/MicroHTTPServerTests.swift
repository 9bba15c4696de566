// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTesting
import LaurelHTTP
import Synchronization
import Testing

@Suite struct MicroHTTPServerTests {
    @Test func answersAtOnceAndLaterOnOneConnection() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connection = try #require(RawConnection(port: running.port))
        for path in ["/now", "/late", "/echo", "/now"] {
            connection.send("POST \(path)?q=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
            let answer = try #require(connection.receiveAnswer())
            #expect(answer.status == 200)
            #expect(answer.text == (path == "/now" ? "now" : "hello"))
        }
        let heads = running.handler.seen.withLock { $0 }
        #expect(heads.map(\.path) == ["/now", "/late", "/echo", "/now"])
        #expect(heads[0].query == "q=1")
    }

    @Test func leavesThePathAsItWasSent() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connection = try #require(RawConnection(port: running.port))
        connection.send("GET /a%2Fb/%20%zz//c?x=%26 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(connection.receiveAnswer()?.status == 200)
        let head = try #require(running.handler.seen.withLock { $0.first })
        #expect(head.path == "/a%2Fb/%20%zz//c")
        #expect(head.query == "x=%26")
    }

    @Test func takesChunksAndLargeBodies() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connection = try #require(RawConnection(port: running.port))
        connection.send(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        #expect(connection.receiveAnswer()?.text == "abcde")
        let body = [UInt8](repeating: 7, count: 300_000)
        connection.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n")
        connection.send(body)
        #expect(connection.receiveAnswer()?.body == body)
        connection.send("POST /pieces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n")
        connection.send(body)
        #expect(connection.receiveAnswer()?.text == "300000")
        connection.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n")
        #expect(connection.receiveAnswer()?.status == 413)
    }

    @Test func streamsUntilItIsOver() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connection = try #require(RawConnection(port: running.port))
        connection.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while running.handler.streams.withLock({ $0.isEmpty }) { usleep(1000) }
        let stream = try #require(running.handler.streams.withLock { $0.first })
        for number in 0..<50 {
            #expect(stream.write(Array("data: \(number)\n\n".utf8)))
            if number % 10 == 0 { usleep(2000) }
        }
        stream.end()
        let answer = try #require(connection.receiveAnswer())
        #expect(answer.text.contains("data: 0\n\n") && answer.text.contains("data: 49\n\n"))
    }

    @Test func noticesThatAWatcherHasGone() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        do {
            let connection = try #require(RawConnection(port: running.port))
            connection.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while running.handler.streams.withLock({ $0.isEmpty }) { usleep(1000) }
        }
        let stream = try #require(running.handler.streams.withLock { $0.first })
        // A suspended connection notices nothing: what is sent does.
        for _ in 0..<500 where !stream.isClosed {
            stream.write(Array(": heartbeat\n\n".utf8))
            usleep(2000)
        }
        #expect(running.handler.closed.withLock { $0 } == 1)
    }

    @Test func stopsWithRequestsAndStreamsUnderWay() throws {
        let running = try RunningServer()
        let connections = try (0..<20).map { _ in try #require(RawConnection(port: running.port)) }
        for (index, connection) in connections.enumerated() {
            connection.send("GET \(index % 2 == 0 ? "/stream" : "/late") HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        while running.handler.seen.withLock({ $0.count }) < 20 { usleep(1000) }
        running.server.stop()
        #expect(RawConnection(port: running.port) == nil)
    }

    @Test func endsWhatIsTooSlow() throws {
        let running = try RunningServer { ($0.silence, $0.headSeconds, $0.bodySeconds) = (1, 0, 1) }
        defer { running.server.stop() }
        let slow = [
            "a head that does not end": "GET /now HTTP/1.1\r\nHost: loc",
            "a body that does not come": "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nab",
        ]
        for (name, bytes) in slow {
            let connection = try #require(RawConnection(port: running.port))
            connection.send(bytes)
            let start = Date()
            #expect(connection.receiveAnswer()?.status != 200, "\(name)")
            #expect(Date().timeIntervalSince(start) < 8, "\(name)")
        }
    }
}
