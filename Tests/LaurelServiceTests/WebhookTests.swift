// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelStore
import StoreTesting
import Synchronization
import Testing

@testable import LaurelService

/// A receiver of webhooks' messages, which gives prepared answers.
private final class Receiver: HTTPHandler {
    let server: MicroHTTPServer
    let received = Mutex<[HTTPRequest]>([])
    let status = Mutex(200)
    /// Called before the answer.
    let didReceive = Mutex<@Sendable () -> Void>({})

    init() throws {
        server = MicroHTTPServer(try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0)))
        try server.start(self)
    }

    var url: String { "http://127.0.0.1:\(server.address.port)/hook" }
    var requests: [HTTPRequest] { received.withLock { $0 } }
    var types: [String] {
        requests.compactMap { request in
            #expect(DescribedAnswer.problems(ofMessage: request.body) == [])
            let json = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            return json?["type"] as? String
        }
    }

    func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        .collect(limit: 1 << 20, tooLong: HTTPResponse(413)) { [self] body, exchange in
            var request = HTTPRequest(head.method, head.path, headers: head.headers)
            request.body = body
            received.withLock { $0.append(request) }
            didReceive.withLock { $0 }()
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

    private func waiting(_ test: TestService) throws -> [String: String] {
        try test.service.engine.serviceRecords(prefix: "outbox/")
    }

    @Test func isToldOfWhatACommitHasBroughtAboutSigned() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        let secret = try #require(try add(test, receiver.url)["secret"] as? String)
        try test.post(event("1"))
        receiver.wait(for: 3)
        #expect(Set(receiver.types) == ["achievement.unlocked", "streak.started", "streak.extended"])
        for request in receiver.requests {
            let headers = request.head.headers
            let (id, timestamp) = (try #require(headers["webhook-id"]), try #require(headers["webhook-timestamp"]))
            let key = Array(try #require(Data(base64Encoded: String(secret.dropFirst(6)))))
            let signed = Array("\(id).\(timestamp).".utf8) + request.body
            let signature = "v1," + Data(HMACSHA256(key: key).hash(signed)).base64EncodedString()
            #expect(headers["webhook-signature"] == signature)
            #expect(abs(Date().timeIntervalSince1970 - (Double(timestamp) ?? 0)) < 30)
        }
        // The same day again causes no message, and the accepted message is gone.
        try test.post(event("2"))
        usleep(1_500_000)
        #expect(receiver.requests.count == 3)
        #expect(try waiting(test).isEmpty)
        #expect(try test.get("/v1/webhooks").list.first?["secret"] == nil, "the secret is shown once")
    }

    @Test(.enabled(if: DatabaseServer.shared != nil))
    func `one of several services tells, and another where that is gone`() throws {
        let store = try #require(DatabaseServer.shared).newLocation()
        try StoreManagement(StoreLocation(store)).create()
        let receiver = try Receiver()
        defer { receiver.server.stop() }
        func service() throws -> TestService { try TestService(store: store) { $0.allowsPrivateWebhooks = true } }
        let (one, two) = (try service(), try service())
        _ = try add(one, receiver.url)
        try two.service.keys.reload()
        usleep(500_000)
        for number in 0..<10 {
            try (number % 2 == 0 ? one : two).post(event("\(number)", learner: "learner-\(number)"))
        }
        receiver.wait(for: 30)
        usleep(1_000_000)
        #expect(receiver.requests.count == 30)
        #expect(Set(receiver.requests.map { $0.head.headers["webhook-id"] }).count == 30)
        one.service.close()
        two.service.close()
        let third = try service()
        try third.post(event("1", learner: "ana"))
        receiver.wait(for: 33)
        #expect(receiver.requests.count == 33)
    }

    @Test func whatWasTakenIsSentOnceHoweverLongThatCannotBeWritten() throws {
        let (store, receiver) = (WatchedStore(MemoryStore()), try Receiver())
        let test = try TestService(over: store) { $0.allowsPrivateWebhooks = true }
        defer { receiver.server.stop() }
        let id = try #require(try add(test, receiver.url, #"["streak.extended"]"#)["id"] as? String)
        struct Full: Error {}
        let isFull = Mutex(false)
        store.willWrite = { if isFull.withLock(\.self) { throw Full() } }
        receiver.didReceive.withLock { $0 = { isFull.withLock { $0 = true } } }
        try test.post(event("1"))
        receiver.wait(for: 1)
        usleep(700_000)
        #expect(try waiting(test).count == 1)
        isFull.withLock { $0 = false }
        let start = Date()
        while try !waiting(test).isEmpty, Date().timeIntervalSince(start) < 10 { usleep(10_000) }
        #expect(receiver.requests.count == 1)
        #expect(try test.service.webhooks.deliveries(of: id).map(\.state) == ["delivered"])
    }

    @Test func nothingIsToldOfWhoWasErasedByAnotherService() throws {
        let (one, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        let id = try #require(try add(one, receiver.url, #"["streak.extended"]"#)["id"] as? String)
        try one.post(event("1"))
        receiver.wait(for: 1)
        let start = Date()
        func latest() throws -> Delivery? { try one.service.webhooks.deliveries(of: id).first }
        while try latest()?.state != "delivered", Date().timeIntervalSince(start) < 10 { usleep(10_000) }
        let message = try #require(try latest())
        try TestService(store: one.path).send("DELETE", "/v1/learners/ana")
        #expect(try one.get("/v1/webhooks/\(id)/deliveries").list.isEmpty)
        let again = "/v1/webhooks/\(id)/deliveries/\(message.id)"
        #expect(try one.send("POST", again).status == 404)
        try one.service.engine.announce(
            [("a night", Announcement(.streakAtRisk, learner: "ana", [:]))],
            .streakAtRisk
        )
        for prefix in ["outbox/", WatchMark.streakAtRisk.rawValue] {
            #expect(try one.service.engine.serviceRecords(prefix: prefix).isEmpty, "\(prefix)")
        }
        #expect(receiver.requests.count == 1)
    }

    @Test func isTriedAgainUntilItIsTakenAndTurnedOffByGone() throws {
        let ahead = Mutex(0.0)
        let receiver = try Receiver()
        let test = try TestService {
            $0.allowsPrivateWebhooks = true
            $0.now = { Date() + ahead.withLock { $0 } }
        }
        defer { receiver.server.stop() }
        let id = try #require(try add(test, receiver.url, #"["streak.extended"]"#)["id"] as? String)
        for status in [500, 302] {
            receiver.status.withLock { $0 = status }
            let count = receiver.requests.count
            try test.post(event("1", learner: "learner-\(status)"))
            receiver.wait(for: count + 1)
        }
        usleep(400_000)
        #expect(!receiver.requests.contains { $0.head.path == "/elsewhere" }, "redirections are not followed")
        let kept = try waiting(test)
        #expect(kept.count == 2 && kept.values.allSatisfy { $0.contains("\"attempts\":1") }, "\(kept)")
        #expect(Set(try test.service.webhooks.deliveries(of: id).map(\.lastStatus)) == [500, 302])
        receiver.status.withLock { $0 = 200 }
        let first = receiver.requests.map { $0.head.headers["webhook-id"] }
        ahead.withLock { $0 = 60 }
        receiver.wait(for: 4)
        #expect(Set(receiver.requests.suffix(2).map { $0.head.headers["webhook-id"] }) == Set(first), "the same ids")
        receiver.status.withLock { $0 = 410 }
        let count = receiver.requests.count
        try test.post(event("1", learner: "bob"))
        receiver.wait(for: count + 1)
        usleep(500_000)
        let listed = try #require(try test.get("/v1/webhooks").list.first)
        #expect(listed["disabledAt"] is String)
        try test.post(event("1", learner: "carla"))
        usleep(500_000)
        #expect(receiver.requests.count == count + 1)
        #expect(try waiting(test).isEmpty, "nothing is kept for one that is turned off")
        #expect(try test.send("DELETE", "/v1/webhooks/\(id)").status == 204)
        #expect(try test.send("DELETE", "/v1/webhooks/\(id)").status == 404)
    }

    @Test func isToldOfWhatAnotherProcessStores() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        _ = try add(test, receiver.url)
        let other = try ProgressEngine.open(path: test.path)
        try other.ingest(cloudEvents: Data(event("1").utf8))
        receiver.wait(for: 3)
        #expect(Set(receiver.types) == ["achievement.unlocked", "streak.started", "streak.extended"])
        // Old events that arrive at once cause no messages.
        let count = receiver.requests.count
        let history = (0..<20_001).map { event("old-\($0)", learner: "learner-\($0 % 9)") }.joined(separator: "\n")
        try other.ingest(cloudEvents: Data(history.utf8))
        usleep(300_000)
        #expect(receiver.requests.count == count)
        #expect(try waiting(test).isEmpty)
    }

    /// The list of webhooks is not read for each transaction. The next transaction must still know of a change by any
    /// process.
    @Test(arguments: [nil, 1, 3] as [Int?]) func whoIsToldIsKnownWhoeverChangesIt(partitions: Int?) throws {
        let test = try TestService(partitions: partitions) { $0.allowsPrivateWebhooks = true }
        // The same store over another connection, as another process has it.
        let other = partitions == nil ? try ProgressEngine.open(path: test.path) : test.service.engine
        let kept =
            #"{"id":"w","url":"http://127.0.0.1:9/","secret":"whsec_","createdAt":"2026-01-01T00:00:00Z","events":"#
        var count = 0
        func told(_ when: String, _ expected: Set<String>) throws {
            count += 1
            try test.post(event("1", learner: "learner-\(count)"))
            let about = try waiting(test).values.filter { $0.contains("learner-\(count)") }
            let kinds = ["achievement.unlocked", "streak.extended"].filter { kind in
                about.contains { $0.contains(kind) }
            }
            #expect(Set(kinds) == expected, "\(when)")
            // Another transaction of the same process in between, which changes neither.
            try other.announce([("today", Announcement(.reminderDue, learner: "nobody", [:]))], .reminder)
        }
        try told("nobody is there", [])
        try told("nobody is there, again", [])
        try other.setServiceRecords(["webhook/w": kept + #"["streak.extended"]}"#])
        try told("another adds one", ["streak.extended"])
        try told("it is as it was", ["streak.extended"])
        try other.setServiceRecords(["webhook/w": kept + "[]}"])
        try told("another changes it", ["achievement.unlocked", "streak.extended"])
        let gone = try other.removeWebhook("w")
        #expect(gone)
        try told("another removes it", [])
        try test.service.engine.setServiceRecords(["webhook/w": kept + "[]}"])
        try told("it is added here", ["achievement.unlocked", "streak.extended"])
    }

    @Test(arguments: [true, false]) func aWordIsToldOnceWhenItIsMastered(isJoined: Bool) throws {
        let test = try TestService { $0.allowsPrivateWebhooks = true }
        // No server listens there, so messages stay waiting.
        _ = try add(test, "http://127.0.0.1:9/", #"["word.mastered"]"#)
        let other = try ProgressEngine.open(path: test.path)
        func send(_ lines: [String]) throws {
            let text = lines.joined(separator: "\n")
            if isJoined { try test.post(text) } else { try other.ingest(cloudEvents: Data(text.utf8)) }
        }
        func review(_ word: String, _ day: Int) -> String {
            #"{"id":"\#(word)-\#(day)","source":"app","type":"review.graded","subject":"ana","#
                + #""time":"2025-\#(day < 10 ? "0" : "")\#(day)-01T12:00:00Z","language":"es","#
                + #""data":{"word":"\#(word)","grade":"easy"}}"#
        }
        func told() throws -> [String] {
            try waiting(test).values.compactMap { text in
                ["gato", "perro", "pez"].first { text.contains("\\\"word\\\":\\\"\($0)\\\"") }
            }.sorted()
        }
        for day in 1...5 { try send([review("gato", day)]) }
        try send([review("gato", 6), review("perro", 1)])
        let once = try told()
        #expect(once == ["gato"])
        // A word is reviewed again while others are mastered, and an event comes late.
        for day in 2...7 { try send([review("perro", day), review("gato", day + 5)]) }
        try send([review("pez", 1)])
        for day in 2...8 { try send([review("pez", day), review("gato", 12), review("perro", 9)]) }
        #expect(try told() == ["gato", "perro", "pez"])
    }

    @Test func isSilentDuringRebuildsAndForgetsTheErased() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        receiver.status.withLock { $0 = 500 }
        _ = try add(test, receiver.url)
        try test.post(event("1"))
        receiver.wait(for: 3)
        let count = receiver.requests.count
        try test.service.engine.replay()
        usleep(300_000)
        #expect(receiver.requests.count == count)
        #expect(try !waiting(test).isEmpty)
        #expect(try test.send("DELETE", "/v1/learners/ana").status == 204)
        usleep(300_000)
        #expect(try waiting(test).isEmpty)
    }

    @Test func aStreakAtRiskIsToldOnceInTheEvening() throws {
        let (test, receiver) = (try TestService { $0.allowsPrivateWebhooks = true }, try Receiver())
        defer { receiver.server.stop() }
        _ = try add(test, receiver.url, #"["streak.at_risk"]"#)
        // The clock of the events is an hour behind UTC.
        func day(_ day: Int) -> String { event("\(day)", day: day).replacing("18:00:00Z", with: "17:00:00-01:00") }
        try test.post((1...5).map(day).joined(separator: "\n"))
        let watch = test.service.learnerWatch
        func look(_ time: String) throws { watch.look(at: try Timestamp(time).date) }
        try look("2026-04-05T23:30:00Z")
        try look("2026-04-06T20:30:00Z")
        #expect(
            try test.service.engine.serviceRecords(prefix: WatchMark.streakAtRisk.rawValue).isEmpty,
            "not today, and not yet"
        )
        for time in ["2026-04-06T21:30:00Z", "2026-04-06T22:30:00Z", "2026-04-07T00:30:00Z"] { try look(time) }
        receiver.wait(for: 1)
        usleep(1_500_000)
        #expect(receiver.types == ["streak.at_risk"])
        let body = String(decoding: receiver.requests[0].body, as: UTF8.self)
        #expect(body.contains(#""days":5"#) && body.contains(#""endsAt":"2026-04-07T01:00:00.000Z""#), "\(body)")
    }

    @Test func aDamagedLearnerKeepsNobodyElseFromBeingTold() throws {
        let (store, receiver) = (WatchedStore(MemoryStore()), try Receiver())
        let test = try TestService(over: store) { $0.allowsPrivateWebhooks = true }
        defer { receiver.server.stop() }
        _ = try add(test, receiver.url, #"["streak.at_risk"]"#)
        for learner in ["ana", "ben"] {
            try test.post((1...5).map { event("\($0)", learner: learner, day: $0) }.joined(separator: "\n"))
        }
        // The first look-up is for the learner with a streak, the second for ana.
        let thread = pthread_self()
        let reads = Mutex(0)
        store.willRead = {
            guard pthread_equal(thread, pthread_self()) != 0 else { return }
            reads.withLock { $0 += 1 }
            if reads.withLock(\.self) == 2 { throw StoreError(.corrupt, "a block of ana's is damaged") }
        }
        test.service.learnerWatch.look(at: try Timestamp("2026-04-06T21:30:00Z").date)
        store.willRead = {}
        receiver.wait(for: 1)
        #expect(receiver.types == ["streak.at_risk"])
        #expect(receiver.requests.first.map { String(decoding: $0.body, as: UTF8.self) }?.contains("ben") == true)
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
        for host in ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.1", "0x7f000001", "[::1]", "10.0.0.1"]
        {
            #expect(AddressGuard.isPrivate(host), "\(host)")
        }
        #expect(!AddressGuard.isPrivate("example.com") && !AddressGuard.isPrivate("93.184.216.34"))
        let test = try TestService()
        for url in [
            "http://example.com/", "ftp://example.com/", "https://user@example.com/", "https://127.0.0.1/",
            "https://[::1]:8443/", "https://localhost/", "nonsense",
        ] {
            #expect(try test.send("POST", "/v1/webhooks", "{\"url\":\"\(url)\"}").code == "invalid-webhook", "\(url)")
        }
        #expect(
            try test.send("POST", "/v1/webhooks", #"{"url":"https://example.com/","events":["level.reach"]}"#).status
                == 422
        )
    }

    /// A name that is looked up once for the check and once for the connection may resolve to two addresses.
    @Test func theAddressThatIsConnectedToIsTheOneThatIsChecked() throws {
        let (test, receiver) = (try TestService(), try Receiver())
        defer { receiver.server.stop() }
        let webhook = Webhook(
            id: "abc",
            url: receiver.url.replacing("http://127.0.0.1", with: "https://localhost"),
            events: ["streak.extended", "achievement.unlocked"],
            secret: Webhook.newSecret(),
            createdAt: Date()
        )
        try test.service.engine.setServiceRecords(["webhook/abc": ServiceRecords.text(webhook)])
        try test.service.keys.reload()
        try test.post(event("1"))
        let start = Date()
        func refused() throws -> Bool {
            try test.get("/metrics").text.contains(#"laurel_webhook_deliveries_total{outcome="refused"} 2"#)
        }
        while try !refused(), Date().timeIntervalSince(start) < 10 { usleep(10_000) }
        #expect(try refused())
        #expect(receiver.requests.isEmpty)
    }
}
