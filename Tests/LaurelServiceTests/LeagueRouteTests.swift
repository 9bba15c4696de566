// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The routes about leagues, and what each caller sees of the learners in a room.
@Suite struct LeagueRouteTests {
    static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        xp: [{id: line, on: line.spoken, award: 10}]
        leagues:
          weekly: {tiers: [bronze, silver], size: 30, promote: 1, demote: 1, settle_after: 14h}
        """

    private static let at = "at=2026-04-06T20:00:00Z"
    private let test: TestService

    /// Ana has 30 XP, Ben 20 and Cy 10. Dora opted out.
    init() throws {
        test = try TestService()
        try test.service.engine.apply(Rules(yaml: Self.rules))
        let learners = [
            ("id-ana", "Ana", "red", 3), ("id-ben", "Ben", "blue", 2), ("id-cy", "Cy", "green", 1),
            ("id-dora", "Dora", "red", 4),
        ]
        for (learner, name, cohort, count) in learners {
            let profile = #"{"displayName":"\#(name)","cohort":"\#(cohort)","leagues":\#(name != "Dora")}"#
            var lines = [Self.event("p", learner, "learner.updated", profile)]
            lines += (1...count).map { Self.event("l\($0)", learner, "line.spoken", "{}") }
            try test.post(lines.joined(separator: "\n"))
        }
    }

    private static func event(_ id: String, _ learner: String, _ type: String, _ data: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-04-06T18:00:00Z","data":\#(data)}"#
    }

    private func token(_ learner: String) throws -> HTTPHeaders {
        let token = LearnerToken(learner: learner, scopes: [.read], seconds: 3600, at: Date())
        return ["Authorization": "Bearer \(try test.service.keys.text(of: token))"]
    }

    /// The learners of a room as `rank id name xp outcome`.
    private func members(_ room: [String: Any]) throws -> [String] {
        try #require(room["members"] as? [[String: Any]]).map { member in
            let id = member["learner"] as? String ?? "-"
            return "\(member["rank"] ?? "") \(id) \(member["displayName"] ?? "-") \(member["xp"] ?? "") "
                + "\(member["outcome"] ?? "")"
        }
    }

    @Test func `an administrator sees all learners`() throws {
        let admin = try test.key([.admin])
        let standing = try test.get("/v1/learners/id-ben/league?\(Self.at)", headers: admin).json
        let all = ["1 id-ana Ana 30 promoted", "2 id-ben Ben 20 stayed", "3 id-cy Cy 10 stayed"]
        #expect(try members(standing) == all)
        #expect(standing["league"] as? String == "weekly" && standing["week"] as? String == "2026-W15")
        #expect(standing["tier"] as? String == "bronze" && standing["tiers"] as? [String] == ["bronze", "silver"])
        #expect(standing["rank"] as? Int == 2 && standing["room"] as? Int == 1 && standing["xp"] as? Int == 20)
        #expect(standing["promotedThrough"] as? Int == 1 && standing["demotedFrom"] is NSNull)
        // The week ends on Sunday at midnight.
        #expect(standing["secondsLeft"] as? Int == (4 + 6 * 24) * 3600)
        let table = try test.get("/v1/leagues/weekly?\(Self.at)", headers: admin)
        let tiers = try #require(table.json["tiers"] as? [[String: Any]])
        #expect(tiers.map { $0["tier"] as? String } == ["bronze", "silver"])
        let rooms = try #require(tiers[0]["rooms"] as? [[String: Any]])
        #expect(try rooms.map(members) == [all])
        let date = try Timestamp("2026-04-06T20:00:00Z").date
        let whole = try #require(try test.service.engine.league("weekly", at: date))
        let text = String(decoding: try LaurelJSON.encode(whole), as: UTF8.self) + "\n"
        #expect(table.text == text)
        let later = try test.get("/v1/leagues/weekly?day=2026-04-06&at=2026-05-06T20:00:00Z", headers: admin)
        #expect(later.json["week"] as? String == "2026-W15" && later.json["isSettled"] as? Bool == false)
    }

    @Test func `a learner's token sees names, ranks and XP of the learner's own room`() throws {
        let ben = try token("id-ben")
        let answer = try test.get("/v1/learners/id-ben/league?\(Self.at)&league=weekly", headers: ben)
        #expect(
            try members(answer.json) == ["1 - Ana 30 promoted", "2 id-ben Ben 20 stayed", "3 - Cy 10 stayed"]
        )
        for hidden in ["id-ana", "id-cy", "red", "Dora"] { #expect(!answer.text.contains(hidden), "\(hidden)") }
        for target in ["/v1/learners/id-ana/league", "/v1/leagues/weekly"] {
            #expect(try test.get(target, headers: ben).status == 403, "\(target)")
        }
    }

    @Test func `a key for a cohort knows the learners of the cohort`() throws {
        try test.post(
            ["id-ana", "id-ben"].map {
                #"{"id":"now","source":"app","type":"line.spoken","subject":"\#($0)","time":"\#(Timestamp.utc(Date().milliseconds - 1))"}"#
            }.joined(separator: "\n")
        )
        let teacher = try test.key(KeyGrant([.read], cohorts: ["red"]))
        #expect(try test.get("/v1/learners/id-ana/league?\(Self.at)", headers: teacher).status == 403)
        #expect(try test.get("/v1/learners/id-ben/league", headers: teacher).status == 404)
        #expect(try test.get("/v1/leagues/weekly", headers: teacher).status == 403)
        let seen = try members(test.get("/v1/learners/id-ana/league", headers: teacher).json)
        #expect(Set(seen.map { $0.split(separator: " ")[1...2].joined(separator: " ") }) == ["id-ana Ana", "- Ben"])
    }

    @Test func `a learner who opted out has no room`() throws {
        let standing = try test.get("/v1/learners/id-dora/league?\(Self.at)", headers: token("id-dora")).json
        #expect(standing["competes"] as? Bool == false && standing["rank"] is NSNull)
        #expect(standing["tier"] as? String == "bronze" && standing["xp"] as? Int == 40)
        #expect(try members(standing).isEmpty)
    }

    @Test func `unknown leagues and learners are told apart`() throws {
        let admin = try test.key([.admin])
        let cases = [
            ("/v1/learners/id-ana/league?league=daily", "unknown-league"), ("/v1/leagues/daily", "unknown-league"),
            ("/v1/learners/nobody/league", "unknown-learner"),
        ]
        for (target, code) in cases {
            let answer = try test.get(target, headers: admin)
            #expect(answer.status == 404 && answer.code == code, "\(target)")
        }
        let ruleless = try TestService()
        try ruleless.service.engine.apply(Rules(yaml: "version: 1"))
        try ruleless.post(Self.event("l", "id-ana", "line.spoken", "{}"))
        let answer = try ruleless.get("/v1/learners/id-ana/league")
        #expect(answer.code == "unknown-league" && answer.text.contains("have no league"))
    }
}
