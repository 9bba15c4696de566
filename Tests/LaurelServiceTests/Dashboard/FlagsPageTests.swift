// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire
import Testing

@testable import LaurelService

/// The pages about events that exceed a limit of the rules.
@Suite struct FlagsPageTests {
    let test: TestService
    /// 2026-04-07T10:00:00Z
    private static let now = Date(timeIntervalSince1970: 1_775_556_000)
    private static let rules = """
        version: 1
        name: limited
        plausible: {line.spoken: {at_most: 1, per: hour}}
        xp: [{id: line, on: line.spoken, award: 10}]
        """

    init() throws {
        test = try TestService { $0.now = { Self.now } }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        // Three events at one time, of which two are flagged.
        try test.post(["1", "2", "3"].map { event($0) }.joined(separator: "\n") + "\n" + event("1", learner: "ben"))
    }

    private func form(_ fields: String, _ key: HTTPHeaders = [:]) throws -> HTTPResponse {
        var headers = EntranceTests.own
        for field in key.fields { headers[field.name] = field.value }
        return try test.send("POST", "/learners/ana/flags", fields, headers: headers)
    }

    private func progress() throws -> LearnerProgress {
        try #require(try test.service.engine.learner("ana", timeZone: nil).progress(at: Self.now + 60))
    }

    private func flags() throws -> [Int?] {
        let progress = try progress()
        return [progress.totalXP, progress.flaggedEvents, progress.flaggedXP]
    }

    /// The number of entries of the audit log about events of a type.
    private func audited(_ type: String) throws -> Int {
        try test.get("/v1/audit").list.count { $0["target"] as? String == type }
    }

    @Test func `the pages show learners, events and limits`() throws {
        let all = try test.get("/flags").text
        #expect(all.contains(#"href="/learners/ana/flags""#) && !all.contains("/learners/ben/flags"))
        #expect(try test.get("/leaderboard").text.contains(#"href="/flags""#))
        let learner = try test.get("/learners/ana").text
        #expect(learner.contains(#"href="/learners/ana/flags""#) && learner.contains("20 XP left out of leaderboards"))
        #expect(try !test.get("/learners/ben").text.contains("/learners/ben/flags"))
        let page = try test.get("/learners/ana/flags").text
        #expect(page.contains("more than 1 in an hour") && page.contains("20 in all"))
        #expect(page.contains(#"value="3:app2""#) && page.contains(#"value="3:app3""#) && !page.contains("3:app1"))
        #expect(try test.get("/learners/ben/flags").text.contains("No flagged events"))
        let why = try test.get("/learners/ana/why/xp").text
        #expect(why.contains("Flagged because more than 1 such event came within an hour."))
    }

    @Test func `clearing a flag, and undoing that`() throws {
        #expect(try flags() == [30, 2, 20])
        let sent = try form("act=clear&event=3%3Aapp3")
        #expect(sent.status == 303 && sent.headers["Location"] == "/learners/ana/flags", "\(sent.text)")
        #expect(try flags() == [30, 1, 10])
        let page = try test.get("/learners/ana/flags").text
        #expect(page.contains(">Cleared<") && !page.contains("3:app3"))
        #expect(try audited("flag.cleared") == 1)
        let done = try test.get("/learners/ana/act").text
        let event = try #require(done.firstMatch(of: /event\?source=laurel[^"]*id=([0-9a-f]+)/)?.1)
        let undone = try test.send(
            "POST",
            "/learners/ana/retract",
            "source=laurel%2Fdashboard&id=\(event)",
            headers: EntranceTests.own
        )
        #expect(undone.status == 303)
        #expect(try flags() == [30, 2, 20])
    }

    @Test func `undoing events asks first`() throws {
        let chosen = "event=3%3Aapp2&event=3%3Aapp3"
        let asked = try form("act=undo&\(chosen)")
        #expect(asked.status == 200 && asked.text.contains("Undo 2 events?") && asked.text.contains(">Cancel</a>"))
        #expect(try flags() == [30, 2, 20])
        #expect(try form("act=undo&confirmed=true&\(chosen)").status == 303)
        #expect(try flags() == [10, 0, 0])
        #expect(try test.get("/flags").text.contains("No flagged events"))
        #expect(try audited("event.retracted") == 1)
    }

    @Test(arguments: [
        ("act=clear", 422), ("event=3%3Aapp3", 422), ("act=erase&event=3%3Aapp3", 422),
        ("act=clear&event=3%3Aapp9", 404), ("act=clear&event=app3", 422), ("act=clear&event=99%3Aapp3", 422),
    ])
    func `a wrong form changes nothing`(fields: String, status: Int) throws {
        #expect(try form(fields).status == status)
        #expect(try flags() == [30, 2, 20])
    }

    @Test func `only administrators decide`() throws {
        let rows: [(name: String, scopes: [Scope], mayAct: Bool)] = [
            ("admin", [.admin], true), ("decree", [.read, .ingest, .decree], true), ("read", [.read], false),
            ("ingest", [.read, .ingest], false),
        ]
        for row in rows {
            let key = try test.key(row.scopes)
            let page = try test.get("/learners/ana/flags", headers: key)
            #expect(page.status == 200 && page.text.contains("Clear the flags") == row.mayAct, "\(row.name)")
            #expect(try form("act=clear&event=3%3Aapp3", key).status == (row.mayAct ? 303 : 403), "\(row.name)")
        }
    }
}
