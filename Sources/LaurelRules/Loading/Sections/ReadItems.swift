// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    private static let mostFreezes = 36_500

    mutating func readItems(_ node: YAMLNode?, _ currencies: [CurrencyRule]) -> [ItemRule] {
        (mapping(node, "`items`") ?? []).enumerated().map { index, entry in
            if entry.key.isEmpty || entry.key.utf8.count > 128 {
                report(entry.keyOffset, "the name of an item must have 1 to 128 bytes")
            }
            let section = self.section(entry.value, .item)
            note(.item(index), "the item `\(entry.key)`", entry.keyOffset)
            let price = readAmounts(section?["price"], "`price`", currencies).map(\.part)
            priceOffsets.append(section.flatMap { $0.has("price") ? $0.keyOffset("price") : nil })
            return ItemRule(
                name: entry.key,
                price: price,
                gift: readGift(section?["gives"], currencies),
                limit: section?["limit"].flatMap { integer($0, "`limit`", in: 1...Self.largestBalance) }
            )
        }
    }

    /// Reads `gives`.
    /// - Parameter tiers: the number of tiers of an achievement; nil if lists are not allowed.
    mutating func readGift(_ node: YAMLNode?, _ currencies: [CurrencyRule], tiers: Int? = nil) -> Gift {
        var gift = Gift()
        for (part, freezes) in readAmounts(node, "`gives`", currencies, tiers: tiers, mayGiveFreezes: true) {
            if let freezes { gift.freezes = freezes } else { gift.currencies.append(part) }
        }
        return gift
    }

    /// Reads one amount, or a list with one amount per tier.
    mutating func tierAmounts(_ node: YAMLNode, _ what: String, least: Int, most: Int, tiers: Int?) -> TierAmounts? {
        guard case .sequence(let items) = node.content, let tiers else {
            return integer(node, what, in: least...most).map { TierAmounts([Double($0)]) }
        }
        if items.count != tiers {
            report(node.offset, "\(what) lists \(items.count) amounts, but `at_least` has \(tiers): one for each tier")
        }
        let amounts = items.compactMap { integer($0, what, in: least...most) }
        return amounts.count == tiers ? TierAmounts(amounts.map(Double.init)) : nil
    }

    /// Reads amounts by currency. The result for `freezes` has its amount in `freezes`, and its `part` must be ignored.
    private mutating func readAmounts(
        _ node: YAMLNode?,
        _ what: String,
        _ currencies: [CurrencyRule],
        tiers: Int? = nil,
        mayGiveFreezes: Bool = false
    ) -> [(part: Gift.Part, freezes: TierAmounts?)] {
        (mapping(node, what) ?? []).compactMap { entry in
            let isFreezes = mayGiveFreezes && entry.key == "freezes"
            let most = isFreezes ? Self.mostFreezes : Self.largestBalance
            let name = "`\(entry.key)`"
            let amount = tierAmounts(entry.value, name, least: tiers == nil ? 1 : 0, most: most, tiers: tiers)
            if isFreezes { return amount.map { (Gift.Part(currency: 0, amount: $0), $0) } }
            guard let currency = currency(entry, currencies, mayGiveFreezes) else { return nil }
            return amount.map { (Gift.Part(currency: currency, amount: $0), nil) }
        }
    }

    private mutating func currency(_ entry: YAMLEntry, _ currencies: [CurrencyRule], _ orFreezes: Bool) -> Int? {
        if let index = currencies.firstIndex(where: { $0.name == entry.key }) { return index }
        let known = currencies.map(\.name) + (orFreezes ? ["freezes"] : [])
        let nearest = isFull ? nil : nearestName(to: entry.key, among: known)
        let advice = nearest.map { didYouMean(code: $0) } ?? ": currencies are declared under `currencies:`"
        report(entry.keyOffset, "unknown currency `\(entry.key)`\(advice)", suggestion: nearest)
        return nil
    }
}
