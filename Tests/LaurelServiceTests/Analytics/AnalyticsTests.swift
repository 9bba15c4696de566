// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import Testing

@testable import LaurelService

/// Requests as the SDKs of Segment, RudderStack and PostHog send them.
@Suite struct AnalyticsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: String
        let body: String
        /// The learner of the stored event; nil if nothing is stored.
        var learner: String?
        var id = "m1"
        var type = "review.graded"
    }

    private static let properties =
        #""properties":{"word":"pan","grade":"good","language":"es","$lib":"web","token":"t"}"#
    private static let time = #""timestamp":"2026-04-05T18:00:00.000Z""#

    private static func track(_ ids: String, event: String = "Review Graded", id: String = "m1") -> String {
        #"{"type":"track","event":"\#(event)",\#(ids),"messageId":"\#(id)",\#(time),\#(properties)}"#
    }
    private static func capture(_ more: String = "", event: String = "review_graded", properties: String = "") -> String
    {
        #"{"event":"\#(event)","distinct_id":"d1","uuid":"m1",\#(time)\#(more),"#
            + #""properties":{"word":"pan","grade":"good"\#(properties)}}"#
    }
    private static func now() -> String { Timestamp(milliseconds: Date().milliseconds).description }
    private static func batch(_ calls: String...) -> String {
        #"{"batch":[\#(calls.joined(separator: ","))],"sentAt":"\#(now())"}"#
    }

    static let rows = [
        Row(testDescription: "a batch", path: "/v1/batch", body: batch(track(#""userId":"ana""#)), learner: "ana"),
        Row(
            testDescription: "an anonymous call",
            path: "/v1/track",
            body: track(#""anonymousId":"a1""#),
            learner: "anonymous:a1"
        ),
        Row(
            testDescription: "a call with both ids",
            path: "/v1/t",
            body: track(#""anonymousId":"a1","userId":"ana""#),
            learner: "ana"
        ),
        Row(testDescription: "a number as an id", path: "/v1/t", body: track(#""userId":17"#), learner: "17"),
        Row(
            testDescription: "identify",
            path: "/v1/identify",
            body: #"{"userId":"ana","messageId":"m1",\#(time),"traits":{"name":"Ana"}}"#,
            learner: "ana",
            type: "learner.updated"
        ),
        Row(testDescription: "a page", path: "/v1/page", body: #"{"userId":"ana","messageId":"m1","name":"Home"}"#),
        Row(testDescription: "PostHog's batch", path: "/batch/", body: #"{"batch":[\#(capture())]}"#, learner: "d1"),
        Row(
            testDescription: "PostHog's list",
            path: "/e/?ip=0&compression=none",
            body: "[\(capture())]",
            learner: "d1"
        ),
        Row(
            testDescription: "PostHog's event",
            path: "/i/v0/e/?_=\(Date().milliseconds)&ver=1.2",
            body: capture(),
            learner: "d1"
        ),
        Row(
            testDescription: "a device's id",
            path: "/capture/",
            body: capture(properties: #","$device_id":"d1""#),
            learner: "anonymous:d1"
        ),
        Row(
            testDescription: "no profile",
            path: "/capture/",
            body: capture(properties: #","$process_person_profile":false"#),
            learner: "anonymous:d1"
        ),
        Row(
            testDescription: "PostHog's identify",
            path: "/capture/",
            body: capture(event: "$identify", properties: #","$set":{"name":"Ana"}"#),
            learner: "d1",
            type: "learner.updated"
        ),
    ]

    @Test(arguments: rows) func callsBecomeEvents(row: Row) throws {
        let test = try TestService()
        let headers = try test.key([.analytics])
        let answer = try test.send("POST", row.path, row.body, headers: headers)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.contains(#""stored":\#(row.learner == nil ? 0 : 1)"#), "\(answer.text)")
        #expect(!answer.text.contains("problems\":[{"), "\(answer.text)")
        let again = try test.send("POST", row.path, row.body, headers: headers)
        #expect(again.text.contains(#""duplicates":\#(row.learner == nil ? 0 : 1)"#), "\(again.text)")
        var events: [String] = []
        _ = try test.service.engine.export { events.append(String(decoding: $0, as: UTF8.self)) }
        let text = events.joined()
        guard let learner = row.learner else { return #expect(text.isEmpty, "\(text)") }
        for part in [#""id":"\#(row.id)""#, #""type":"\#(row.type)""#, #""subject":"\#(learner)""#] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("$lib") && !text.contains("token"), "\(text)")
    }

    // MARK: Keys

    @Test func theKeyIsWhereTheSDKsPutIt() throws {
        let test = try TestService()
        let header = try test.key([.analytics])
        let key = String(try #require(header["Authorization"]).dropFirst("Bearer ".count))
        let basic = Data("\(key):".utf8).base64EncodedString()
        let call = Self.track(#""userId":"ana""#)
        let rows: [(name: String, headers: HTTPHeaders, path: String, body: String, status: Int)] = [
            ("Basic", ["Authorization": "Basic \(basic)"], "/v1/track", call, 200),
            ("Bearer", header, "/v1/track", call, 200),
            ("writeKey", [:], "/v1/batch", #"{"batch":[\#(call)],"writeKey":"\#(key)"}"#, 200),
            ("api_key", [:], "/batch/", #"{"batch":[\#(Self.capture())],"api_key":"\#(key)"}"#, 200),
            ("token", [:], "/capture/", Self.capture(properties: #","token":"\#(key)""#), 200),
            ("token in a list", [:], "/e/", "[\(Self.capture(properties: #","token":"\#(key)""#))]", 200),
            ("flags", [:], "/flags/?v=4", #"{"api_key":"\#(key)","distinct_id":"d1"}"#, 200),
            ("no key", [:], "/v1/track", call, 401),
            ("no key for flags", [:], "/flags/?v=4", #"{"distinct_id":"d1"}"#, 401),
            (
                "another password", ["Authorization": "Basic \(Data("x:\(key)".utf8).base64EncodedString())"],
                "/v1/track", call, 401
            ),
            ("damaged Basic", ["Authorization": "Basic %%%"], "/v1/track", call, 401),
            ("wrong key in the body", [:], "/batch/", #"{"batch":[],"api_key":"laurel_0_x"}"#, 401),
            ("Basic elsewhere", ["Authorization": "Basic \(basic)"], "/v1/events", "", 401),
        ]
        for row in rows {
            let answer = try test.send("POST", row.path, row.body, type: "text/plain", headers: row.headers)
            #expect(answer.status == row.status, "\(row.name): \(answer.status) \(answer.text)")
        }
        let reader = try test.key([.read])
        #expect(try test.send("POST", "/v1/track", call, headers: reader).status == 403)
        #expect(try test.post(event("1"), headers: header).status == 403)
        #expect(KeyGrant([.analytics, .read]).problem() != nil)
        #expect(KeyGrant([.analytics]).problem() == nil)
    }

    @Test func aPublicKeySendsForUsersThatCameWithIt() throws {
        let test = try TestService()
        try test.post(event("1", learner: "ana"))
        let headers = try test.key([.analytics])
        func send(_ ids: String, _ id: String, _ headers: HTTPHeaders) throws -> String {
            try test.send("POST", "/v1/track", Self.track(ids, id: id), headers: headers).text
        }
        let refused = try send(#""userId":"ana""#, "m1", headers)
        #expect(refused.contains(#""refused":1"#) && refused.contains("forbidden-learner"), "\(refused)")
        #expect(try send(#""userId":"ben""#, "m2", headers).contains(#""stored":1"#))
        #expect(try send(#""userId":"ben""#, "m3", headers).contains(#""stored":1"#))
        #expect(try send(#""userId":"anonymous:x""#, "m4", headers).contains("forbidden-learner"))
        // After another process has stored events of the user, too.
        try test.post(event("2", learner: "ben"), headers: test.key([.ingest]))
        test.service.named.forget()
        #expect(try send(#""userId":"ben""#, "m5", test.key([.analytics])).contains(#""stored":1"#))
        #expect(try send(#""userId":"ana""#, "m6", test.key([.ingest])).contains(#""stored":1"#))
        let own = try test.key(KeyGrant([.ingest], learner: "ana"))
        #expect(try send(#""userId":"ana""#, "m7", own).contains(#""stored":1"#))
        #expect(try send(#""userId":"ben""#, "m8", own).contains("forbidden-learner"))
        // An erasure deletes the note about the user.
        _ = try test.service.engine.erase(learner: "ben")
        #expect(try test.service.engine.serviceRecords(prefixes: ["named/"]).isEmpty)
    }

    // MARK: Time

    @Test func aWrongClockIsCorrected() throws {
        let now: Int64 = 1_775_412_000_000
        let hour: Int64 = 3_600_000
        let rows: [(name: String, written: Int64?, sent: Int64?, expected: Int64)] = [
            ("a right clock", now - hour, now, now - hour), ("a slow network", now - hour, now - 200_000, now - hour),
            ("two hours behind", now - 3 * hour, now - 2 * hour, now - hour),
            ("a day ahead", now + 23 * hour, now + 24 * hour, now - hour),
            ("no time of sending", now - hour, nil, now - hour),
            ("no time", nil, now - 5 * hour, now),
        ]
        for row in rows {
            let clock = DeviceClock(received: now, sent: row.sent.map { Timestamp(milliseconds: $0) })
            var call = JSONTree.object([])
            if let written = row.written { call["timestamp"] = .string(Array(Timestamp.utc(written).utf8)) }
            #expect(clock.time(of: call)?.milliseconds == row.expected, "\(row.name)")
        }
        let clock = DeviceClock(received: now, sent: Timestamp(milliseconds: now - 2 * hour))
        let local = JSONTree.object([(Array("timestamp".utf8), .string(Array("2026-04-05T18:00:00+02:00".utf8)))])
        #expect(clock.time(of: local)?.description == "2026-04-05T20:00:00+02:00")
        let utc = JSONTree.object([(Array("timestamp".utf8), .string(Array("2026-04-05T18:00:00+00:00".utf8)))])
        #expect(DeviceClock(received: now, sent: nil).time(of: utc)?.description == "2026-04-05T18:00:00Z")
    }

    @Test func aCallSentAgainIsADuplicateWhateverTheClockSays() throws {
        let test = try TestService()
        let call = Self.track(#""userId":"ana""#)
        for (hours, count) in [(2, #""stored":1"#), (3, #""duplicates":1"#), (0, #""duplicates":1"#)] {
            let sent = Timestamp(milliseconds: Date().milliseconds - Int64(hours) * 3_600_000).description
            let answer = try test.send(
                "POST",
                "/v1/batch",
                #"{"batch":[\#(call)],"sentAt":"\#(sent)"}"#,
                headers: test.key([.ingest])
            )
            #expect(answer.text.contains(count) && answer.text.contains(#""conflicts":0"#), "\(hours): \(answer.text)")
        }
        #expect(try test.service.engine.quarantineCounts().isEmpty)
    }

    // MARK: What has no meaning

    @Test func unmappedCallsAreKeptAsTheyCame() throws {
        let test = try TestService()
        let call = Self.track(#""userId":"ana""#, event: "Order Completed")
        let answer = try test.send(
            "POST",
            "/v1/batch",
            Self.batch(call, Self.track(#""userId":"ana""#, id: "m2")),
            headers: test.key([.analytics])
        )
        #expect(answer.text.contains(#""stored":1"#) && answer.text.contains(#""refused":1"#), "\(answer.text)")
        #expect(
            answer.text.contains(#""code":"unmapped""#) && answer.text.contains("order.completed"),
            "\(answer.text)"
        )
        #expect(try test.service.engine.quarantineCounts().map(\.reason) == ["unmapped"])
        let line = try #require(try test.service.engine.quarantinedLines().first)
        var bytes: [UInt8] = []
        try test.service.engine.quarantinedLine(line.id) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(String(call.dropLast())))
        #expect(try test.get("/intake", headers: test.key([.admin])).text.contains("unmapped"))
    }

    @Test func theIntakePageNamesUnmappedCalls() throws {
        let test = try TestService()
        let names = ["Order Completed", "Song 'A'", "Order Completed"]
        let calls = names.enumerated().map { Self.track(#""userId":"ana""#, event: $1, id: "m\($0)") }
        let batch = Self.batch(calls.joined(separator: ","))
        try test.send("POST", "/v1/batch", batch, headers: test.key([.analytics]))
        let found = try test.service.engine.unmappedCalls(limit: 9)
        #expect(found.map(\.name) == ["Order Completed", "Song 'A'"] && found.map(\.calls) == [2, 1], "\(found)")
        let page = try test.get("/intake", headers: test.key([.admin])).text
        #expect(page.contains("Unmapped analytics calls") && page.contains("Order Completed"))
        let shipped = try #require(InputFormat.named("analytics").mapping)
        for call in found {
            let entry = UnmappedCard.entry(for: try #require(call.kind))
            let mapping = shipped.replacing("\nevents:\n", with: "\nevents:\n  \(entry)\n")
            #expect(mapping != shipped)
            _ = try InputFormat(mapping: mapping, name: "mapping")
        }
    }

    @Test func badMappingsAreRefusedAtTheStart() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "laurel-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let head = "version: 1\nname: mine\nreads: json-records\n"
        let entry = "events:\n  - {what: a, type: line.spoken, id: $.id, time: $.at, subject: $.s"
        for (text, message) in [
            (head + entry + ", changed: first}\n", "compares files"), (head + entry + ", idd: 1}\n", "idd"),
            (
                "version: 1\nname: mine\nreads: sqlite\nrecognise: [a]\nevents:\n"
                    + "  - {what: a, type: line.spoken, sql: 'SELECT 1 AS id, 2 AS time, 3 AS subject FROM a'}\n",
                "json-records"
            ),
        ] {
            try Data(text.utf8).write(to: file)
            do {
                _ = try TestService { $0.analyticsMapping = file.path }
                Issue.record("\(text) is accepted")
            } catch {
                #expect("\(error)".contains(message), "\(error)")
            }
        }
    }

    // MARK: Hostile input

    @Test(arguments: Route.analyticsRoutes.map(\.path)) func damagedBodiesAreRefused(path: String) throws {
        let test = try TestService()
        let headers = try test.key([.analytics])
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        for (name, body, statuses) in [
            ("nothing", "", [400]), ("no JSON", "{", [400]), ("a text", #""x""#, [400]),
            ("deep", #"{"batch":\#(deep)}"#, [400]),
            ("batch of texts", #"{"batch":["x",1,null,[]]}"#, [200]),
            ("batch is no list", #"{"batch":{}}"#, [200, 400]),
            ("no ids", #"{"batch":[{"type":"track","event":"line.spoken","properties":5}]}"#, [200]),
            ("wrong types", #"{"event":["x"],"userId":{},"timestamp":7,"messageId":[],"properties":"x"}"#, [200]),
            ("NUL", #"{"event":"line.spoken","userId":"a\u0000b","distinct_id":"\u0000"}"#, [200]),
            ("a strange form", "data=%zz", [400]), ("Base64 of nothing", "data=e30%3D", [200]),
        ] {
            let answer = try test.send("POST", path, body, headers: headers)
            #expect(statuses.contains(answer.status), "\(name): \(answer.status) \(answer.text)")
        }
        #expect(try test.get("/v1/learners", headers: test.key([.read])).text.hasPrefix("[]"), "nothing is stored")
        for (bytes, status) in [
            (try packed(Array(Self.track(#""userId":"ana""#).utf8), by: "gzip"), 200),
            (Array(try packed(Array(Self.track(#""userId":"ana""#).utf8), by: "gzip").dropLast(9)), 400),
            (try packed([UInt8](repeating: 0x20, count: 8 << 20), by: "gzip"), 413),
            ([UInt8](repeating: 0x20, count: 7 << 20), 413),
        ] {
            let request = HTTPRequest("POST", path, headers: headers, body: bytes)
            #expect(test.server.send(request)?.status == status, "\(bytes.count) bytes")
        }
    }
}
