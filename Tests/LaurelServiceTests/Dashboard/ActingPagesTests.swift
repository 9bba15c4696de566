// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire
import StoreTesting
import Testing

@testable import LaurelService

/// Acting for a learner, on the learner's pages.
@Suite struct ActingPagesTests {
    let test: TestService
    /// 2026-04-07T10:00:00Z. The day after the learner's only event is over, so that the streak can be repaired.
    static let now = Date(timeIntervalSince1970: 1_775_556_000)

    init() throws {
        test = try TestService { $0.now = { Self.now } }
        try test.post(event("1"))
    }

    func form(_ path: String, _ fields: KeyValuePairs<String, String>, _ key: HTTPHeaders = [:]) throws -> HTTPResponse
    {
        var headers = EntranceTests.own
        for field in key.fields { headers[field.name] = field.value }
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        return try test.send("POST", path, body, headers: headers)
    }

    private func progress() throws -> LearnerProgress {
        try #require(try test.service.engine.learner("ana", timeZone: nil).progress(at: Self.now + 60))
    }

    @Test(arguments: [
        ("repair", ["day": "2026-04-06"], "streak.repaired"), ("freeze", ["day": "2026-04-08"], "streak.frozen"),
        ("give-freezes", ["count": "2"], "freeze.granted"), ("adjust", ["amount": "-50"], "xp.adjusted"),
        ("grant", ["achievement": "* speaker"], "achievement.granted"),
        ("revoke", ["achievement": "* speaker"], "achievement.revoked"),
    ])
    func `each form sends its event, and a retraction undoes it`(
        name: String,
        fields: [String: String],
        type: String
    ) throws {
        let before = try progress()
        #expect(try test.get("/learners/ana").text.contains(#"href="/learners/ana/act/\#(name)""#))
        #expect(try test.get("/learners/ana/act/\(name)").text.contains(#"name="number""#))
        let pairs = fields.map { "\($0)=\(PercentCoding.encode($1))" } + ["reason=A%20%3Cgood%3E%20reason"]
        let sent = try test.send(
            "POST",
            "/learners/ana/act/\(name)",
            pairs.joined(separator: "&"),
            headers: EntranceTests.own
        )
        let place = try #require(sent.headers["Location"], "\(sent.text)")
        let page = try test.get(place).text
        #expect(page.contains(type) && page.contains("laurel/dashboard") && page.contains("A &lt;good&gt; reason"))
        let done = try test.get("/learners/ana/act").text
        #expect(done.contains(type) && done.contains("A &lt;good&gt; reason") && done.contains("Counts"))
        let target = String(try #require(page.firstMatch(of: /href="([^"]*retract[^"]*)"/)?.1))
        let asked = try test.get(target.replacing("&amp;", with: "&")).text
        #expect(asked.contains("Undo the event") && asked.contains(">Cancel</a>"))
        let id = try #require(place.firstMatch(of: /[?&]id=([^&]*)/)?.1)
        let undone = try form("/learners/ana/retract", ["source": "laurel/dashboard", "id": String(id)])
        #expect(undone.headers["Location"] == place)
        #expect(try test.get(place).text.contains("This event was undone."))
        #expect(try test.get("/learners/ana/act").text.contains("Undone"))
        var after = try progress()
        after.events = before.events
        #expect(after == before)
        let targets = try test.get("/v1/audit").list.compactMap { $0["target"] as? String }
        #expect(targets == ["event.retracted", type])
    }

    @Test func `only what a person did is listed`() throws {
        let sent = [
            SampleEvent("learner.updated", id: "2", data: #"{"cohort":"class-7"}"#),
            SampleEvent("level.declared", id: "3", data: #"{"level":"A2"}"#),
        ]
        try test.post(sent.map(\.json).joined(separator: "\n"))
        #expect(try test.get("/learners/ana/act").text.contains("Nothing yet"))
        #expect(try form("/learners/ana/act/adjust", ["amount": "50"]).status == 303)
        let done = try test.get("/learners/ana/act").text
        #expect(done.contains("Adjust XP") && !done.contains("learner.updated") && !done.contains("level.declared"))
        #expect(done.matches(of: /<tr>/).count == 2)
    }

    @Test func `repairs and adjustments count`() throws {
        let before = try progress()
        for (name, fields) in [
            ("repair", ["day": "2026-04-06"]), ("adjust", ["amount": "50"]), ("grant", ["achievement": "* speaker"]),
        ] as [(String, KeyValuePairs)] {
            #expect(try form("/learners/ana/act/\(name)", fields).status == 303, "\(name)")
        }
        let after = try progress()
        #expect(before.currentStreak == 0 && after.currentStreak == 2)
        #expect(after.totalXP >= before.totalXP + 50)
        #expect(after.achievements.contains { $0.id == "speaker" && $0.tier == $0.tiers })
    }

    @Test(arguments: [
        ("repair", "day=tomorrow", "choose a day"), ("repair", "", "choose a day"), ("adjust", "amount=1.5", "whole"),
        ("adjust", "amount=0", "whole"), ("give-freezes", "count=101", "1 to 100"),
        ("grant", "achievement=speaker", "choose an achievement"),
        ("adjust", "amount=99999999999999999", "amount"),
    ])
    func `what is wrong is said, and stores nothing`(name: String, body: String, says: String) throws {
        let answer = try test.send("POST", "/learners/ana/act/\(name)", body, headers: EntranceTests.own)
        #expect(answer.status == 422 && answer.text.contains("role=\"alert\""), "\(answer.text)")
        #expect(answer.text.contains(says), "\(answer.text)")
        #expect(try progress().events == 1)
        #expect(try test.service.engine.quarantinedLines().isEmpty)
    }

    @Test func `a form that is sent twice counts once`() throws {
        let fields: KeyValuePairs = ["amount": "50", "number": "f00d"]
        #expect(try form("/learners/ana/act/adjust", fields).status == 303)
        #expect(try form("/learners/ana/act/adjust", fields).status == 303, "the same event")
        let changed = try form("/learners/ana/act/adjust", ["amount": "60", "number": "f00d"])
        #expect(changed.status == 422 && changed.text.contains("This form was sent before"))
        #expect(try progress().xpBreakdown["adjustment"] == 50)
    }

    @Test func `revoking asks first`() throws {
        let page = try test.get("/learners/ana/act/revoke").text
        #expect(page.contains(#"method="get""#))
        let asked = try test.get("/learners/ana/act/revoke?ask=true&achievement=*%20speaker&number=1").text
        #expect(asked.contains("Revoke an achievement: speaker?") && asked.contains(#"method="post""#))
        #expect(try progress().events == 1)
    }

    @Test func `events have the learner's clock`() throws {
        try test.post(event("2", day: 6).replacing(#""language""#, with: #""timezone":"Asia/Tokyo","language""#))
        let place = try #require(try form("/learners/ana/act/adjust", ["amount": "5"]).headers["Location"])
        #expect(try test.get(place).text.contains("Asia/Tokyo"))
        try test.post(event("3", learner: "ben").replacing("18:00:00Z", with: "18:00:00-03:00"))
        let other = try #require(try form("/learners/ben/act/adjust", ["amount": "5"]).headers["Location"])
        #expect(try test.get(other).text.contains("07:00:00.000-03:00"))
    }

    @Test func `the learner and administrators leave the learner out of leaderboards`() throws {
        try test.post(event("1", learner: "ben"))
        func bearer(_ learner: String, _ scopes: [Scope]) throws -> HTTPHeaders {
            let token = LearnerToken(learner: learner, scopes: scopes, seconds: 60, at: Date())
            return ["Authorization": "Bearer \(try test.service.keys.text(of: token))"]
        }
        let (own, other) = (try bearer("ana", [.read, .ingest]), try bearer("ben", [.read, .ingest]))
        _ = try test.key([.admin])
        let reader = try bearer("ana", [.read])
        #expect(try form("/learners/ana/leaderboards", ["listed": "false"], other).status == 403)
        #expect(try form("/learners/ana/leaderboards", ["listed": "false"], reader).status == 403)
        #expect(try !test.get("/learners/ana", headers: reader).text.contains("Leave out of leaderboards"))
        #expect(try test.get("/learners/ana", headers: own).text.contains("Leave out of leaderboards"))
        let left = try form("/learners/ana/leaderboards", ["listed": "false"], own)
        #expect(left.headers["Location"] == "/learners/ana#leaderboards")
        let admin = try test.key([.admin])
        let board = try test.get("/v1/leaderboard?all-time=true", headers: admin).list
        #expect(board.compactMap { $0["learner"] as? String } == ["ben"])
        #expect(try test.get("/learners/ana", headers: admin).text.contains("is left out of leaderboards"))
        #expect(try form("/learners/ana/leaderboards", ["listed": "true"], admin).status == 303)
        #expect(try test.get("/v1/leaderboard?all-time=true", headers: admin).list.count == 2)
    }

    @Test func `a token is shown once, and noted`() throws {
        // Tokens end by the clock of the machine.
        let test = try TestService()
        try test.post(event("1"))
        let made = try test.send("POST", "/learners/ana/token", "hours=2&ingest=true", headers: EntranceTests.own)
        let place = try #require(made.headers["Location"])
        let page = try test.get(place).text
        let token = String(try #require(page.firstMatch(of: /class="secret">([^<]+)</)?.1))
        #expect(try !test.get(place).text.contains(#"class="secret""#))
        let bearer: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        #expect(try test.get("/v1/learners/ana/progress", headers: bearer).status == 200)
        #expect(try test.get("/v1/learners/ben/progress", headers: bearer).status == 403)
        let entry = try #require(try test.get("/v1/audit").list.first)
        #expect(entry["action"] as? String == "token.made" && entry["learner"] as? String == "ana")
        #expect(entry["details"] as? [String: String] == ["hours": "2", "scopes": "read,ingest"])
    }

    @Test func `erasing needs the id to be typed`() throws {
        let page = try test.get("/learners/ana/erase").text
        #expect(page.contains("Erase the learner for good?") && page.contains("Type the id"))
        for typed in ["", "Ana", "ana2", "an"] {
            let refused = try form("/learners/ana/erase", ["typed": typed])
            #expect(refused.status == 422 && refused.text.contains("Nothing was erased."), "\(typed)")
        }
        #expect(try progress().events == 1)
        let erased = try form("/learners/ana/erase", ["typed": "ana"])
        #expect(erased.status == 200 && erased.text.contains("The learner was erased"))
        #expect(try test.get("/learners/ana").status == 404)
        let entries = try test.get("/v1/audit").list
        #expect(entries.first?["action"] as? String == "learner.erased" && entries.first?["learner"] as? String == nil)
    }

    @Test func `tokens and erasing have their own scopes`() throws {
        let rows: [(name: String, scopes: [Scope], path: String)] = [
            ("token", [.read, .keys], "/learners/ana/token"), ("erase", [.read, .erase], "/learners/ana/erase"),
        ]
        let readers = try test.key([.read])
        for row in rows {
            let key = try test.key(row.scopes)
            #expect(try test.get("/learners/ana", headers: key).text.contains(#"href="\#(row.path)""#), "\(row.name)")
            #expect(try test.get(row.path, headers: key).status == 200, "\(row.name)")
            #expect(try !test.get("/learners/ana", headers: readers).text.contains(row.path), "\(row.name)")
            #expect(try form(row.path, ["typed": "ana"], readers).status == 403, "\(row.name)")
        }
        #expect(try progress().events == 1)
    }

    @Test func `only those who may decree see the way`() throws {
        let rows: [(name: String, scopes: [Scope], sees: Bool)] = [
            ("admin", [.admin], true), ("decree", [.read, .ingest, .decree], true), ("read", [.read], false),
            ("no ingest", [.read, .decree], false),
        ]
        for row in rows {
            let key = try test.key(row.scopes)
            #expect(try test.get("/learners/ana", headers: key).text.contains("/act/repair") == row.sees, "\(row.name)")
            #expect(try test.get("/learners/ana/act", headers: key).status == (row.sees ? 200 : 403), "\(row.name)")
            let sent = try form("/learners/ana/act/adjust", ["amount": "5"], key)
            #expect(sent.status == (row.sees ? 303 : 403), "\(row.name)")
        }
        var foreign = try test.key([.admin])
        foreign["Sec-Fetch-Site"] = "cross-site"
        #expect(try form("/learners/ana/act/adjust", ["amount": "5"], foreign).status == 403)
    }
}
