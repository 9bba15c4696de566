import Foundation
import Laurel
import LaurelHTTP
import Synchronization
import Testing

@testable import LaurelService

/// Somebody who is told, and answers as they are asked to.
private final class Receiver: HTTPHandler {
    let server: MicroHTTPServer
    let received = Mutex<[HTTPRequest]>([])
    let status = Mutex(200)

    init() throws {
        server = MicroHTTPServer(try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0)))
        try server.start(self)
    }

    var url: String { "http://127.0.0.1:\(server.address.port)/hook" }
    var requests: [HTTPRequest] { received.withLock { $0 } }
    var types: [String] {
        requests.compactMap { request in
            let json = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            return json?["type"] as? String
        }
    }

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        .collect(limit: 1 << 20, tooLong: HTTPResponse(413)) { [self] body, exchange in
            var request = HTTPRequest(head.method, head.path, headers: head.headers)
            request.body = body
            received.withLock { $0.append(request) }
            let status = status.withLock { $0 }
            let headers: HTTPHeaders = status == 302 ? ["Location": "/elsewhere"] : [:]
            exchange.respond(HTTPResponse(status, headers: headers))
        }
    }

    func wait(for count: Int) {
        let start = Date()
        while requests.count < count, Date().timeIntervalSince(start) < 10 { usleep(10_000) }
    }
}

@Suite struct WebhookTests {
    private func add(_ test: TestService, _ url: String, _ events: String = "[]") throws -> [String: Any] {
        let response = try test.send("POST", "/v1/webhooks", "{\"url\":\"\(url)\",\"events\":\(events)}")
        #expect(response.status == 201, "\(response.text)")
        return response.json
    }

    @Test func isToldOfWhatACommitHasBroughtAboutSigned() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        let secret = try #require(try add(test, receiver.url)["secret"] as? String)
        try test.post(event("1"))
        receiver.wait(for: 2)
        #expect(Set(receiver.types) == ["achievement.unlocked", "streak.extended"])
        for request in receiver.requests {
            let headers = request.head.headers
            let (id, timestamp) = (try #require(headers["webhook-id"]), try #require(headers["webhook-timestamp"]))
            let key = Array(try #require(Data(base64Encoded: String(secret.dropFirst(6)))))
            let signed = Array("\(id).\(timestamp).".utf8) + request.body
            let signature = "v1," + Data(Secrets.authenticate(signed, key: key)).base64EncodedString()
            #expect(headers["webhook-signature"] == signature)
            #expect(abs(Date().timeIntervalSince1970 - (Double(timestamp) ?? 0)) < 30)
        }
        // The same day again is no news, and what was taken is gone.
        try test.post(event("2"))
        usleep(1_500_000)
        #expect(receiver.requests.count == 2)
        #expect(try test.service.engine.serviceRecords(prefix: ProgressEngine.messages).isEmpty)
        #expect(try test.get("/v1/webhooks").list.first?["secret"] == nil, "the secret is shown once")
    }

    @Test func isTriedAgainUntilItIsTakenAndTurnedOffByGone() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        let id = try #require(try add(test, receiver.url, #"["streak.extended"]"#)["id"] as? String)
        for status in [500, 302] {
            receiver.status.withLock { $0 = status }
            let count = receiver.requests.count
            try test.post(event("1", learner: "learner-\(status)"))
            receiver.wait(for: count + 1)
        }
        usleep(300_000)
        #expect(!receiver.requests.contains { $0.head.path == "/elsewhere" }, "redirections are not followed")
        let waiting = try test.service.engine.serviceRecords(prefix: ProgressEngine.messages)
        #expect(waiting.count == 2 && waiting.values.allSatisfy { $0.contains("\"attempts\":1") })
        receiver.status.withLock { $0 = 200 }
        let first = receiver.requests.map { $0.head.headers["webhook-id"] }
        test.service.webhooks.sendDue(at: Date() + 60)
        #expect(Set(receiver.requests.suffix(2).map { $0.head.headers["webhook-id"] }) == Set(first), "the same ids")
        receiver.status.withLock { $0 = 410 }
        let count = receiver.requests.count
        try test.post(event("1", learner: "bob"))
        receiver.wait(for: count + 1)
        usleep(500_000)
        let listed = try #require(try test.get("/v1/webhooks").list.first)
        #expect(listed["disabledAt"] is String)
        try test.post(event("1", learner: "carla"))
        usleep(1_500_000)
        #expect(receiver.requests.count == count + 1)
        #expect(try test.send("DELETE", "/v1/webhooks/\(id)").status == 204)
        #expect(try test.send("DELETE", "/v1/webhooks/\(id)").status == 404)
    }

