// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Testing

/// Lists of learners, page by page.
@Suite struct LearnerPagesTests {
    private static let lines: [String] = (0..<57).flatMap { number in
        (0...(number % 7)).map { line in
            let id = number % 3 == 0 ? "ä\(number)" : "learner \(number * 31 % 57)"
            return #"{"id":"\#(number)-\#(line)","source":"app","type":"line.spoken","subject":"\#(id)","#
                + #""time":"2026-02-0\#(1 + line)T18:00:00Z","language":"es"}"#
        }
            + [
                #"{"id":"c\#(number)","source":"app","type":"learner.updated","subject":"\#(number % 3 == 0 ? "ä\(number)" : "learner \(number * 31 % 57)")","#
                    + #""time":"2026-02-01T08:00:00Z","data":{"cohort":"\#(number % 4 == 0 ? "few" : "many")"}}"#
            ]
    }

    @Test(arguments: Backend.allCases, [nil, "2026-02-03T20:00:00Z"])
    func `make up the whole list, in every order`(backend: Backend, at: String?) throws {
        let bench = try Bench(backend)
        try bench.ingest(Self.lines)
        let date = try at.map { try Timestamp($0).date }
        for order in LearnerOrder.allCases {
            for cohort in [nil, "few", "none"] {
                let whole = try bench.engine.learners(cohort: cohort, order: order, at: date)
                for size in cohort == "few" ? [1, 10, 100] : [10, 100] {
                    var (pages, last) = ([LearnerOverview](), String?.none)
                    while true {
                        let page = try bench.engine.learners(
                            cohort: cohort,
                            order: order,
                            after: last,
                            limit: size,
                            at: date
                        )
                        pages += page
                        guard page.count == size else { break }
                        last = page.last?.id
                    }
                    #expect(pages == whole, "\(order) \(cohort ?? "-") \(size)")
                }
            }
        }
    }

    @Test func `are those of all learners, however many there are`() throws {
        let bench = try Bench(.sqlite)
        try bench.ingest(
            (0..<7000).flatMap { number in
                (0...(number * 7919 % 3)).map {
                    #"{"id":"\#(number)-\#($0)","source":"app","type":"line.spoken","subject":"\#(number)","#
                        + #""time":"2026-02-0\#(1 + number % 9)T18:00:00Z"}"#
                }
            }
        )
        for order in LearnerOrder.allCases where order != .id {
            let whole = try bench.engine.learners(order: order)
            #expect(whole.count == 7000)
            #expect(try bench.engine.learners(order: order, limit: 10) == Array(whole.prefix(10)), "\(order)")
            let next = try bench.engine.learners(order: order, after: whole[4321].id, limit: 10)
            #expect(next == Array(whole[4322..<4332]), "\(order)")
        }
    }

    @Test func `under other rules than the store's they are those of these rules`() throws {
        let bench = try Bench(.sqlite)
        try bench.ingest(Self.lines)
        try bench.use(rules: "version: 1\nxp: [{id: line, on: line.spoken, award: 1000}]\n")
        let whole = try bench.engine.learners()
        #expect(try bench.engine.learners(limit: 9) == Array(whole.prefix(9)))
        #expect(whole[0].totalXP % 1000 == 0 && whole[0].totalXP > 0)
    }

    @Test func `go on behind a learner who is not there any more, by id only`() throws {
        let bench = try Bench(.memory)
        try bench.ingest(Self.lines)
        let ids = try bench.engine.learnerIDs()
        #expect(try bench.engine.learners(after: ids[3] + "x", limit: 2).map(\.id) == Array(ids[4...5]))
        #expect(throws: EngineError.self) { try bench.engine.learners(order: .xp, after: "nobody", limit: 2) }
        #expect(try bench.engine.learners(limit: 0).isEmpty)
    }

    @Test func `an explanation of XP tells the latest events, and sums up all`() throws {
        let bench = try Bench(.memory)
        try bench.ingest(Self.lines)
        let learner = bench.engine.learner("ä6")
        let whole = try #require(try learner.explainXP())
        for limit in [0, 1, 3, 100] {
            let part = try #require(try learner.explainXP(limit: limit))
            #expect(part.events == whole.events.suffix(limit))
            #expect((part.totalXP, part.xpBreakdown) == (whole.totalXP, whole.xpBreakdown))
        }
    }
}
