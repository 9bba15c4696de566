// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import LaurelClient
import LaurelHTTP
import Synchronization
import Testing

/// A service that gives prepared answers.
private final class ScriptedService: HTTPHandler {
    let server: MicroHTTPServer
    private let answers: Mutex<[HTTPResponse]>
    let requests = Mutex<[HTTPRequest]>([])

    init(_ answers: [HTTPResponse]) throws {
        self.answers = Mutex(answers)
        server = MicroHTTPServer(try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0)))
        try server.start(self)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(server.address.port)")! }

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        .collect(limit: 1 << 20, tooLong: HTTPResponse(413)) { [self] body, exchange in
            var request = HTTPRequest(head.method, head.path, headers: head.headers)
            request.body = body
            requests.withLock { $0.append(request) }
            let answer = answers.withLock { $0.isEmpty ? HTTPResponse(500) : $0.removeFirst() }
            exchange.respond(answer)
        }
    }
}

/// A text or a number in JSON.
private enum Either: Decodable, Equatable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}

@Suite struct HTTPDeliveryTests {
    private static let batch = Batch(
        source: "app",
        ids: ["1", "2", "3"],
        ndjson: Data("{\"id\":\"1\"}\n{\"id\":\"2\"}\n{\"id\":\"3\"}\n".utf8)
    )

    private static func report(refused: Int = 0, message: String? = nil) -> HTTPResponse {
        let problems = message.map { "{\"index\":0,\"message\":\"\($0)\"}" } ?? ""
        let body =
            "{\"read\":3,\"stored\":\(3 - refused),\"duplicates\":0,\"conflicts\":0,\"refused\":\(refused),\"problems\":[\(problems)]}"
        return HTTPResponse(200, body: Array(body.utf8))
    }

    private func deliver(_ answers: [HTTPResponse]) async throws -> (Receipt, [HTTPRequest]) {
        let service = try ScriptedService(answers)
        defer { service.server.stop() }
        let receipt = try await HTTPDelivery(service.url) { "key" }.deliver(Self.batch)
        return (receipt, service.requests.withLock { $0 })
    }

    @Test func sendsLinesWithTheKeyAndReadsTheReport() async throws {
        let (receipt, requests) = try await deliver([Self.report(refused: 1, message: "no")])
        #expect(receipt == Receipt(refused: 1, message: "no"))
        #expect(requests.map(\.head.path) == ["/v1/events"])
        #expect(requests[0].head.headers["Authorization"] == "Bearer key")
        #expect(requests[0].head.contentType == "application/x-ndjson")
        #expect(requests[0].body.count { $0 == 10 } == 2)
    }

    @Test func halvesWhatIsTooLarge() async throws {
        let (receipt, requests) = try await deliver([HTTPResponse(413), HTTPResponse(413), Self.report()])
        // Three events are split into one and two. The first one is too large even alone.
        #expect(receipt.refused == 1)
        #expect(requests.map { $0.body.count { $0 == 10 } + 1 } == [3, 1, 2])
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answer: HTTPResponse
        let isRetryable: Bool
        var retryAfter: Duration?
    }

    static let rows = [
        Row(
            testDescription: "busy",
            answer: HTTPResponse(503, headers: ["Retry-After": "7"]),
            isRetryable: true,
            retryAfter: .seconds(7)
        ),
        Row(
            testDescription: "too many",
            answer: HTTPResponse(429, headers: ["Retry-After": "2"]),
            isRetryable: true,
            retryAfter: .seconds(2)
        ),
        Row(testDescription: "failed", answer: HTTPResponse(500), isRetryable: true),
        Row(
            testDescription: "another's answer",
            answer: HTTPResponse(200, body: Array("<html>".utf8)),
            isRetryable: true
        ),
        Row(
            testDescription: "no key",
            answer: HTTPResponse(401, body: Array(#"{"detail":"sign in"}"#.utf8)),
            isRetryable: false
        ),
        Row(testDescription: "not allowed", answer: HTTPResponse(403), isRetryable: false),
        Row(testDescription: "wrong", answer: HTTPResponse(400), isRetryable: false),
    ]

    @Test(arguments: rows) func failuresSayWhenToTryAgain(_ row: Row) async throws {
        do {
            _ = try await deliver([row.answer])
            Issue.record("it was delivered")
        } catch let error as DeliveryError {
            #expect(error.isRetryable == row.isRetryable)
            #expect(error.retryAfter == row.retryAfter)
        }
    }

    private static let purchase = ItemPurchase(
        learner: "ana/é",
        item: "potion",
        count: 2,
        id: "7",
        time: "2026-02-05T15:00:00.000+01:00"
    )

    private func buy(_ status: Int, _ body: String) async throws -> (ItemReceipt, HTTPRequest) {
        let service = try ScriptedService([HTTPResponse(status, body: Array(body.utf8))])
        defer { service.server.stop() }
        let receipt = try await HTTPDelivery(service.url) { "key" }.buy(Self.purchase)
        return (receipt, service.requests.withLock { $0[0] })
    }

    @Test func asksForAPurchaseAndReadsTheReceipt() async throws {
        let answer = #"{"id":"7","item":"potion","count":2,"duplicate":true,"progress":{"balances":{"gems":3}}}"#
        let (receipt, request) = try await buy(200, answer)
        #expect(receipt == ItemReceipt(isDuplicate: true, balances: ["gems": 3]))
        #expect(request.head.headers["Authorization"] == "Bearer key")
        #expect(request.head.path.hasSuffix("/purchases") && request.head.path.hasPrefix("/v1/learners/ana"))
        let body = try JSONDecoder().decode([String: Either].self, from: Data(request.body))
        #expect(body["item"] == .text("potion") && body["count"] == .number(2))
        #expect(body["id"] == .text("7") && body["time"] == .text(Self.purchase.time) && body.count == 4)
    }

    @Test(arguments: [(409, true), (422, true), (401, false), (403, false), (503, false)])
    func onlyAnAnswerAboutThePurchaseRefusesIt(status: Int, isRefusal: Bool) async throws {
        do {
            _ = try await buy(status, #"{"detail":"4 gems are missing","code":"insufficient-balance"}"#)
            Issue.record("it was bought")
        } catch let refusal as PurchaseRefusal {
            #expect(isRefusal && refusal.code == "insufficient-balance" && refusal.message == "4 gems are missing")
        } catch let error as DeliveryError {
            #expect(!isRefusal && error.isRetryable == (status == 503))
        }
    }

    @Test func aPageWithoutACodeDoesNotRefuseAPurchase() async throws {
        await #expect(throws: DeliveryError.self) { try await buy(404, "<html>") }
    }

    @Test func nobodyThereIsTriedAgain() async throws {
        let delivery = HTTPDelivery(URL(string: "http://127.0.0.1:1")!, timeout: 5)
        do {
            _ = try await delivery.deliver(Self.batch)
            Issue.record("it was delivered")
        } catch let error as DeliveryError {
            #expect(error.isRetryable && error.retryAfter == nil)
        }
    }
}
