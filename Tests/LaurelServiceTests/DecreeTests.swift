// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import StoreTesting
import Testing

@testable import LaurelService

/// Administrators' events are accepted only from keys that may send them.
@Suite struct DecreeTests {
    private let test: TestService
    private let admin: HTTPHeaders

    init() throws {
        test = try TestService()
        admin = try test.key([.admin])
    }

    private func token(_ learner: String = "ana", types: [String]? = nil) throws -> HTTPHeaders {
        var body: [String: Any] = ["learner": learner, "scopes": ["read", "ingest"], "ttl": 60]
        body["types"] = types
        let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        let made = try test.send("POST", "/v1/tokens", json, type: "application/json", headers: admin)
        return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
    }

    private func codes(_ response: HTTPResponse) -> [String] {
        (response.json["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test func `a token does not take first place`() throws {
        try test.post(event("1", learner: "bob") + "\n" + event("2", learner: "bob"), headers: admin)
        let attacks = [
            SampleEvent("xp.adjusted", id: "1", data: #"{"amount":9000000}"#),
            SampleEvent("xp.declared", id: "2", data: #"{"total":9000000}"#),
            SampleEvent("streak.repaired", id: "3"),
            SampleEvent("streak.repaired", id: "4", data: #"{"date":"2026-04-04"}"#),
            SampleEvent("achievement.granted", id: "5", data: #"{"achievement":"explorer"}"#),
            SampleEvent("learner.updated", id: "6", data: #"{"displayName":"Ana","cohort":"teachers"}"#),
            SampleEvent("xp.adjusted", id: "7", source: "laurel/shop", data: #"{"amount":9000000}"#),
            SampleEvent("event.retracted", id: "8", data: #"{"source":"tablet","id":"1"}"#),
        ]
        let response = try test.post(([event("0")] + attacks.map(\.json)).joined(separator: "\n"), headers: token())
        let types = Array(repeating: "forbidden-type", count: 6)
        #expect(codes(response) == types + ["forbidden-source", "forbidden-retraction"])
        #expect(response.status == 200 && response.json["stored"] as? Int == 1)
        #expect(try test.service.engine.quarantinedLines().count == attacks.count)
        let board = try test.get("/v1/leaderboard?week=2026-W14", headers: admin).list
        #expect(board.map { $0["learner"] as? String } == ["bob", "ana"])
        let progress = try test.get("/v1/learners/ana/progress?at=2026-04-05T19:00:00Z", headers: admin).json
        #expect(progress["currentStreak"] as? Int == 1 && progress["events"] as? Int == 1)
        #expect(try test.get("/v1/learners?cohort=teachers", headers: admin).list.isEmpty)
    }

    /// The rows come from the catalogue, so a new administrators' type is tested automatically.
    @Test(arguments: Catalogue.types.map(\.name))
    func `each type comes from those who may send it`(type: String) throws {
        let isAdministered = Catalogue.type(named: type)!.isAdministered
        let senders: [(name: String, headers: HTTPHeaders, isRefused: Bool)] = [
            ("token", try token(), isAdministered), ("token of the type", try token(types: [type]), false),
            ("ingest", try test.key([.ingest]), isAdministered),
            (
                "ingest and all that decrees nothing", try test.key([.ingest, .read, .rules, .keys, .erase]),
                isAdministered
            ),
            ("ingest of another type", try test.key(KeyGrant([.ingest], types: ["no.such"])), isAdministered),
            ("ingest of the type", try test.key(KeyGrant([.ingest], types: [type])), false),
            ("decree", try test.key([.ingest, .decree]), false), ("admin", admin, false),
        ]
        for (place, sender) in senders.enumerated() {
            // The retracted event has the sender's own source.
            let data = type == "event.retracted" ? #"{"source":"app","id":"none"}"# : nil
            let sent = SampleEvent(type, id: "\(place)", data: data).json
            let response = try test.post(sent, headers: sender.headers)
            #expect(codes(response) == (sender.isRefused ? ["forbidden-type"] : []), "\(sender.name)")
            guard sender.isRefused else { continue }
            let all = try test.post(sent + "\n" + event("a\(place)"), query: "?atomic=true", headers: sender.headers)
            #expect(all.status == 422 && all.code == "nothing-stored" && codes(all) == ["forbidden-type"])
            let one = try test.send(
                "POST",
                "/v1/events",
                sent,
                type: "application/cloudevents+json",
                headers: sender.headers
            )
            #expect(one.status == 422 && one.code == "forbidden-type")
        }
    }

    @Test func `a line is repaired by the rights of who repairs it`() throws {
        try test.post(SampleEvent("xp.adjusted", id: "1").json, headers: token())
        let line = try #require(test.service.engine.quarantinedLines().first)
        let path = "/v1/quarantine/\(line.id)"
        let sent = SampleEvent("xp.adjusted", id: "1").json
        for sender in [try token(), try test.key([.ingest]), try test.key([.ingest, .decree])] {
            #expect(try test.send("POST", path, sent, type: "application/json", headers: sender).status == 403)
        }
        let limited = try test.key(KeyGrant([.admin], source: "other"))
        #expect(try test.send("POST", path, sent, type: "application/json", headers: limited).status == 403)
        #expect(try test.service.engine.quarantinedLines().count == 1)
        #expect(try test.send("POST", path, sent, type: "application/json", headers: admin).status == 200)
        #expect(try test.service.engine.quarantinedLines().isEmpty)
    }
}
