// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct IntakeTests {
    struct Body: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var query = ""
        var type: String? = "application/x-ndjson"
        var headers: HTTPHeaders = [:]
        let body: String
        let status: Int
        var code: String?
        var stored: Int?
    }

    static let bodies = [
        Body(testDescription: "lines", body: event("1") + "\n" + event("2") + "\n", status: 200, stored: 2),
        Body(testDescription: "nothing", body: "", status: 200, stored: 0),
        Body(
            testDescription: "array",
            type: "application/json",
            body: "[\(event("1")),\n\(event("2"))]",
            status: 200,
            stored: 2
        ),
        Body(
            testDescription: "batch",
            type: "application/cloudevents-batch+json; charset=utf-8",
            body: "[\(event("1"))]",
            status: 200,
            stored: 1
        ),
        Body(testDescription: "empty batch", type: "application/json", body: "[]", status: 200, stored: 0),
        Body(
            testDescription: "one event on many lines",
            type: "application/cloudevents+json",
            body: event("1").replacing(",", with: ",\n"),
            status: 200,
            stored: 1
        ),
        Body(
            testDescription: "binary",
            type: "application/json",
            headers: [
                "ce-specversion": "1.0", "ce-id": "1", "ce-source": "app", "ce-type": "line.spoken",
                "ce-subject": "Jos%C3%A9",
                "ce-time": "2026-04-05T18:00:00Z", "ce-language": "es",
            ],
            body: #"{"accuracy":0.9}"#,
            status: 200,
            stored: 1
        ),
        Body(
            testDescription: "binary with attributes in its data",
            type: "application/json",
            headers: ["ce-specversion": "1.0", "ce-id": "1"],
            body: #"{"accuracy":0.9},"subject":"bob""#,
            status: 400,
            code: "invalid-json"
        ),
        Body(testDescription: "no type", type: nil, body: event("1"), status: 415, code: "unsupported-media-type"),
        Body(
            testDescription: "another type",
            type: "text/plain",
            body: event("1"),
            status: 415,
            code: "unsupported-media-type"
        ),
        Body(
            testDescription: "another charset",
            type: "application/x-ndjson; charset=utf-16",
            body: event("1"),
            status: 415,
            code: "unsupported-media-type"
        ),
        Body(
            testDescription: "the charset that it is",
            type: "application/x-ndjson; Charset=\"UTF-8\"",
            body: event("1"),
            status: 200,
            stored: 1
        ),
        Body(
            testDescription: "another coding",
            headers: ["Content-Encoding": "br"],
            body: event("1"),
            status: 415,
            code: "unsupported-coding"
        ),
        Body(
            testDescription: "damaged gzip",
            headers: ["Content-Encoding": "gzip"],
            body: event("1"),
            status: 400,
            code: "damaged-body"
        ),
        Body(
            testDescription: "array that does not end",
            type: "application/json",
            body: "[\(event("1"))",
            status: 400,
            code: "invalid-json"
        ),
        Body(
            testDescription: "one event as JSON",
            type: "application/json",
            body: "\n " + event("1"),
            status: 200,
            stored: 1
        ),
        Body(
            testDescription: "one event as JSON that is none",
            type: "application/json",
            body: event("1", accuracy: "95"),
            status: 422,
            code: "invalid-field"
        ),
        Body(
            testDescription: "neither an object nor an array",
            type: "application/json",
            body: "\"event\"",
            status: 400,
            code: "invalid-json"
        ),
        Body(
            testDescription: "object as an array",
            type: "application/cloudevents-batch+json",
            body: event("1"),
            status: 400,
            code: "invalid-json"
        ),
        Body(testDescription: "array as lines", body: "[\(event("1"))]", status: 400, code: "invalid-json"),
        Body(
            testDescription: "one event that is none",
            type: "application/cloudevents+json",
            body: event("1", accuracy: "95"),
            status: 422,
            code: "invalid-field"
        ),
        Body(
            testDescription: "lines of which one is none",
            body: event("1") + "\nnonsense\n" + event("2"),
            status: 200,
            stored: 2
        ),
        Body(
            testDescription: "all or nothing",
            query: "?atomic=true",
            body: event("1") + "\n" + event("2", accuracy: "95"),
            status: 422,
            code: "nothing-stored"
        ),
        Body(
            testDescription: "all of all or nothing",
            query: "?atomic=true",
            body: event("1") + "\n" + event("2"),
            status: 200,
            stored: 2
        ),
        Body(
            testDescription: "strict",
            query: "?strict=true",
            type: "application/cloudevents+json",
            body: event("1").replacing("accuracy", with: "acuracy"),
            status: 422,
            code: "unknown-name"
        ),
        Body(
            testDescription: "unknown parameter",
            query: "?atmoic=true",
            body: event("1"),
            status: 400,
            code: "unknown-parameter"
        ),
        Body(
            testDescription: "parameter twice",
            query: "?atomic=true&atomic=true",
            body: event("1"),
            status: 400,
            code: "invalid-request"
        ),
        Body(
            testDescription: "parameter that is none",
            query: "?atomic=perhaps",
            body: event("1"),
            status: 400,
            code: "invalid-request"
        ),
    ]

    @Test(arguments: bodies) func isAnsweredAsItsBodyDeserves(_ row: Body) throws {
        let test = try TestService()
        let response = try test.send("POST", "/v1/events\(row.query)", row.body, type: row.type, headers: row.headers)
        #expect(response.status == row.status, "\(response.text)")
        if let code = row.code { #expect(response.code == code, "\(response.text)") }
        if let stored = row.stored { #expect(response.json["stored"] as? Int == stored, "\(response.text)") }
        if row.status == 200 {
            let json = response.json
            let sum = ["stored", "duplicates", "conflicts", "refused"].reduce(0) { $0 + (json[$1] as? Int ?? -1) }
            #expect(json["read"] as? Int == sum, "every event is in one of the four")
        } else {
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(try test.service.engine.learnerIDs().isEmpty, "nothing is stored")
        }
    }

    @Test func namesEveryProblemByIndex() throws {
        let test = try TestService()
        try test.post(event("1"))
        let body = [event("2"), event("1", accuracy: "0.5"), event("1"), "", "{}", event("3", accuracy: "95")]
        let response = try test.post(body.joined(separator: "\n"))
        #expect(response.json["read"] as? Int == 5)
        #expect(response.json["stored"] as? Int == 1)
        #expect(response.json["duplicates"] as? Int == 1)
        #expect(response.json["conflicts"] as? Int == 1)
        #expect(response.json["refused"] as? Int == 2)
        let problems = try #require(response.json["problems"] as? [[String: Any]])
        #expect(problems.map { $0["index"] as? Int } == [1, 3, 4])
        #expect(problems.map { $0["code"] as? String } == ["conflict", "missing", "invalid-field"])
        #expect(problems.map { $0["id"] as? String } == ["1", nil, "3"])
        #expect(problems[0]["source"] as? String == "app" && problems[0]["learner"] as? String == "ana")
        // And quarantine has them.
        let lines = try test.get("/v1/quarantine").list
        #expect(lines.count == 3)
        let id = try #require(lines.last?["id"] as? Int)
        #expect(try test.get("/v1/quarantine/\(id)").text == event("1", accuracy: "0.5"))
        #expect(try test.send("DELETE", "/v1/quarantine?id=\(id)").json["dropped"] as? Int == 1)
        #expect(try test.get("/v1/quarantine/\(id)").status == 404)
        #expect(try test.send("DELETE", "/v1/quarantine").status == 400)
    }

    @Test func aSecondEventWithOtherContentIsAConflict() throws {
        let test = try TestService()
        try test.send("POST", "/v1/events", event("1"), type: "application/cloudevents+json")
        let again = try test.send("POST", "/v1/events", event("1"), type: "application/cloudevents+json")
        #expect(again.status == 200 && again.json["duplicates"] as? Int == 1)
        let other = try test.send(
            "POST",
            "/v1/events",
            event("1", accuracy: "0.1"),
            type: "application/cloudevents+json"
        )
        #expect(other.status == 409 && other.code == "conflict")
        let atomic = try test.post(event("2") + "\n" + event("1", accuracy: "0.1"), query: "?atomic=true")
        #expect(atomic.status == 422 && atomic.code == "nothing-stored")
        #expect(try test.get("/v1/learners/ana/progress?at=2026-04-06T00:00:00Z").json["events"] as? Int == 1)
        // A rolled back event left no state from which the next event would continue.
        try test.post(event("3"))
        #expect(try test.get("/v1/learners/ana/progress?at=2026-04-06T00:00:00Z").json["events"] as? Int == 2)
        #expect(try test.service.engine.check().differences.isEmpty)
    }

    @Test func returnsTheProgressOfTheSameCommit() throws {
        let test = try TestService()
        let body = (0..<12).map { event("1", learner: "learner-\($0)") }.joined(separator: "\n")
        let progress = try #require(try test.post(body, query: "?return=progress").json["progress"] as? [[String: Any]])
        #expect(progress.count == 10)
        #expect(progress.allSatisfy { $0["events"] as? Int == 1 })
        let more =
            try test.post(event("2", learner: "learner-3"), query: "?return=progress").json["progress"]
            as? [[String: Any]]
        #expect(more?.first?["events"] as? Int == 2)
        #expect(more?.first?["userId"] as? String == "learner-3")
    }

    @Test func takesPackedBodiesAndBoundsThem() throws {
        let test = try TestService()
        let lines = Array((0..<500).map { event("\($0)") + "\n" }.joined().utf8)
        for (coding, tool) in [("gzip", "gzip"), ("zstd", "zstd")] {
            let body = try packed(lines, by: tool)
            for pieces in [nil, 1000] {
                let request = HTTPRequest(
                    "POST",
                    "/v1/events",
                    headers: ["Host": "localhost", "Content-Type": "application/x-ndjson", "Content-Encoding": coding],
                    body: body
                )
                let response = try #require(test.server.send(request, pieces: pieces))
                #expect(response.json["read"] as? Int == 500, "\(response.text)")
            }
            // A few bytes that decompress to many: the limit of a batch also applies after decompression.
            let bomb = try packed([UInt8](repeating: 0x20, count: 64 << 20), by: tool)
            let request = HTTPRequest(
                "POST",
                "/v1/events",
                headers: ["Host": "localhost", "Content-Type": "application/json", "Content-Encoding": coding],
                body: bomb
            )
            #expect(test.server.send(request)?.status == 413)
        }
        let hidden = HTTPRequest(
            "POST",
            "/v1/events",
            headers: ["Host": "localhost", "Content-Type": "application/x-ndjson"],
            body: try packed(lines, by: "gzip")
        )
        #expect(test.server.send(hidden)?.code == "invalid-json")
    }

    @Test func storesLinesWithoutBoundPieceByPiece() throws {
        let test = try TestService()
        let lines = Array((0..<20_000).map { event("\($0)", learner: "learner-\($0 % 50)") + "\n" }.joined().utf8)
        #expect(lines.count > 2 << 20)
        let request = HTTPRequest(
            "POST",
            "/v1/events",
            headers: ["Host": "localhost", "Content-Type": "application/x-ndjson"],
            body: lines
        )
        let response = try #require(test.server.send(request, pieces: 8000))
        #expect(response.json["stored"] as? Int == 20_000, "\(response.text)")
        #expect(try test.service.engine.check().differences.isEmpty)
    }

    @Test(arguments: [nil, 4]) func joinsWhatComesAtOnce(partitions: Int?) throws {
        let test = try TestService(partitions: partitions)
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let response = try? test.post(
                event("\(index)", learner: "learner-\(index % 7)", accuracy: index % 10 == 9 ? "9" : "0.9")
            )
            #expect(response?.status == 200)
            #expect(response?.json["stored"] as? Int == (index % 10 == 9 ? 0 : 1))
        }
        let metrics = try test.get("/metrics").text
        #expect(metrics.contains("laurel_commit_requests_total 200"))
        #expect(metrics.contains("laurel_events_total{outcome=\"stored\"} 180"))
        #expect(try test.service.engine.check().differences.isEmpty)
        // The fingerprint equals that of the same events from a file.
        var other: [String] = []
        for index in 0..<200 where index % 10 != 9 { other.append(event("\(index)", learner: "learner-\(index % 7)")) }
        let engine = try ProgressEngine.inMemory()
        try engine.ingest(cloudEvents: Data(other.joined(separator: "\n").utf8))
        #expect(try engine.fingerprint() == test.service.engine.fingerprint())
    }

    @Test func allOrNothingHoldsAcrossPartitions() throws {
        let test = try TestService(partitions: 4)
        try test.post(event("1", learner: "learner-3"))
        let learners = (0..<8).map { "learner-\($0)" }
        // One of the events is stored already with other content.
        let events = learners.map { event("1", learner: $0, accuracy: $0 == "learner-3" ? "0.5" : "0.9") }
        let refused = try test.post(events.joined(separator: "\n"), query: "?atomic=true")
        #expect(refused.status == 422 && refused.code == "nothing-stored")
        #expect(try test.service.engine.size().events == 1)
        let others = events.filter { !$0.contains("learner-3") }
        let stored = try test.post(others.joined(separator: "\n"), query: "?atomic=true&return=progress")
        #expect(stored.json["stored"] as? Int == 7, "\(stored.text)")
        let progress = stored.json["progress"] as? [[String: Any]] ?? []
        #expect(progress.compactMap { $0["userId"] as? String } == learners.filter { $0 != "learner-3" })
        #expect(try test.service.engine.check().differences.isEmpty)
    }
}
