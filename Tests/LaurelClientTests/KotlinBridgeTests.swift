// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import KotlinBridge
import LaurelClient
import LaurelHTTP
import Testing

/// A service that tells what it was asked, and answers some paths in its own way.
private final class EchoService: HTTPHandler {
    let server: MicroHTTPServer

    init() throws {
        server = MicroHTTPServer(try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0)))
        try server.start(self)
    }

    var address: String { "http://127.0.0.1:\(server.address.port)" }

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        .collect(limit: 1 << 20, tooLong: HTTPResponse(413)) { body, exchange in
            let status = ["/moved": 307, "/refused": 403][head.path] ?? 200
            var answer = HTTPResponse(status, body: Array("\(head.method) \(head.path)\r\n\n".utf8) + body)
            answer.headers["X-Test"] = head.headers["X-Test"]
            answer.headers["Location"] = status == 307 ? "/elsewhere" : nil
            exchange.respond(answer)
        }
    }
}

@Suite struct KotlinBridgeTests {
    @Test func `a journal is a queue that survives`() throws {
        let workshop = try Workshop()
        var source = ""
        do {
            let journal = try OutboxJournal(folder: workshop.outbox, application: "app")
            source = journal.source
            try journal.append(lines: ["a", "é"])
            try journal.append(lines: [])
            try journal.append(lines: ["c", "d"])
            try journal.removeOldest(count: 1)
            #expect((journal.count, journal.bytes) == (3, 4))
            #expect(try journal.oldest(count: 9, bytes: 3) == ["é"])
            #expect(try journal.oldest(count: 2, bytes: 99) == ["é", "c"])
            #expect(try journal.oldest(count: 9, bytes: 0) == ["é"])
            let error = #expect(throws: OutboxError.self) {
                try OutboxJournal(folder: workshop.outbox, application: "app")
            }
            #expect(error?.code == .inUse)
            journal.close()
        }
        let again = try OutboxJournal(folder: workshop.outbox, application: "app")
        #expect(again.source == source && source.hasPrefix("app/"))
        #expect(try again.oldest(count: 9, bytes: 99) == ["é", "c", "d"])
        try again.removeOldest(count: 3)
        #expect(try again.oldest(count: 9, bytes: 99).isEmpty)
    }

    @Test(arguments: [
        ("/events", "{}\n", 200, ["POST /events", "", "{}"]), ("/progress", nil, 200, ["GET /progress", ""]),
        ("/refused", nil, 403, ["GET /refused", ""]), ("/moved", nil, 307, ["GET /moved", ""]),
    ])
    func `a request is sent as it is`(path: String, body: String?, status: Int32, lines: [String]) throws {
        let service = try EchoService()
        let request = Request(url: service.address + path, headers: ["X-Test": "1"], body: body, timeout: 10_000)
        let answer = try SessionTransport().open(request: request)
        #expect(answer.status == status)
        #expect(answer.header(name: "x-test") == "1")
        #expect(answer.header(name: "X-Other") == nil)
        var read: [String] = []
        while let line = try answer.readLine() { read.append(line) }
        #expect(read == lines)
    }

    @Test(arguments: ["http://127.0.0.1:9/", "nothing", ""])
    func `an unreachable service throws`(address: String) {
        #expect(throws: (any Error).self) {
            try SessionTransport().open(request: Request(url: address, headers: [:], body: nil, timeout: 2_000))
        }
    }
}
