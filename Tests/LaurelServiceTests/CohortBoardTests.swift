// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The leaderboard that a learner's token may ask for.
@Suite struct CohortBoardTests {
    private let test: TestService
    private let admin: HTTPHeaders

    init() throws {
        test = try TestService()
        let learners: [(id: String, name: String, cohort: String?, xp: Int, isListed: Bool)] = [
            ("id-ana", "Ana", "red", 300, true), ("id-amy", "Amy", "red", 500, true),
            ("id-abe", "Abe", "red", 400, false),
            ("id-art", "Art", "red", 100, true), ("id-ben", "Ben", "blue", 900, true), ("id-cy", "Cy", nil, 700, true),
        ]
        for learner in learners {
            let cohort = learner.cohort.map { #","cohort":"\#($0)""# } ?? ""
            let data = #"{"displayName":"\#(learner.name)","leaderboard":\#(learner.isListed)\#(cohort)}"#
            try test.post(
                Self.event("profile", learner.id, "learner.updated", data) + "\n"
                    + Self.event("xp", learner.id, "xp.adjusted", #"{"amount":\#(learner.xp)}"#)
            )
        }
        admin = try test.key([.admin])
    }

    private static func event(_ id: String, _ learner: String, _ type: String, _ data: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-04-06T18:00:00Z","data":\#(data)}"#
    }

    private func token(_ learner: String) throws -> HTTPHeaders {
        let token = LearnerToken(learner: learner, scopes: [.read], seconds: 3600, at: Date())
        return ["Authorization": "Bearer \(try test.service.keys.text(of: token))"]
    }

    private func board(_ learner: String, _ query: String = "?all-time") throws -> HTTPResponse {
        try test.get("/v1/learners/\(learner)/leaderboard\(query)", headers: token(learner))
    }

    /// The rows as `rank name xp`, with a star after the learner's own.
    private func rows(_ answer: HTTPResponse) throws -> [String] {
        try #require(answer.json["rows"] as? [[String: Any]]).map { row in
            "\(row["rank"]!) \(row["displayName"]!) \(row["xp"]!)\(row["isOwn"] as? Bool == true ? " *" : "")"
        }
    }

    @Test(
        arguments: [
            ("first rows", "id-ana", "?all-time", ["1 Amy 500", "2 Ana 300 *", "3 Art 100"]),
            ("a limit", "id-art", "?all-time&limit=1", ["1 Amy 500"]),
            ("around the learner", "id-art", "?all-time&limit=1&around", ["3 Art 100 *"]),
            ("around a learner who is not listed", "id-abe", "?all-time&limit=2&around", ["1 Amy 500", "2 Ana 300"]),
            ("another cohort", "id-ben", "?all-time", ["1 Ben 900 *"]),
            ("no cohort", "id-cy", "?all-time", []),
            ("a week without practice", "id-ana", "?week=2026-W10", []),
            ("a language that nobody learns", "id-ana", "?all-time&language=ja", []),
        ]
    )
    func shows(name: String, learner: String, query: String, expected: [String]) throws {
        let answer = try board(learner, query)
        #expect(answer.status == 200)
        #expect(try rows(answer) == expected)
    }

    @Test func `an answer has no ids, no times and no other cohort`() throws {
        let text = try board("id-ana").text
        for hidden in ["id-", "Abe", "Ben", "Cy", "2026", "blue"] {
            #expect(!text.contains(hidden), "\(hidden): \(text)")
        }
    }

    @Test func `a token asks for its own learner alone, and learners who are erased are gone`() throws {
        #expect(try test.get("/v1/learners/id-ben/leaderboard", headers: token("id-ana")).status == 403)
        #expect(try test.get("/v1/leaderboard?cohort=red", headers: token("id-ana")).status == 403)
        #expect(try board("id-ana", "?all-time&week=this").status == 400)
        #expect(try board("id-ana", "?all-time&at=2026-04-01T00:00:00Z").status == 400)
        let art = try token("id-art")
        #expect(try test.send("DELETE", "/v1/learners/id-art", headers: admin).status < 300)
        #expect(try test.get("/v1/learners/id-art/leaderboard", headers: art).status == 401)
        #expect(try rows(board("id-ana")) == ["1 Amy 500", "2 Ana 300 *"])
    }
}
