// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The reason why a purchase is refused.
package enum PurchaseProblem: Sendable, Equatable {
    /// The rules in force have no such item. `known` contains the names of the items that exist.
    case unknownItem(known: [String])
    /// The learner bought a later item already, at this time in milliseconds since 1970.
    case tooEarly(latest: Int64)
    case limitReached(bought: Int, limit: Int)
    case insufficientBalance(currency: String, balance: Double, price: Double)
}

extension LearnerState {
    /// The time of the latest purchase of an item that the rules contain, in milliseconds since 1970; nil before the
    /// first.
    package var latestPurchase: Int64? { purchasedAt }

    /// The reason why a learner must not buy an item; nil if the purchase is allowed.
    /// - Parameter instant: the time of the purchase, in milliseconds since 1970. It must not be before the last folded
    ///   event.
    package func problem(buying item: [UInt8], _ count: Int, at instant: Int64) -> PurchaseProblem? {
        guard let index = plan.itemIndex[item] else { return .unknownItem(known: plan.rules.items.map(\.name)) }
        if let purchasedAt, purchasedAt > instant { return .tooEarly(latest: purchasedAt) }
        let rule = plan.rules.items[index]
        if let limit = rule.limit, purchases[index] + count > limit {
            return .limitReached(bought: purchases[index], limit: limit)
        }
        let balances = ProgressReader.balances(self, at: instant)
        for part in rule.price {
            let (balance, price) = (balances[part.currency].amount, part.amount[1] * Double(count))
            guard balance < price else { continue }
            let currency = plan.rules.currencies[part.currency].name
            return .insufficientBalance(currency: currency, balance: balance, price: price)
        }
        return nil
    }
}
