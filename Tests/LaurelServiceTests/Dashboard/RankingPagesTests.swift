// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The pages of the leaderboard and of achievements, and the request for the latter.
@Suite struct RankingPagesTests {
    private let test: TestService

    init() throws {
        let now = Date(timeIntervalSince1970: 1_775_556_000)
        test = try TestService { $0.now = { now } }
        var lines = (1...3).flatMap { number in
            ["ana", "ben", "<b>cy"].prefix(number).map { event("\(number)", learner: $0) }
        }
        for (learner, cohort) in [("ana", "red"), ("ben", "blue")] {
            lines.append(
                #"{"id":"p","source":"app","type":"learner.updated","subject":"\#(learner)","#
                    + #""time":"2026-04-05T19:00:00Z","data":{"cohort":"\#(cohort)"}}"#
            )
        }
        try test.post(lines.joined(separator: "\n"))
    }

    private func learners(on page: String, _ key: HTTPHeaders = [:]) throws -> [String] {
        let answer = try test.get(page, headers: key)
        #expect(answer.status == 200, "\(page)")
        return answer.text.matches(of: /<tr data-key="([^"]*)"/).map { String($0.1) }
    }

    @Test(arguments: [
        ("/leaderboard", []), ("/leaderboard?period=last", ["ana", "ben", "&lt;b&gt;cy"]),
        ("/leaderboard?period=all-time", ["ana", "ben", "&lt;b&gt;cy"]),
        ("/leaderboard?period=all-time&cohort=blue", ["ben"]), ("/leaderboard?period=all-time&language=ja", []),
        ("/leaderboard?period=all-time&language=es", ["ana", "ben", "&lt;b&gt;cy"]),
    ]) func `the leaderboard is that of the request`(page: String, expected: [String]) throws {
        #expect(try learners(on: page) == expected)
    }

    @Test func `who is left out is on no page of the leaderboard`() throws {
        try test.post(
            #"{"id":"o","source":"app","type":"learner.updated","subject":"ben","#
                + #""time":"2026-04-05T20:00:00Z","data":{"leaderboard":false}}"#
        )
        #expect(try learners(on: "/leaderboard?period=all-time") == ["ana", "&lt;b&gt;cy"])
    }

    @Test func `achievements have holders, a share and who is next`() throws {
        let list = try test.get("/v1/achievements").list
        let first = try #require(list.first { $0["id"] as? String == "first_steps" })
        #expect(first["learners"] as? Int == 3)
        let speaker = try #require(list.first { $0["id"] as? String == "speaker" })
        let next = try #require(speaker["next"] as? [[String: Any]])
        #expect(speaker["holders"] as? Int == 0 && speaker["medianHours"] is NSNull)
        #expect(next.compactMap { $0["learner"] as? String } == ["ana", "ben", "<b>cy"])
        let page = try test.get("/achievements").text
        for achievement in list { #expect(page.contains(#"data-key="\#(achievement["id"] as? String ?? "?")""#)) }
        #expect(page.contains("&lt;b&gt;cy") && !page.contains("<b>cy"))
        let red = try test.get("/v1/achievements?cohort=red").list
        #expect(red.allSatisfy { $0["learners"] as? Int == 1 })
    }

    @Test func `a key for a class sees the class alone`() throws {
        let teacher = try test.key(KeyGrant([.read], cohorts: ["red"]))
        #expect(try learners(on: "/leaderboard?period=all-time", teacher) == ["ana"])
        for page in ["/achievements", "/v1/achievements"] {
            let answer = try test.get(page, headers: teacher)
            #expect(answer.status == 200 && answer.text.contains("ana"), "\(page)")
            #expect(!answer.text.contains("ben") && !answer.text.contains("blue"), "\(page)")
        }
        #expect(try test.get("/achievements?cohort=blue", headers: teacher).status == 404)
        let token = LearnerToken(learner: "ana", scopes: [.read], seconds: 60, at: Date())
        let bearer = ["Authorization": "Bearer \(try test.service.keys.text(of: token))"] as HTTPHeaders
        for page in ["/achievements", "/v1/achievements", "/leaderboard"] {
            #expect(try test.get(page, headers: bearer).status == 403, "\(page)")
        }
    }
}