    @Test func isSilentDuringRebuildsAndForgetsTheErased() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        receiver.status.withLock { $0 = 500 }
        _ = try add(test, receiver.url)
        try test.post(event("1"))
        receiver.wait(for: 2)
        let count = receiver.requests.count
        try test.service.engine.replay()
        usleep(300_000)
        #expect(receiver.requests.count == count)
        #expect(try !test.service.engine.serviceRecords(prefix: ProgressEngine.messages).isEmpty)
        #expect(try test.send("DELETE", "/v1/learners/ana").status == 204)
        usleep(300_000)
        #expect(try test.service.engine.serviceRecords(prefix: ProgressEngine.messages).isEmpty)
    }

    @Test func aStreakAtRiskIsToldOnceInTheEvening() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        _ = try add(test, receiver.url, #"["streak.at_risk"]"#)
        // The clock that the events tell is an hour behind UTC.
        func day(_ day: Int) -> String { event("\(day)", day: day).replacing("18:00:00Z", with: "17:00:00-01:00") }
        try test.post((1...5).map(day).joined(separator: "\n"))
        let webhooks = test.service.webhooks
        func look(_ time: String) throws { webhooks.lookForStreaksAtRisk(at: try Timestamp(time).date) }
        try look("2026-04-05T23:30:00Z")
        try look("2026-04-06T20:30:00Z")
        #expect(
            try test.service.engine.serviceRecords(prefix: ProgressEngine.streaksAtRisk).isEmpty,
            "not today, and not yet"
        )
        for time in ["2026-04-06T21:30:00Z", "2026-04-06T22:30:00Z", "2026-04-07T00:30:00Z"] { try look(time) }
        receiver.wait(for: 1)
        usleep(1_500_000)
        #expect(receiver.types == ["streak.at_risk"])
        let body = String(decoding: receiver.requests[0].body, as: UTF8.self)
        #expect(body.contains(#""days":5"#) && body.contains(#""endsAt":"2026-04-07T01:00:00.000Z""#), "\(body)")
    }

    @Test func addressesOfThisNetworkAreRefused() throws {
        let rows: [(address: [UInt8], isPublic: Bool)] = [
            ([127, 0, 0, 1], false), ([10, 1, 2, 3], false), ([172, 16, 0, 1], false), ([172, 32, 0, 1], true),
            ([192, 168, 1, 1], false), ([169, 254, 169, 254], false), ([100, 64, 0, 1], false), ([0, 0, 0, 0], false),
            ([224, 0, 0, 1], false), ([255, 255, 255, 255], false), ([93, 184, 216, 34], true),
        ]
        for row in rows {
            #expect(AddressGuard.isPublic(v4: row.address) == row.isPublic, "\(row.address)")
            let mapped = [UInt8](repeating: 0, count: 10) + [255, 255] + row.address
            #expect(AddressGuard.isPublic(v6: mapped) == row.isPublic, "\(mapped)")
        }
        #expect(!AddressGuard.isPublic(v6: [UInt8](repeating: 0, count: 15) + [1]))
        #expect(!AddressGuard.isPublic(v6: [0xFE, 0x80] + [UInt8](repeating: 0, count: 14)))
        #expect(!AddressGuard.isPublic(v6: [0xFD] + [UInt8](repeating: 1, count: 15)))
        #expect(AddressGuard.isPublic(v6: [0x26, 0x06] + [UInt8](repeating: 1, count: 14)))
        #expect(
            !AddressGuard.isPublic("localhost") && !AddressGuard.isPublic("127.0.0.1")
                && !AddressGuard.isPublic("[::1]")
        )
        let test = try TestService()
        for url in ["http://example.com/", "ftp://example.com/", "https://user@example.com/", "nonsense"] {
            #expect(try test.send("POST", "/v1/webhooks", "{\"url\":\"\(url)\"}").code == "invalid-webhook", "\(url)")
        }
        #expect(
            try test.send("POST", "/v1/webhooks", #"{"url":"https://example.com/","events":["level.reach"]}"#).status
                == 422
        )
    }
}
