// SPDX-License-Identifier: Apache-2.0

import LaurelWire
import LaurelYAML

extension RulesLoader {
    /// Warns about prices that no balance can reach.
    /// - Parameter awarded: the currencies for which at least one award may give an amount above 0.
    mutating func warnAboutPrices(_ parts: RuleSet, awarded: Set<Int>) {
        for (item, offset) in zip(parts.items, priceOffsets) {
            for part in item.price {
                let currency = parts.currencies[part.currency]
                let given = awarded.contains(part.currency) ? .infinity : parts.mostGiven(of: part.currency)
                let most = max(currency.start, min(currency.hold ?? .infinity, currency.start + given))
                let amount = part.amount[1]
                guard amount > most, let offset else { continue }
                let reason =
                    given == 0
                    ? "no rule gives `\(currency.name)`, and a balance starts at \(currency.start.brief)"
                    : "a balance holds \(most.brief) at most"
                let price = "`price` is \(amount.brief) `\(currency.name)`"
                report(offset, "\(price), but \(reason): only an adjustment reaches it", .warning)
            }
        }
    }
}

extension RuleSet {
    /// The largest amount that refills and gifts can ever add to a balance if `hold` is ignored.
    fileprivate func mostGiven(of currency: Int) -> Double {
        func amounts(_ gift: Gift) -> [TierAmounts] {
            gift.currencies.filter { $0.currency == currency && !$0.amount.isZero }.map(\.amount)
        }
        let gifts = goals.map(\.gift) + items.map(\.gift) + achievements.filter(\.isPerLanguage).map(\.gift)
        if currencies[currency].refill != nil || !gifts.allSatisfy({ amounts($0).isEmpty }) { return .infinity }
        // A tier of an achievement gives its gift only once.
        return achievements.filter { !$0.isPerLanguage }.reduce(0) { sum, achievement in
            sum + amounts(achievement.gift).reduce(0) { $0 + $1.sum(of: 1...achievement.thresholds.count) }
        }
    }
}
