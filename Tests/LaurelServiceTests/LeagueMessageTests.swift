// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelService

/// Messages about results in leagues.
@Suite struct LeagueMessageTests {
    private func message(_ outcome: String, _ next: String, rank: Int, xp: Int) -> String {
        #"league.finished {"league":"weekly","next":"\#(next)","of":2,"outcome":"\#(outcome)","rank":\#(rank),"#
            + #""tier":"bronze","week":"2026-W14","xp":\#(xp)}"#
    }

    @Test func `each result is announced once, and an improved result again`() throws {
        let test = try TestService { $0.allowsPrivateWebhooks = true }
        let rules = LeagueRouteTests.rules.replacing("settle_after: 14h", with: "settle_after: 14h, late: promote-only")
        try test.service.engine.apply(Rules(yaml: rules))
        try test.addSilentWebhook(#"["league.finished"]"#)
        func settle(at time: String) throws -> Int {
            try test.service.engine.settleLeagues(now: Timestamp(time).date).reduce(0) { $0 + $1.results }
        }
        for (learner, count) in [("ana", 3), ("ben", 2)] {
            try test.post((1...count).map { event("\($0)", learner: learner, day: 1) }.joined(separator: "\n"))
        }
        #expect(try settle(at: "2026-04-05T20:00:00Z") == 0)
        #expect(try test.waitingMessages().isEmpty)
        #expect(try settle(at: "2026-04-07T03:00:00Z") == 2)
        let ana = [message("promoted", "silver", rank: 1, xp: 30)]
        let stayed = message("stayed", "bronze", rank: 2, xp: 20)
        #expect(try test.waitingMessages() == ana)
        #expect(try test.waitingMessages(about: "ben") == [stayed])
        // Late events put Ben into the first place. Ana keeps her result.
        try test.post((3...4).map { event("\($0)", learner: "ben", day: 1) }.joined(separator: "\n"))
        #expect(try settle(at: "2026-04-07T04:00:00Z") == 1)
        let ben = [stayed, message("promoted", "silver", rank: 1, xp: 40)]
        #expect(try test.waitingMessages(about: "ben") == ben)
        #expect(try settle(at: "2026-04-07T05:00:00Z") == 0)
        try test.service.engine.replay()
        #expect(try test.waitingMessages() == ana)
        #expect(try test.waitingMessages(about: "ben") == ben)
        // The retraction of the improved result leaves the first one, which was announced before.
        try test.post(
            #"{"id":"r","source":"laurel/admin","type":"event.retracted","subject":"ben","time":"2026-04-07T06:00:00Z","#
                + #""data":{"source":"laurel/league","id":"weekly/2026-W14/2"}}"#
        )
        #expect(try test.waitingMessages(about: "ben") == ben)
    }
}
