// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// A currency, as the fold uses it.
struct CurrencyPlan {
    let start: Double
    /// The largest balance that awards, gifts and refills reach; infinite without a limit.
    let hold: Double
    /// The length of a refill's period in milliseconds; 0 without a refill.
    let refillEvery: Int64
    let refillAmount: Double
    /// The slot of the balance among a track's numbers; nil if no expression reads the balance.
    let slot: Int?

    init(_ rule: CurrencyRule, _ layout: FrameLayout) {
        start = rule.start
        hold = rule.hold ?? .infinity
        refillEvery = rule.refill?.every ?? 0
        refillAmount = rule.refill?.amount ?? 0
        slot = layout.slot(of: .balance(of: rule.name))
    }

    var refills: Bool { refillEvery > 0 }
}

extension RuleSet {
    /// True if the rules have currencies or items.
    var hasBalances: Bool { !currencies.isEmpty || !items.isEmpty }
    /// True if an achievement gives currencies or freezes.
    var givesGifts: Bool { achievements.contains { !$0.gift.isEmpty } }
}

extension [CurrencyPlan] {
    var hasRefills: Bool { contains(where: \.refills) }
}
