// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import Synchronization
import Testing

@testable import LaurelService

/// Bodies that try to block other callers, and callers that try to use up the service.
@Suite struct IntakeLimitTests {
    private func post(_ test: TestService, _ body: [UInt8], _ headers: HTTPHeaders) throws -> HTTPResponse {
        var headers = headers
        headers["Host"] = "localhost"
        return try #require(
            test.server.send(HTTPRequest("POST", "/v1/events", headers: headers, body: body), pieces: 4096)
        )
    }

    private func isQuick(_ body: () throws -> Void) rethrows -> Bool {
        let start = ContinuousClock.now
        try body()
        return start.duration(to: .now) < .seconds(10)
    }

    @Test func `an array of a million empty objects is refused as a whole`() throws {
        let test = try TestService()
        let objects = Array("[{}".utf8) + (0..<1_400_000).flatMap { _ in Array(",{}".utf8) } + Array("]".utf8)
        let body = try packed(objects, by: "gzip")
        #expect(body.count < 8192)
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let isQuick = try isQuick {
            let answer = try post(test, body, headers)
            #expect(answer.status == 400 && answer.code == "invalid-json")
            #expect(
                answer.json["detail"] as? String
                    == "a JSON array has at most 10000 events; send lines (application/x-ndjson) for more"
            )
        }
        #expect(isQuick)
        #expect(try test.service.engine.quarantinedLines().map(\.bytes) == [objects.count])
        #expect(try test.post(event("1")).status == 200)
    }

    @Test(arguments: [
        ("no array", "application/cloudevents-batch+json", "", event("1"), 1),
        ("broken off", "application/json", "", "[{\"id\":\"1\",", 1),
        ("an array as lines", "application/x-ndjson", "", "[\(event("1"))]", 1),
        ("no object", "application/cloudevents+json", "", "\"event\"", 1),
        ("all or nothing", "application/json", "?atomic=true", "[{", 0),
        ("blank", "application/json", "", " \n", 0),
    ])
    func `a body that is refused as a whole is one line of quarantine`(
        name: String,
        type: String,
        query: String,
        body: String,
        lines: Int
    ) throws {
        for partitions in [nil, 4] {
            let test = try TestService(partitions: partitions)
            let answer = try test.send("POST", "/v1/events\(query)", body, type: type)
            #expect(answer.status == 400 && answer.code == "invalid-json", "\(name): \(answer.text)")
            let kept = try test.service.engine.quarantinedLines()
            #expect(kept.count == lines, "\(name)")
            for line in kept {
                #expect(
                    line.bytes == body.utf8.count && line.reason == "invalid-json" && line.file == "POST /v1/events"
                )
                #expect(line.message == answer.json["detail"] as? String)
            }
        }
    }

    @Test func `a key fills a sixteenth of the quarantine a day`() throws {
        let test = try TestService { $0.quarantineBytes = 16 << 20 }
        let lines = (0..<150).map { #"{"id":"\#($0)","text":"\#(String(repeating: "x", count: 10_000))"}"# }
        let rows = [("full", try test.key([.ingest]), 99...105), ("of another", try test.key([.ingest]), 99...105)]
        for (name, key, kept) in rows {
            let report = try test.post(lines.joined(separator: "\n"), headers: key).json
            #expect(report["refused"] as? Int == 150, "\(name)")
            #expect(try kept.contains(150 - #require(report["notKept"] as? Int)), "\(name): \(report["notKept"] ?? "")")
        }
    }

    @Test func `a caller holds only so many bytes of uploads`() throws {
        let test = try TestService()
        let (greedy, other) = (try test.key([.ingest]), try test.key([.admin]))
        let made = try test.send("POST", "/v1/tokens", #"{"learner":"ana","scopes":["ingest"]}"#, headers: other)
        let token: HTTPHeaders = ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        let half = [UInt8](repeating: UInt8(ascii: " "), count: 8 << 20)
        func begin(_ key: HTTPHeaders) throws -> OpenUpload {
            let upload = try OpenUpload(test, key, type: "application/json")
            upload.send(half)
            return upload
        }
        var uploads = try (0..<10).map { _ in try begin(greedy) }
        #expect(uploads.map { $0.answer?.status } == Array(repeating: nil, count: 8) + [429, 429])
        #expect(try test.post(event("1"), headers: greedy).status == 200, "a small body")
        #expect(try begin(other).answer == nil, "another key")
        let learners = try (0..<3).map { _ in try begin(token) }
        #expect(learners.map { $0.answer?.status } == [nil, nil, 429])
        uploads.removeAll()
        #expect(try begin(greedy).answer == nil, "what ended counts no longer")
    }

    @Test func `uploads of one caller leave threads to the others`() {
        let queue = UploadQueue()
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let ran = Mutex<[String]>([])
        func add(_ caller: String, waits: Bool) -> Bool {
            queue.add(for: caller) {
                if waits { gate.wait() }
                ran.withLock { $0.append(caller) }
                done.signal()
            }
        }
        let taken = (0..<300).count { _ in add("greedy", waits: true) }
        #expect(taken == 252)
        for _ in 0..<5 {
            #expect(add("other", waits: false))
            #expect(done.wait(timeout: .now() + 10) == .success)
        }
        #expect(ran.withLock { $0 } == Array(repeating: "other", count: 5))
        for _ in 0..<taken { gate.signal() }
        for _ in 0..<taken { #expect(done.wait(timeout: .now() + 10) == .success) }
        queue.finish()
    }

    @Test func `all or nothing takes ten thousand events`() throws {
        let test = try TestService()
        let lines = [UInt8](String(repeating: "{}\n", count: 5_000_000).utf8)
        let headers: HTTPHeaders = ["Host": "localhost", "Content-Type": "application/x-ndjson"]
        let isQuick = try isQuick {
            let request = HTTPRequest("POST", "/v1/events?atomic=true", headers: headers, body: lines)
            let answer = try #require(test.server.send(request))
            #expect(answer.status == 400 && answer.code == "invalid-json")
        }
        #expect(isQuick)
    }

    @Test func `an answer lists a thousand problems and counts the rest`() throws {
        let test = try TestService()
        let array = "[" + [String](repeating: "{}", count: 3000).joined(separator: ",") + "]"
        let lines = [String](repeating: "{}", count: 12_000).joined(separator: "\n")
        for (type, body, count) in [("application/json", array, 3000), ("application/x-ndjson", lines, 12_000)] {
            let report = try post(test, Array(body.utf8), ["Content-Type": type]).json
            #expect(report["refused"] as? Int == count && report["read"] as? Int == count, "\(type)")
            #expect((report["problems"] as? [Any])?.count == 1000, "\(type)")
            #expect(report["problemsOmitted"] as? Int == count - 1000, "\(type)")
        }
    }

    @Test func `lines beyond ten thousand are stored in pieces`() throws {
        let test = try TestService()
        let lines = (0..<10_500).map { event("\($0)") }.joined(separator: "\n\n")
        let report = try post(test, Array(lines.utf8), ["Content-Type": "application/x-ndjson"]).json
        #expect(report["stored"] as? Int == 10_500 && report["problemsOmitted"] == nil)
    }

    @Test func `an upload is stored in small pieces while small requests come, unless it asks for progress`() throws {
        let test = try TestService()
        func commits(_ query: String, _ name: String) throws -> Int {
            try test.post(event("small-\(name)"))
            let before = test.service.metrics.summary.commits
            let lines = (0..<2000).map { event("\(name)-\($0)", learner: "learner-\(min($0 / 100, 12))") }
            let report = try test.post(lines.joined(separator: "\n"), query: query).json
            #expect(report["stored"] as? Int == 2000)
            #expect((report["progress"] as? [Any])?.count == (query.isEmpty ? nil : 10))
            return test.service.metrics.summary.commits - before
        }
        #expect(try commits("", "plain") == 4)
        #expect(try commits("?return=progress", "asking") == 1)
    }

    @Test(arguments: ["gzip", "zstd"]) func `a body that unpacks to nothing but newlines ends`(tool: String) throws {
        let test = try TestService()
        let bomb = try packed([UInt8](repeating: UInt8(ascii: "\n"), count: 256 << 20), by: tool)
        let headers: HTTPHeaders = ["Content-Type": "application/x-ndjson", "Content-Encoding": tool]
        let isQuick = try isQuick {
            let answer = try post(test, bomb, headers)
            #expect(answer.status == 413 && answer.code == "body-too-large")
        }
        #expect(isQuick)
        let honest = try packed(Array((0..<2000).map { event("\($0)") }.joined(separator: "\n").utf8), by: tool)
        #expect(try post(test, honest, headers).json["stored"] as? Int == 2000)
    }

    @Test func `large data in binary mode is stored or refused like any other`() throws {
        let test = try TestService()
        var headers: HTTPHeaders = ["Content-Type": "application/json", "ce-specversion": "1.0", "ce-source": "app"]
        for (name, value) in [
            ("id", "1"), ("type", "line.spoken"), ("subject", "ana"), ("time", "2026-04-05T18:00:00Z"),
        ] {
            headers["ce-\(name)"] = value
        }
        let large = #"{"text":"\#(String(repeating: "a", count: 20_000))"}"#
        #expect(try post(test, Array(large.utf8), headers).json["stored"] as? Int == 1)
        let huge = #"{"text":"\#(String(repeating: "a", count: 8 << 20))"}"#
        headers["ce-id"] = "2"
        #expect(try post(test, Array(huge.utf8), headers).status == 422)
    }

    @Test func `one learner's tokens leave streams to others`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.post(event("1"), headers: admin)
        func token(_ learner: String) throws -> HTTPHeaders {
            let made = try test.send("POST", "/v1/tokens", #"{"learner":"\#(learner)"}"#, headers: admin)
            return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        }
        let tokens = [try token("ana"), try token("ana")]
        let statuses = try (0..<30).map { try test.get("/v1/learners/ana/stream", headers: tokens[$0 % 2]).status }
        #expect(statuses.filter { $0 == 200 }.count == ServiceOptions.streamsPerLearner)
        #expect(try test.get("/v1/learners/bob/stream", headers: token("bob")).status == 200)
        #expect(try test.get("/v1/learners/ana/stream", headers: admin).status == 200)
    }

    @Test func `a learner's token may send a tenth of a key's requests`() throws {
        let test = try TestService { $0.requestsPerSecond = 50 }
        let admin = try test.key([.admin])
        let made = try test.send("POST", "/v1/tokens", #"{"learner":"ana"}"#, headers: admin)
        let token: HTTPHeaders = ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        let refused = try (0..<30).count { _ in try test.get("/v1/learners/ana/progress", headers: token).status == 429
        }
        #expect(refused >= 10)
        #expect(try (0..<30).allSatisfy { _ in try test.get("/v1/rules", headers: admin).status == 200 })
    }

    @Test(arguments: [
        ("https://[2001:0:53aa:64c::1]/", "Teredo"), ("https://example.com./", "a dot at the end"),
        ("https://localhost./", "this machine with a dot"), ("https://[2002:7f00:1::]/", "a wrapped IPv4 address"),
    ])
    func `a webhook leads to the internet`(url: String, name: String) throws {
        let test = try TestService()
        let body = #"{"url":"\#(url)","events":["level.reached"]}"#
        let answer = try test.send("POST", "/v1/webhooks", body, type: "application/json")
        #expect(answer.status == 422, "\(name)")
    }
}
