// SPDX-License-Identifier: Apache-2.0

/// A learner's balance of a currency.
struct Balance: Sendable, Equatable {
    private(set) var amount: Double
    /// The instant from which the periods of the refill count, in milliseconds since 1970; nil while nothing refills.
    private(set) var anchor: Int64?

    init(amount: Double, anchor: Int64? = nil) { (self.amount, self.anchor) = (amount, anchor) }

    /// The balance of a learner without events.
    init(startingUnder plan: CurrencyPlan) { self.init(amount: plan.start) }

    /// Adds the refills of all periods that have ended at an instant. If the balance can be refilled but has no anchor,
    /// the instant becomes the anchor. This can happen at the learner's first event, and at the first event under a new
    /// version of the rules.
    mutating func refill(to instant: Int64, _ plan: CurrencyPlan) {
        guard plan.refills, amount < plan.hold else { return }
        let start = anchor ?? instant
        let periods = (instant - start) / plan.refillEvery
        amount = min(plan.hold, amount + Double(periods) * plan.refillAmount)
        anchor = amount < plan.hold ? start + periods * plan.refillEvery : nil
    }

    /// The instant of the next refill, in milliseconds since 1970; nil while nothing refills.
    func nextRefill(_ plan: CurrencyPlan) -> Int64? { anchor.map { $0 + plan.refillEvery } }

    /// Adds an award or a gift, but does not raise the balance above `hold`. A negative award does not lower the
    /// balance below 0.
    mutating func award(_ award: Double, at instant: Int64, _ plan: CurrencyPlan) {
        let next = award > 0 ? max(amount, min(plan.hold, amount + award)) : max(min(amount, 0), amount + award)
        set(next, at: instant, plan)
    }

    /// Adds an amount, even if the balance then exceeds `hold` or is negative. The limits are ±2⁵³.
    mutating func add(_ change: Double, at instant: Int64, _ plan: CurrencyPlan) {
        set(max(-Balance.most, min(Balance.most, amount + change)), at: instant, plan)
    }

    /// The largest balance, 2⁵³. A double represents every whole number up to this number exactly.
    private static let most = 0x1p53

    private mutating func set(_ next: Double, at instant: Int64, _ plan: CurrencyPlan) {
        if next >= plan.hold { anchor = nil } else if plan.refills, amount >= plan.hold { anchor = instant }
        amount = max(-Balance.most, min(Balance.most, next))
    }

    /// The balance under a later version of the rules. A full balance has no anchor, and a balance without refills has
    /// none either.
    func converted(to plan: CurrencyPlan) -> Balance {
        Balance(amount: amount, anchor: plan.refills && amount < plan.hold ? anchor : nil)
    }
}
