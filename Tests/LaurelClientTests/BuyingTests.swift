// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import LaurelClient

/// A service that sells items. It notes what it gets, in order.
private final class Shop: Delivery {
    /// The lines and purchases that arrived.
    let arrived = Mutex<[String]>([])
    /// The error of each request; nil if the service answers.
    let error = Mutex<DeliveryError?>(nil)
    let balance: Mutex<Double>

    init(balance: Double) { self.balance = Mutex(balance) }

    func deliver(_ batch: Batch) async throws -> Receipt {
        if let error = error.withLock({ $0 }) { throw error }
        let lines = try batch.lines.map { try Line($0).name }
        arrived.withLock { $0 += lines }
        return .accepted
    }

    func buy(_ purchase: ItemPurchase) async throws -> ItemReceipt {
        if let error = error.withLock({ $0 }) { throw error }
        let rest = try balance.withLock { balance in
            guard balance >= Double(purchase.count) else {
                throw PurchaseRefusal(of: purchase, code: "insufficient-balance", message: "too dear")
            }
            balance -= Double(purchase.count)
            return balance
        }
        arrived.withLock { $0.append("\(purchase.learner): \(purchase.count) \(purchase.item), \(purchase.time)") }
        return ItemReceipt(isDuplicate: false, balances: ["gems": rest])
    }

    static let offline = DeliveryError("no network")
}

@Suite struct BuyingTests {
    private let workshop: Workshop
    private let shop = Shop(balance: 3)

    init() throws { workshop = try Workshop() }

    private func pending(_ client: LaurelClient) async -> Int { await client.status().pending }

    @Test func buysAfterTheEventsThatWait() async throws {
        let client = try workshop.client(delivery: shop)
        try await client.speak("a")
        let receipt = try await client.buy("potion", by: "ana", count: 2)
        #expect(receipt == ItemReceipt(isDuplicate: false, balances: ["gems": 1]))
        #expect(shop.arrived.withLock { $0 } == ["a", "ana: 2 potion, 2026-02-05T15:00:00.000+01:00"])
        #expect(await pending(client) == 0)
    }

    @Test(arguments: [false, true]) func aRefusalIsThrownAndNothingIsQueued(queues: Bool) async throws {
        let client = try workshop.client(delivery: shop)
        let refusal = await #expect(throws: PurchaseRefusal.self) {
            try await client.buy("potion", by: "ana", count: 4, id: "7", queues: queues)
        }
        #expect(refusal?.code == "insufficient-balance" && refusal?.purchase.id == "7")
        #expect(await pending(client) == 0)
    }

    @Test func anInvalidPurchaseIsThrown() async throws {
        let client = try workshop.client(delivery: shop)
        await #expect(throws: InvalidEvent.self) { try await client.buy("potion", by: "ana", count: 0, queues: true) }
        await #expect(throws: InvalidEvent.self) { try await client.buy("potion", by: "", queues: true) }
    }

    @Test func isNotQueuedUnlessAsked() async throws {
        let client = try workshop.client(delivery: shop)
        shop.error.withLock { $0 = Shop.offline }
        await #expect(throws: Shop.offline) { try await client.buy("potion", by: "ana") }
        #expect(await pending(client) == 0)
        #expect(try await client.buy("potion", by: "ana", queues: true) == nil)
        #expect(await pending(client) == 1)
        shop.error.withLock { $0 = DeliveryError("sign in", isRetryable: false) }
        await #expect(throws: DeliveryError.self) { try await client.buy("potion", by: "ana", queues: true) }
        #expect(await pending(client) == 1)
    }

    @Test func queuedPurchasesAreDeliveredInTheirOrderAndRefusalsAreTold() async throws {
        shop.error.withLock { $0 = Shop.offline }
        let offline = try workshop.client(delivery: shop)
        try await offline.speak("a")
        try await offline.buy("potion", by: "ana", count: 2, queues: true)
        try await offline.buy("potion", by: "ana", count: 2, id: "poor", queues: true)
        try await offline.speak("b")
        await offline.close()
        shop.error.withLock { $0 = nil }
        let client = try workshop.client(delivery: shop)
        #expect(await pending(client) == 4)
        try await client.flush()
        #expect(shop.arrived.withLock { $0 } == ["a", "ana: 2 potion, 2026-02-05T15:00:00.000+01:00", "b"])
        let status = await client.status()
        #expect((status.pending, status.sent, status.refused) == (0, 4, 1))
        #expect(status.refusedPurchases.map(\.purchase.id) == ["poor"])
        #expect(status.refusedPurchases.map(\.message) == ["too dear"])
    }

    @Test func onlyTheLatestRefusalsAreKept() {
        let most = DeliveryProgress.mostRefused
        #expect(most == 1000)
        var status = DeliveryProgress()
        for number in 1...most + 2 {
            let time = "2026-02-05T15:00:00Z"
            let purchase = ItemPurchase(learner: "ana", item: "potion", count: 1, id: "\(number)", time: time)
            status.add(PurchaseRefusal(of: purchase, code: "insufficient-balance", message: "too dear"))
            #expect(status.refusedPurchases.count == min(number, most))
        }
        #expect(status.refusedPurchases.first?.purchase.id == "3")
        #expect(status.refusedPurchases.last?.purchase.id == "\(most + 2)")
    }

    @Test func aFileCannotSell() async throws {
        let client = try workshop.client()
        await #expect(throws: DeliveryError.self) { try await client.buy("potion", by: "ana", queues: true) }
        #expect(await pending(client) == 0)
    }
}
