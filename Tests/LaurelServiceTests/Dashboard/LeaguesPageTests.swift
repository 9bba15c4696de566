// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The page with leagues, and what a learner's page shows of leagues.
@Suite struct LeaguesPageTests {
    private static func event(_ id: String, _ learner: String, _ type: String, _ data: String = "{}") -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-04-06T18:00:00Z","data":\#(data)}"#
    }

    private func service(_ rules: String = LeagueRouteTests.rules) throws -> TestService {
        // 2026-04-06T20:00:00Z
        let test = try TestService { $0.now = { Date(timeIntervalSince1970: 1_775_505_600) } }
        try test.service.engine.apply(Rules(yaml: rules))
        let lines = [
            Self.event("p", "ana", "learner.updated", #"{"displayName":"<b>Ana"}"#),
            Self.event("1", "ana", "line.spoken"), Self.event("2", "ana", "line.spoken"),
            Self.event("1", "ben", "line.spoken"),
        ]
        try test.post(lines.joined(separator: "\n"))
        return test
    }

    @Test func `shows the tiers, the rooms and the ranks of a week`() throws {
        let test = try service()
        #expect(try test.get("/leaderboard").text.contains(#"href="/leagues""#))
        let page = try test.get("/leagues")
        #expect(page.status == 200)
        for text in [
            "bronze", "silver", "Room 1", "&lt;b&gt;Ana", #"href="/learners/ana""#, "rises", "stays",
            "Until then, the rooms may change.", "Nobody competes here",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(!page.text.contains("<b>Ana"))
        let last = try test.get("/leagues?week=last").text
        #expect(!last.contains("Room 1") && last.contains("This week can be settled"))
        let ruleless = try service("version: 1")
        #expect(try ruleless.get("/leagues").text.contains("No league in this week"))
        #expect(try !ruleless.get("/leaderboard").text.contains(#"href="/leagues""#))
        #expect(try !ruleless.get("/learners/ana").text.contains("leagues"))
    }

    @Test func `a learner's page shows the rank and the latest result`() throws {
        let test = try service()
        #expect(try test.get("/learners/ben").text.contains("rank 2 of 2 in this week."))
        let result =
            #"{"league":"weekly","week":"2026-W14","tier":"bronze","outcome":"promoted","next":"silver","xp":5}"#
        try test.post(
            Self.event("weekly/2026-W14", "ben", "league.finished", result).replacing("app", with: "laurel/league")
        )
        let page = try test.get("/learners/ben").text
        #expect(page.contains("rank 1 of 1 in this week.") && page.contains("led up to the tier"))
    }

    @Test func `the form leaves the learner out of leagues`() throws {
        let test = try service()
        let left = try test.send("POST", "/learners/ana/leaderboards", "competes=false", headers: EntranceTests.own)
        #expect(left.headers["Location"] == "/learners/ana#leaderboards")
        let page = try test.get("/learners/ana").text
        #expect(page.contains("is left out of leagues") && page.contains("is shown in leaderboards"))
        #expect(page.contains("without a rank in this week"))
        #expect(try !test.get("/leagues").text.contains("&lt;b&gt;Ana"))
        let back = try test.send("POST", "/learners/ana/leaderboards", "competes=true", headers: EntranceTests.own)
        #expect(back.status == 303)
    }

    @Test func `the button starts the settlement`() throws {
        let test = try service()
        #expect(try test.get("/leagues").text.contains("Settle the weeks that have ended"))
        let started = try test.send("POST", "/leagues/settle", headers: EntranceTests.own)
        #expect(try #require(started.headers["Location"]).hasPrefix("/jobs/"))
        #expect(try test.get("/v1/jobs").list.map { $0["kind"] as? String } == ["leagues"])
        #expect(try test.get("/jobs").text.contains("Settling leagues"))
    }

    @Test(arguments: [("de", "Raum 1"), ("es", "Sala 1"), ("fr", "Salle 1"), ("ja", "部屋 1")])
    func `speaks the reader's language`(language: String, room: String) throws {
        let page = try service().get("/leagues", headers: ["Accept-Language": language]).text
        #expect(page.contains("<html lang=\"\(language)\">") && page.contains(room))
        #expect(!page.contains("Room 1") && !page.contains("This week") && !page.contains("rises"))
    }
}
