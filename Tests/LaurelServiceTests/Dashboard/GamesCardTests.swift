// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Goals, balances and items on the learner's page.
@Suite struct GamesCardTests {
    private static let rules = """
        version: 1
        name: games
        metrics: {lines: {count: line.spoken}}
        currencies:
          gems: {start: 1200}
          hearts: {start: 4, hold: 5, refill: {every: 4h, by: 1}}
        items: {potion: {price: {gems: 10}}, sword: {price: {gems: 10}}}
        goals:
          - {id: talk, name: "Two <b>lines</b>", every: day, value: day.lines, target: 2}
          - {id: once, every: week, value: week.lines, target: 1}
        """

    @Test func `goals, balances and items are shown`() throws {
        let now = Date(timeIntervalSince1970: 1_775_412_600)
        let test = try TestService { $0.now = { now } }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        try test.post(event("1"))
        var purchase = Purchase(of: "potion", by: "ana")
        purchase.time = Timestamp(now)
        try test.service.engine.buy(purchase, now: now)
        let page = try test.get("/learners/ana").text
        #expect(page.contains("Two &lt;b&gt;lines&lt;/b&gt;") && page.contains("1 of 2 this day"))
        #expect(page.contains("1 of 1 this week · completed "))
        #expect(page.contains(">Gems<") && page.contains(">1,190<"))
        #expect(page.contains(">Hearts<") && page.contains("next refill in "))
        #expect(page.contains(">Potion<") && !page.contains(">Sword<"))
    }

    @Test func `a balance leads to its story, which the command tells too`() throws {
        let now = Date(timeIntervalSince1970: 1_775_412_600)
        let test = try TestService { $0.now = { now } }
        let awards = "{start: 1200, awards: [{id: line, on: line.spoken, award: 2}]}"
        try test.service.engine.apply(Rules(yaml: Self.rules.replacing("{start: 1200}", with: awards)))
        try test.post(event("1") + "\n" + event("2"))
        var purchase = Purchase(of: "potion", by: "ana")
        purchase.time = Timestamp(now)
        try test.service.engine.buy(purchase, now: now)
        let link = "/learners/ana/why/balance?currency=gems"
        #expect(try test.get("/learners/ana").text.contains(#"href="\#(link)""#))
        let page = try test.get(link).text.replacing(#/<[^>]*>/#, with: "")
        for text in ["1,194 gems", "+1,200 at the start", "+4 award line, 2 times", "10 potion bought", "item.bought"] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(try test.get("/learners/ana/why/balance?currency=coins").status == 404)
    }

    @Test func `rules without games show none`() throws {
        let test = try TestService()
        try test.service.engine.apply(Rules(yaml: "version: 1\nname: plain\n"))
        try test.post(event("1"))
        #expect(try !test.get("/learners/ana").text.contains(">Goals<"))
    }
}
