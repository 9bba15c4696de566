// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import Testing

@testable import LaurelService

/// Header fields in which other programs' clients state their wishes.
@Suite struct NegotiationTests {
    private static let binary: HTTPHeaders = [
        "ce-specversion": "1.0", "ce-id": "1", "ce-source": "app", "ce-type": "line.spoken",
        "ce-time": "2026-04-05T18:00:00Z",
        "ce-language": "es",
    ]

    @Test(
        arguments: [
            (accepts: "gzip", coding: "gzip"), ("br, gzip;q=0.8", "gzip"), ("gzip, zstd", "zstd"),
            ("zstd;q=0, gzip", "gzip"),
            ("identity", nil), ("gzip;q=0", nil), (nil, nil),
        ] as [(accepts: String?, coding: String?)]
    )
    func `answers are packed as the client accepts`(accepts: String?, coding: String?) throws {
        let test = try TestService()
        let lines = (0..<40).map { event("\($0)", learner: "learner-\($0)") }
        try test.post(lines.joined(separator: "\n"))
        let plain = try test.get("/v1/learners")
        var headers: HTTPHeaders = ["Host": "localhost"]
        headers["Accept-Encoding"] = accepts
        let answer = try #require(test.server.send(HTTPRequest("GET", "/v1/learners", headers: headers)))
        #expect(answer.headers["Content-Encoding"] == coding)
        guard case .bytes(let bytes) = answer.body, case .bytes(let expected) = plain.body else {
            Issue.record("a stream")
            return
        }
        #expect(answer.headers.fields.contains { $0.name == "Vary" && $0.value == "Accept-Encoding" })
        let unpacked: [UInt8] =
            switch coding {
            case "gzip": try unpack(bytes, GzipUnpacker())
            case "zstd": try unpack(bytes, ZstdUnpacker(windowLog: 23))
            default: bytes
            }
        #expect(unpacked == expected && (coding == nil || bytes.count < expected.count / 2))
        let small = try #require(test.server.send(HTTPRequest("GET", "/healthz", headers: headers)))
        #expect(small.headers["Content-Encoding"] == nil)
    }

