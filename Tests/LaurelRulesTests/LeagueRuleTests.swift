// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Leagues")
struct LeagueRuleTests {
    @Test("All mistakes, in the file's order")
    func mistakes() {
        let yaml = """
            version: 1
            leagues:
              a: {tiers: [], size: 0, promote: -1, demote: 1, settle_after: 14}
              b: {tiers: [one, one], size: 3, promote: 1, demote: 1, settle_after: 7d, late: promote}
              c: {tier: [one], size: 3}
              settle: {tiers: [one], size: 3, promote: 1, demote: 1, settle_after: 1h}
              d e: {tiers: [one], size: 3, promote: 2, demote: 2, settle_after: 1h}
            metrics: {m: {count: line.spoken, where: league.b.rang == 1}}
            """
        #expect(
            complaints(yaml).joined(separator: "\n") == """
                rules.yaml:3:14: error: `tiers` needs at least one tier, the lowest first
                rules.yaml:3:24: error: `size` must be a whole number from 1 to 10000, not `0`
                rules.yaml:3:36: error: `promote` must be a whole number from 0 to 10000, not `-1`
                rules.yaml:3:65: error: `settle_after` must be a time like 10s, 5m, 1h or 1d
                rules.yaml:4:20: error: the tier `one` is taken: a tier above has it
                rules.yaml:4:82: error: `late` cannot be `promote`; it is one of final, promote-only
                rules.yaml:5:6: error: a league needs `promote`
                rules.yaml:5:6: error: a league needs `demote`
                rules.yaml:5:6: error: a league needs `settle_after`
                rules.yaml:5:7: error: unknown key `tier` in a league; did you mean `tiers`?
                rules.yaml:6:3: error: no league may be named `settle`: `laurel league settle` settles all leagues
                rules.yaml:7:3: error: `d e` cannot be a league's name: use letters, digits and _, no digit first
                rules.yaml:7:44: warning: a room has at most 3 learners, so not all of the 2 last can be demoted
                rules.yaml:8:42: error: unknown name `league.b.rang`; did you mean `league.b.rank`?
                """
        )
    }

    @Test("Tiers, rooms and times")
    func content() throws {
        let rules = try load(
            """
            version: 1
            leagues:
              weekly: {tiers: [bronze, silver], size: 30, promote: 7, demote: 5, settle_after: 14h, late: promote-only}
              monthly: {tiers: [only], size: 2, promote: 0, demote: 0, settle_after: 30m}
            """
        )
        #expect(rules.leagues.map(\.name) == ["weekly", "monthly"])
        #expect(rules.leagues.map(\.tiers) == [["bronze", "silver"], ["only"]])
        #expect(rules.leagues.map(\.settleAfter) == [14 * 3_600_000, 30 * 60_000])
        #expect(rules.leagues.map(\.promotesLate) == [true, false])
    }

    /// Sizes of rooms for n learners in rooms of at most 4.
    @Test(
        "Rooms",
        arguments: [(0, []), (1, [1]), (4, [4]), (5, [3, 2]), (8, [4, 4]), (9, [3, 3, 3]), (10, [4, 3, 3])]
    )
    func rooms(count: Int, sizes: [Int]) throws {
        let rules = try load(
            "version: 1\nleagues: {a: {tiers: [x], size: 4, promote: 1, demote: 1, settle_after: 1h}}"
        )
        let rooms = rules.leagues[0].rooms(of: (0..<count).map { "learner \($0)" }, in: "x", week: "2026-W07")
        #expect(rooms.map(\.count) == sizes)
        #expect(rooms.joined().sorted() == Array(0..<count))
    }

    /// Promotion comes before demotion in a small room. Nobody leaves the highest tier upwards or the lowest downwards.
    @Test(
        "Outcomes",
        arguments: [
            (0, [LeagueOutcome.promoted, .stayed, .stayed]), (1, [.promoted, .demoted, .demoted]),
            (2, [.stayed, .demoted, .demoted]),
        ]
    )
    func outcomes(tier: Int, expected: [LeagueOutcome]) throws {
        let rules = try load(
            "version: 1\nleagues: {a: {tiers: [x, y, z], size: 4, promote: 1, demote: 3, settle_after: 1h}}"
        )
        #expect((1...3).map { rules.leagues[0].outcome(ofRank: $0, of: 3, in: tier) } == expected)
    }

    @Test("Names that expressions read")
    func names() throws {
        let rules = try load(
            """
            version: 1
            leagues: {weekly: {tiers: [bronze, silver], size: 3, promote: 1, demote: 1, settle_after: 1h}}
            metrics: {silver: {count: line.spoken, where: league.weekly.tier == "silver" && league.weekly.rank <= 3}}
            cefr: {score: "league.weekly.tier == \\"silver\\" ? 100 : 0", bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
            """
        )
        #expect(rules.layout.leagueNames.map(\.name) == ["weekly.tier", "weekly.rank"])
    }

    @Test("Changes of a league")
    func changes() throws {
        func rules(_ leagues: String) throws -> RuleSet { try load("version: 1\nleagues: {\(leagues)}") }
        let before = try rules("a: {tiers: [x, y], size: 4, promote: 1, demote: 1, settle_after: 1h}")
        let after = try rules(
            "a: {tiers: [x, z], size: 5, promote: 1, demote: 1, settle_after: 2h, late: promote-only}, "
                + "b: {tiers: [x], size: 4, promote: 1, demote: 1, settle_after: 1h}"
        )
        let reason = "settled results stay, and only later ones can differ"
        #expect(
            RulesComparison(before, after).changes.map(\.description) == [
                "league `a`: `tiers` was x, y, is x, z",
                "league `a`: `size` raised from 4 to 5: no effect, \(reason)",
                "league `a`: `settle_after` was 3600s, is 7200s: no effect, \(reason)",
                "league `a`: `late` was final, is promote-only: no effect, \(reason)",
                "league `b` is new: x",
            ]
        )
    }
}
