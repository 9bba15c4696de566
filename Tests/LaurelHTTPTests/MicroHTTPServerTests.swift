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

    /// RFC 9110, 8.6: the length would be that of the body that is not sent.
    @Test(arguments: ["1.1", "1.0"]) func whatHasNotChangedHasNoLength(version: String) throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connection = try #require(RawConnection(port: running.port))
        connection.send("GET /same HTTP/\(version)\r\nHost: localhost\r\n\r\n")
        let head = String(decoding: connection.receiveSome(), as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 304 ") && head.contains("ETag: \"a\"\r\n") && head.hasSuffix("\r\n\r\n"))
        for field in ["content-length", "transfer-encoding"] { #expect(!head.lowercased().contains(field)) }
    }

    @Test func severalThreadsShareWhatComes() throws {
        let running = try RunningServer { $0.threads = 3 }
        defer { running.server.stop() }
        let connections = try (0..<60).map { _ in try #require(RawConnection(port: running.port)) }
        for _ in 0..<3 {
            for connection in connections { connection.send("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            for connection in connections { #expect(connection.receiveAnswer()?.status == 200) }
        }
    }

    /// libmicrohttpd handles 128 connections at a time.
    @Test(arguments: [127, 128, 129, 256]) func answersManyThatCameAtOnce(_ count: Int) throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let connections = try (0..<count).map { _ in try #require(RawConnection(port: running.port, patience: 5000)) }
        let first = try #require(RawConnection(port: running.port))
        // The server knows each connection before all send at once, while it is busy.
        for connection in connections {
            connection.send("GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(connection.receiveAnswer()?.text == "now")
        }
        first.send("GET /busy HTTP/1.1\r\nHost: localhost\r\n\r\n")
        usleep(50_000)
        for connection in connections { connection.send("GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        for connection in connections { #expect(connection.receiveAnswer()?.text == "now") }
        #expect(first.receiveAnswer()?.text == "now")
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

    @Test(arguments: ["/stream", "/live"]) func streamsUntilItIsOver(_ path: String) throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let (connection, stream) = try running.stream(path)
        for number in 0..<50 {
            #expect(stream.write(Array("data: \(number)\n\n".utf8)))
            if number % 10 == 0 { usleep(2000) }
        }
        stream.end()
        let answer = try #require(connection.receiveAnswer())
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/event-stream")
        #expect(answer.text.contains("data: 0\n\n") && answer.text.contains("data: 49\n\n"))
    }

    /// Otherwise a client would take a part for the whole.
    @Test(arguments: ["/stream", "/live"], [true, false])
    func whatBreaksOffHasNoEnd(_ path: String, _ isComplete: Bool) throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let (connection, stream) = try running.stream(path)
        #expect(stream.write(Array("some".utf8)))
        if isComplete { stream.end() } else { stream.abort() }
        let answer = try #require(connection.receiveAnswer())
        #expect(answer.headers["transfer-encoding"] == "chunked")
        #expect(answer.text == "4\r\nsome\r\n" + (isComplete ? "0\r\n\r\n" : ""))
    }

    @Test func aLiveStreamOfHTTP10EndsWithItsConnection() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let (connection, stream) = try running.stream("/live", version: "1.0")
        #expect(stream.write(Array("some".utf8)))
        stream.end()
        let answer = try #require(connection.receiveAnswer())
        #expect(answer.headers["transfer-encoding"] == nil && answer.text == "some")
    }

    @Test func noticesThatAReaderHasGoneByWhatIsSent() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let stream = try running.stream("/stream").1
        // A suspended connection does not notice the disconnection.
        for _ in 0..<500 where !stream.isClosed {
            stream.write(Array(": heartbeat\n\n".utf8))
            usleep(2000)
        }
        #expect(running.handler.closed.withLock { $0 } == 1)
    }

    @Test func noticesThatAWatcherHasGone() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let stream = try running.stream("/live").1
        for _ in 0..<500 where !stream.isClosed { usleep(2000) }
        #expect(running.handler.closed.withLock { $0 } == 1)
    }

    @Test func tellsEachOfManyWatchersItsOwn() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let watchers = try (0..<200).map { _ in try running.stream("/live") }
        for turn in 0..<3 {
            for (number, watcher) in watchers.enumerated() { watcher.1.write(Array("\(turn) for \(number)\n".utf8)) }
        }
        for (number, watcher) in watchers.enumerated() {
            watcher.1.end()
            let answer = try #require(watcher.0.receiveAnswer())
            #expect(String(decoding: answer.content, as: UTF8.self) == (0..<3).map { "\($0) for \(number)\n" }.joined())
        }
    }

    @Test func tellsASlowWatcherAllInOrder() throws {
        let running = try RunningServer()
        defer { running.server.stop() }
        let (connection, stream) = try running.stream("/live")
        let pieces = (0..<400).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 1 << 15) }
        // More bytes than the system buffers: the rest is sent as it is read.
        let reading = Thread {
            for piece in pieces { _ = stream.writeWaiting(piece) }
            stream.end()
        }
        reading.start()
        usleep(200_000)
        let answer = try #require(connection.receiveAnswer())
        #expect(answer.content == Array(pieces.joined()))
    }

    @Test func endsAWatcherWhoDoesNotRead() throws {
        let running = try RunningServer { $0.silence = 1 }
        defer { running.server.stop() }
        let (connection, stream) = try running.stream("/live")
        let piece = [UInt8](repeating: 7, count: 1 << 15)
        while stream.write(piece) || !stream.isClosed, !stream.isClosed { usleep(1000) }
        #expect(running.handler.closed.withLock { $0 } == 1)
        _ = connection
    }

    @Test func stopsWithRequestsAndStreamsUnderWay() throws {
        let running = try RunningServer()
        let connections = try (0..<20).map { _ in try #require(RawConnection(port: running.port)) }
        for (index, connection) in connections.enumerated() {
            connection.send("GET \(["/stream", "/late", "/live"][index % 3]) HTTP/1.1\r\nHost: localhost\r\n\r\n")
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

    /// A body of many pieces needs a minimum rate, however often a byte arrives.
    @Test func `a body that crawls is cut off, and a quick one is not`() throws {
        let running = try RunningServer { ($0.bodySeconds, $0.leastBodyRate) = (1, 1000) }
        defer { running.server.stop() }
        for (bytes, isCutOff) in [(1, true), (1000, false)] {
            let connection = try #require(RawConnection(port: running.port))
            connection.send("POST /pieces HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(40 * bytes)\r\n\r\n")
            for _ in 0..<40 {
                guard connection.send([UInt8](repeating: 97, count: bytes)) else { break }
                usleep(100_000)
            }
            #expect((connection.receiveAnswer()?.status == 200) == !isCutOff, "\(bytes) bytes ten times a second")
        }
    }
}
