// SPDX-License-Identifier: Apache-2.0

import Laurel

extension School {
    private static let shop = """
        version: 1
        name: shop
        currencies: {gems: {start: 5, hold: 6, refill: {every: 4h, by: 1}}}
        items: {hat: {price: {gems: 3}}}
        experiments: {colour: {variants: {red: 100}, from: 2026-01-01, through: 2099-12-31}}
        """

    /// The calls of a game's shop, in a store of its own.
    func buy() throws {
        let shop = try ProgressEngine.inMemory(rules: Rules(yaml: Self.shop))
        var purchase = Purchase(of: "hat", by: "ana")
        (purchase.id, purchase.count, purchase.timezone, purchase.actor) = ("p1", 1, "Europe/Berlin", nil)
        use((Purchase.source, purchase.item, purchase.learner, purchase.time))
        let receipt = try shop.buy(purchase)
        tell("bought", "\(receipt.item), \(receipt.count), \(receipt.isDuplicate), \(receipt.id)")
        let progress = receipt.progress
        let refills: InstantsByName? = progress.nextRefillAt
        tell("left", "\(progress.balances?["gems"] ?? 0), \(refills?["gems"] != nil)")
        tell("variant", progress.experiments?["colour"] ?? "none")
        let texts: TextsByName = ["colour": "red"]
        tell("the same variant", "\(progress.experiments == texts), \(texts[0].value)")
        do {
            use(try shop.buy(Purchase(of: "hat", by: "ana")))
        } catch {
            tell("no money", error.code == .insufficientBalance)
            use(IngestOutcome.failed(error))
        }
    }
}
