// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Synchronization
import Testing

/// Purchases through the library.
@Suite struct PurchaseTests {
    private static let rules = """
        version: 1
        currencies:
          gems: {start: 10, awards: [{id: line, on: line.spoken, award: 10}]}
          hearts: {start: 0, hold: 5}
        items:
          potion: {price: {gems: 15}, gives: {hearts: 2}, limit: 3}
          free: {}
        """

    private static func purchase(_ item: String = "potion", at time: String = "2026-02-06T10:00:00Z") throws -> Purchase
    {
        var purchase = Purchase(of: item, by: "ana")
        purchase.time = try Timestamp(time)
        return purchase
    }

    private static func bench(_ backend: Backend = .memory, lines: Int = 2) throws -> Bench {
        let bench = try Bench(backend, rules: rules)
        try bench.engine.ingest(
            (0..<lines).map { number in
                Event(
                    id: "\(number)",
                    source: "app",
                    type: "line.spoken",
                    subject: "ana",
                    time: try Timestamp("2026-02-06T09:00:00Z")
                )
            },
            now: later
        )
        return bench
    }

    private static let later = Date(timeIntervalSince1970: 1_775_404_800)

    private func code(_ body: () throws -> Void) -> EngineError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? EngineError)?.code
        }
    }

    @Test(arguments: Backend.allCases) func takesThePriceAndGives(backend: Backend) throws {
        let bench = try Self.bench(backend)
        let receipt = try bench.engine.buy(Self.purchase(), now: Self.later)
        #expect(receipt.progress.balances == ["gems": 15, "hearts": 2] && !receipt.isDuplicate)
        #expect(try bench.engine.learner("ana").progress(at: Self.later)?.items == ["potion": 1, "free": 0])
    }

    @Test(arguments: Backend.allCases) func refusesWithWhatIsMissing(backend: Backend) throws {
        let bench = try Self.bench(backend)
        var purchase = try Self.purchase()
        purchase.count = 3
        let error = #expect(throws: EngineError.self) { try bench.engine.buy(purchase, now: Self.later) }
        #expect(error?.code == .insufficientBalance)
        #expect(error?.message == "the price is 45 gems, the balance is 30: 15 are missing")
        #expect(try bench.engine.learner("ana").progress(at: Self.later)?.items == ["potion": 0, "free": 0])
    }

    @Test func refusals() throws {
        let bench = try Self.bench(lines: 9)
        var many = try Self.purchase()
        many.count = 4
        #expect(code { try bench.engine.buy(many, now: Self.later) } == .limitReached)
        #expect(code { try bench.engine.buy(Self.purchase("sword"), now: Self.later) } == .unknownItem)
        many.count = 0
        #expect(code { try bench.engine.buy(many, now: Self.later) } == .invalidRequest)
        many.count = 3
        try bench.engine.buy(many, now: Self.later)
        #expect(code { try bench.engine.buy(Self.purchase(), now: Self.later) } == .limitReached)
        let earlier = try Self.purchase("free", at: "2026-02-06T09:59:59.999Z")
        #expect(code { try bench.engine.buy(earlier, now: Self.later) } == .tooEarly)
        try bench.engine.buy(Self.purchase("free"), now: Self.later)
    }

    @Test func readsTheBalanceOfItsTime() throws {
        let bench = try Self.bench()
        let before = try Self.purchase(at: "2026-02-06T08:59:59Z")
        #expect(code { try bench.engine.buy(before, now: Self.later) } == .insufficientBalance)
        let after = try Self.purchase(at: "2026-02-06T09:00:00Z")
        try bench.engine.buy(after, now: Self.later)
    }

    /// The clock is two months ahead, when both hearts are full again.
    @Test(arguments: [nil, "2026-02-06T11:00:00Z"]) func answersTheProgressAsOfItsTime(laterEvent: String?) throws {
        let refilled = Self.rules
            .replacing("hearts: {start: 0, hold: 5}", with: "hearts: {start: 0, hold: 5, refill: {every: 4h, by: 1}}")
        let bench = try Bench(.memory, rules: refilled)
        if let laterEvent {
            let time = try Timestamp(laterEvent)
            let event = Event(id: "1", source: "app", type: "line.spoken", subject: "ana", time: time)
            try bench.engine.ingest([event], now: Self.later)
        }
        let receipt = try bench.engine.buy(Self.purchase("free"), now: Self.later)
        #expect(receipt.progress.balances == ["gems": 10, "hearts": 0])
        #expect(receipt.progress.nextRefillAt?["hearts"] != nil)
    }

    @Test func theSamePurchaseAgainIsADuplicate() throws {
        let bench = try Self.bench()
        var purchase = try Self.purchase()
        try bench.engine.buy(purchase, now: Self.later)
        // Money for another one is not needed.
        try bench.engine.buy(Self.purchase(), now: Self.later)
        #expect(try bench.engine.buy(purchase, now: Self.later).isDuplicate)
        #expect(try bench.engine.learner("ana").progress(at: Self.later)?.items?["potion"] == 2)
        purchase.item = "free"
        #expect(code { try bench.engine.buy(purchase, now: Self.later) } == .conflict)
    }

    @Test func aNewLearnerBuysWithTheStart() throws {
        let bench = try Bench(.memory, rules: Self.rules.replacing("start: 10", with: "start: 20"))
        #expect(try bench.engine.buy(Self.purchase(), now: Self.later).progress.balances?["gems"] == 5)
    }

    @Test(arguments: Backend.files) func ofSimultaneousPurchasesOneIsRefused(backend: Backend) throws {
        let bench = try Self.bench(backend, lines: 1)
        let engine = bench.engine
        let outcomes = Mutex<[EngineError.Code?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let outcome = code { try engine.buy(Self.purchase(), now: Self.later) }
            outcomes.withLock { $0.append(outcome) }
        }
        let codes = outcomes.withLock { $0 }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .insufficientBalance } == 7)
        #expect(try bench.engine.learner("ana").progress(at: Self.later)?.balances?["gems"] == 5)
    }
}
