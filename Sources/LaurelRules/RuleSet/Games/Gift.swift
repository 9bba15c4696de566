// SPDX-License-Identifier: Apache-2.0

/// The currencies and freezes that an achievement or an item gives.
package struct Gift: Sendable, Equatable {
    /// An amount of a currency.
    package struct Part: Sendable, Equatable {
        /// The index of the currency.
        package let currency: Int
        package let amount: TierAmounts
    }

    package var currencies: [Part] = []
    package var freezes = TierAmounts([0])

    package var isEmpty: Bool { currencies.isEmpty && freezes.isZero }
}

/// Whole amounts: either one amount for all tiers of an achievement, or one for each tier.
package struct TierAmounts: Sendable, Equatable {
    /// One element per tier, or a single element that applies to all tiers.
    package let amounts: [Double]

    init(_ amounts: [Double]) { self.amounts = amounts }

    /// The amount that a tier gives. Tiers are counted from 1.
    package subscript(tier: Int) -> Double { amounts.count == 1 ? amounts[0] : amounts[tier - 1] }

    package func sum(of tiers: ClosedRange<Int>) -> Double { tiers.reduce(0) { $0 + self[$1] } }

    package var isZero: Bool { amounts.allSatisfy { $0 == 0 } }
    /// The amount if all tiers have the same amount; else nil.
    package var single: Double? { amounts.allSatisfy { $0 == amounts[0] } ? amounts[0] : nil }
    /// The amounts as text.
    var phrase: String { amounts.map(\.brief).joined(separator: "/") }
}
