// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Notes about learners, by requests and on pages.
@Suite struct NoteTests {
    private let test: TestService
    private let json = "application/json"

    init() throws {
        test = try TestService()
        try test.post(event("1"))
    }

    private func write(_ text: String, _ learner: String = "ana", _ key: HTTPHeaders = [:]) throws -> HTTPResponse {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: ["text": text]), as: UTF8.self)
        return try test.send("POST", "/v1/learners/\(learner)/notes", body, type: json, headers: key)
    }

    private func texts() throws -> [String] {
        try test.get("/v1/learners/ana/notes").list.compactMap { $0["text"] as? String }
    }

    @Test func `notes are written, listed, removed and audited`() throws {
        let first = try write("  speaks well\n")
        #expect(first.status == 201 && first.json["text"] as? String == "speaks well")
        #expect(first.json["author"] as? String == "this machine")
        #expect(try write("was ill").status == 201)
        #expect(try texts() == ["was ill", "speaks well"])
        let id = try #require(first.json["id"] as? String)
        #expect(try test.send("DELETE", "/v1/learners/ana/notes/\(id)").status == 204)
        #expect(try test.send("DELETE", "/v1/learners/ana/notes/\(id)").status == 404)
        #expect(try texts() == ["was ill"])
        let log = try test.get("/v1/audit")
        #expect(log.list.compactMap { $0["action"] as? String } == ["note.removed", "note.written", "note.written"])
        #expect(log.list.allSatisfy { $0["learner"] as? String == "ana" } && !log.text.contains("ill"))
    }

    @Test func `what is no note is refused`() throws {
        for (name, text) in [
            ("empty", ""), ("blank", " \n "), ("long", String(repeating: "é", count: 5001)), ("NUL", "a\u{0}b"),
        ] {
            let answer = try write(text)
            #expect(answer.status == 422 && answer.code == "invalid-note", "\(name)")
        }
        #expect(try write("a note", "nobody").code == "unknown-learner")
        #expect(try test.get("/v1/learners/nobody/notes").status == 404)
        #expect(try texts().isEmpty)
    }

    @Test func `only decree reaches notes, and never the learner`() throws {
        let token = LearnerToken(learner: "ana", scopes: [.read, .ingest], seconds: 60, at: Date())
        let bearer = "Bearer \(try test.service.keys.text(of: token))"
        let rows: [(name: String, key: HTTPHeaders, status: Int)] = [
            ("decree", try test.key([.read, .decree]), 201), ("read", try test.key([.read]), 403),
            ("a class", try test.key(KeyGrant([.read], cohorts: ["a"])), 403),
            ("the learner", ["Authorization": bearer], 403),
        ]
        for row in rows {
            #expect(try write("a note", "ana", row.key).status == row.status, "\(row.name)")
            let page = try test.get("/v1/learners/ana/notes", headers: row.key)
            #expect(page.status == (row.status == 201 ? 200 : 403), "\(row.name)")
        }
        let page = try test.get("/learners/ana", headers: ["Authorization": bearer])
        #expect(page.status == 200 && !page.text.contains("a note"))
    }

    @Test func `a page shows notes, and asks before one is removed`() throws {
        let admin = try test.key([.admin])
        var headers = admin
        for field in EntranceTests.own.fields { headers[field.name] = field.value }
        let written = try test.send("POST", "/learners/ana/notes", "text=%3Cb%3E+is+ill", headers: headers)
        #expect(written.headers["Location"] == "/learners/ana#notes")
        let page = try test.get("/learners/ana", headers: admin).text
        #expect(page.contains("&lt;b&gt; is ill") && page.contains("They are erased with the learner."))
        let remove = String(try #require(page.firstMatch(of: /href="([^"]*\/remove)"/)?.1))
        let asked = try test.get(remove, headers: admin).text
        #expect(asked.contains("Remove this note for good?") && asked.contains("&lt;b&gt; is ill"))
        #expect(try test.send("POST", remove, headers: headers).headers["Location"] == "/learners/ana#notes")
        #expect(try !test.get("/learners/ana", headers: admin).text.contains("is ill"))
    }

    @Test func `an erased learner's notes are gone`() throws {
        #expect(try write("a secret").status == 201)
        #expect(try test.send("DELETE", "/v1/learners/ana").status == 204)
        try test.post(event("1"))
        #expect(try texts().isEmpty)
    }
}