    private func unpack(_ bytes: [UInt8], _ unpacker: any Unpacker) throws -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 1 << 20)
        let step = bytes.withUnsafeBufferPointer { input in
            room.withUnsafeMutableBufferPointer { unpacker.unpack(input, into: $0) }
        }
        #expect(step.problem == nil && step.consumed == bytes.count)
        return Array(room[..<step.produced])
    }

    @Test func `a packed answer keeps its tag as a weak one`() throws {
        let test = try TestService()
        try test.post((0..<40).map { event("\($0)").replacing(#""es""#, with: #""x-\#($0)""#) }.joined(separator: "\n"))
        let path = "/v1/learners/ana/tracks"
        let plain = try test.get(path)
        let packed = try test.get(path, headers: ["Accept-Encoding": "gzip"])
        let tag = try #require(plain.headers["ETag"])
        #expect(packed.headers["ETag"] == "W/" + tag)
        #expect(try test.get(path, headers: ["If-None-Match": "W/" + tag]).status == 304)
    }

    @Test func `metrics come as OpenMetrics where that is asked for`() throws {
        let test = try TestService()
        try test.post(event("1"))
        let usual = try test.get("/metrics").text
        #expect(usual.contains("# TYPE laurel_commits_total counter\n") && !usual.contains("# EOF"))
        let answer = try test.get("/metrics", headers: ["Accept": "application/openmetrics-text;version=1.0.0"])
        #expect(answer.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(answer.text.contains("# TYPE laurel_commits counter\n") && answer.text.hasSuffix("\n# EOF\n"))
        for name in [
            "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "laurel_build_info",
        ] {
            #expect(answer.text.contains("\n\(name)") && usual.contains("\n\(name)"), "\(name)")
        }
    }

    @Test func `a sender of CloudEvents may ask whether it may deliver`() throws {
        let test = try TestService()
        let headers: HTTPHeaders = ["Host": "localhost", "WebHook-Request-Origin": "events.example"]
        let answer = try #require(test.server.send(HTTPRequest("OPTIONS", "/v1/events", headers: headers)))
        #expect(answer.status == 200 && answer.headers["WebHook-Allowed-Origin"] == "events.example")
        #expect(answer.headers["WebHook-Allowed-Rate"] == "*" && answer.headers["Allow"] == "POST")
    }

    @Test func `pages of other origins may send events in binary mode`() throws {
        let test = try TestService { $0.corsOrigins = ["https://app.example"] }
        let headers: HTTPHeaders = [
            "Host": "localhost", "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type, ce-id, CE-Type, x-other, ce-<",
        ]
        let answer = try #require(test.server.send(HTTPRequest("OPTIONS", "/v1/events", headers: headers)))
        let allowed = (answer.headers["Access-Control-Allow-Headers"] ?? "").components(separatedBy: ", ")
        #expect(Set(allowed).isSuperset(of: ["ce-id", "ce-type", "traceparent", "Content-Type"]))
        #expect(!allowed.contains("x-other") && !allowed.contains("ce-<"))
    }

    @Test func `one event in binary and in structured mode is a duplicate`() throws {
        let test = try TestService()
        var headers = Self.binary
        (headers["ce-subject"], headers["ce-partition"], headers["ce-sampled"]) = ("\"ana \\\"maria\\\"\"", "7", "true")
        let sent = try test.send("POST", "/v1/events", #"{"accuracy":0.9}"#, type: "application/json", headers: headers)
        #expect(sent.json["stored"] as? Int == 1, "\(sent.text)")
        let structured = #"""
            {"specversion":"1.0","id":"1","source":"app","type":"line.spoken","subject":"ana \"maria\"","language":"es",
            "time":"2026-04-05T18:00:00Z","datacontenttype":"application/json","partition":7,"sampled":true,
            "data":{"accuracy":0.9}}
            """#
        let again = try test.send("POST", "/v1/events", structured, type: "application/cloudevents+json")
        #expect(again.json["duplicates"] as? Int == 1, "\(again.text)")
    }

    @Test(arguments: [
        (
            name: "with a JSON content type", type: #""datacontenttype":"application/json","#,
            data: #"{"accuracy":0.9}"#, status: 200
        ),
        ("without a content type", "", #"{"accuracy":0.9}"#, 200),
        ("of a type of JSON", #""datacontenttype":"application/x+json; charset=utf-8","#, #"{"accuracy":0.9}"#, 200),
        ("no object", #""datacontenttype":"application/json","#, #""text""#, 422),
        ("two values", #""datacontenttype":"application/json","#, #"{"accuracy":0.9},"subject":"bob""#, 422),
        ("wrong data", "", #"{"accuracy":9}"#, 422),
    ])
    func `data in base64 counts like any other`(name: String, type: String, data: String, status: Int) throws {
        let test = try TestService()
        let encoded = Data(data.utf8).base64EncodedString()
        let event =
            #"{"specversion":"1.0","id":"1","source":"app","type":"line.spoken","subject":"ana","language":"es","#
            + #""time":"2026-04-05T18:00:00Z",\#(type)"data_base64":"\#(encoded)"}"#
        let answer = try test.send("POST", "/v1/events", event, type: "application/cloudevents+json")
        #expect(answer.status == status, "\(name): \(answer.text)")
        guard status == 200 else { return }
        let plain = event.replacing(#""data_base64":"\#(encoded)""#, with: #""data":\#(data)"#)
        let again = try test.send("POST", "/v1/events", plain, type: "application/cloudevents+json")
        #expect(again.json["duplicates"] as? Int == 1, "\(name): \(again.text)")
    }

    @Test func `no code is listed twice`() {
        #expect(Set(ProblemCode.all.map(\.code)).count == ProblemCode.all.count)
    }

    @Test(arguments: [
        (
            path: "/v1/webhooks", body: #"{"url":"https://example.com/","event":["level.reached"]}"#,
            hint: "did you mean events?"
        ),
        ("/v1/keys", #"{"scopes":["ingest"],"sources":"my-app"}"#, "did you mean source?"),
        ("/v1/tokens", #"{"learner":"ana","scope":["read"]}"#, "did you mean scopes?"),
    ])
    func `members that are not known are refused`(path: String, body: String, hint: String) throws {
        let test = try TestService()
        let answer = try test.send("POST", path, body, headers: try test.key([.admin]))
        #expect(answer.status == 400 && answer.code == "unknown-member", "\(answer.text)")
        #expect((answer.json["detail"] as? String)?.hasSuffix(hint) == true && answer.json["message"] != nil)
    }
}
