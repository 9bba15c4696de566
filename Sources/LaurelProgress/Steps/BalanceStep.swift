// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Balances of currencies. A learner has one balance per currency, and expressions of every track can read it.
extension FoldCore {
    /// Refills the balances up to the time of the event. Part of step 1.
    mutating func refillBalances() {
        for index in plan.currencies.indices {
            let before = learner.balances[index].amount
            learner.balances[index].refill(to: event.time, plan.currencies[index])
            noteChange(index, since: before, .refill)
        }
        publishLearnerNumbers(overall)
    }

    /// Records an award. It takes effect only after all awards of the event are evaluated.
    mutating func awardCurrency(rule index: Int, _ computed: Double) {
        let rule = plan.xpRules.baseAddress! + index
        var amount = truncatedAward(computed)
        if rule.pointee.dailyCap < .infinity, amount > 0 {
            let awarded = overall.pointee.awardedToday[index]
            amount = min(amount, max(0, rule.pointee.dailyCap - awarded))
            overall.pointee.awardedToday[index] = awarded + amount
        }
        if amount != 0 { awards.append((index, amount)) }
    }

    /// Applies the event's awards, and then the changes that the event itself makes to balances.
    mutating func settleBalances() {
        for (rule, amount) in awards {
            award(amount, of: plan.xpRules[rule].currency, .award(rule: rule))
        }
        awards.removeAll(keepingCapacity: true)
        switch event.kind {
        case .currencyAdjusted: adjustBalance()
        case .itemBought: buyItem()
        default: break
        }
        publishLearnerNumbers(overall)
    }

    private mutating func adjustBalance() {
        guard let name = scratch.bytes(.currency, columns), let index = plan.currencyIndex[name],
            let amount = scratch.number(.amount, columns)
        else { return }
        add(amount, to: index, .adjustment)
    }

    /// Adds an award or a gift, up to `hold`.
    private mutating func award(_ amount: Double, of currency: Int, _ cause: BalanceCause) {
        let before = learner.balances[currency].amount
        learner.balances[currency].award(amount, at: event.time, plan.currencies[currency])
        noteChange(currency, since: before, cause)
    }

    /// Adds an amount without applying `hold`.
    private mutating func add(_ amount: Double, to currency: Int, _ cause: BalanceCause) {
        let before = learner.balances[currency].amount
        learner.balances[currency].add(amount, at: event.time, plan.currencies[currency])
        noteChange(currency, since: before, cause)
    }

    private func noteChange(_ currency: Int, since before: Double, _ cause: BalanceCause) {
        guard let observer else { return }
        let change = learner.balances[currency].amount - before
        if change != 0 { observer.didChangeBalance(currency: currency, by: change, cause) }
    }

    /// Subtracts the price of a purchase, even if a balance is too small, and then adds the gift of the item.
    private mutating func buyItem() {
        guard let name = scratch.bytes(.item, columns), let index = plan.itemIndex[name] else { return }
        let count = Int(scratch.integer(.count, columns) ?? 1)
        guard count > 0 else { return }
        let item = plan.rules.items[index]
        for part in item.price {
            add(-part.amount[1] * Double(count), to: part.currency, .price(item: index))
        }
        learner.purchases[index] += count
        learner.purchasedAt = event.time
        give(item.gift, tiers: 1...1, times: count, .item(index), &overall.pointee)
    }

    /// Gives currencies to the learner. Freezes are added to the overall track, and to the track of the achievement or
    /// item that has the gift.
    mutating func give(
        _ gift: Gift,
        tiers: ClosedRange<Int>,
        times: Int = 1,
        _ cause: BalanceCause,
        _ track: inout TrackValues
    ) {
        for part in gift.currencies {
            award(part.amount.sum(of: tiers) * Double(times), of: part.currency, cause)
        }
        let freezes = Int(gift.freezes.sum(of: tiers)) * times
        if freezes > 0 {
            grantFreezes(freezes, &track)
            publishStreak(&track)
        }
        publishLearnerNumbers(&track)
        guard !track.isOverall else { return }
        if freezes > 0 {
            grantFreezes(freezes, &overall.pointee)
            publishStreak(&overall.pointee)
        }
        publishLearnerNumbers(overall)
    }

    /// Copies the balances and completions that expressions read to the numbers of a track.
    mutating func publishLearnerNumbers(_ track: UnsafeMutablePointer<TrackValues>) {
        learner.forEachPublishedNumber { slot, number in
            guard track.pointee.numbers[slot] != number else { return }
            track.pointee.numbers[slot] = number
            track.pointee.changes.insert(.learner)
        }
    }

    /// Clears the copies of balances and completions in all tracks. A state contains each of these numbers only once.
    mutating func withdrawLearnerNumbers() {
        let tracks = learner.tracks
        learner.forEachPublishedNumber { slot, _ in
            for track in tracks { track.values.pointee.numbers[slot] = 0 }
        }
    }
}

/// An award of a currency before any cap: truncated towards zero, from −2⁵³ to 2⁵³; 0 for null.
package func truncatedAward(_ computed: Double) -> Double {
    computed < 0 ? 0 - wholeAward(-computed) : wholeAward(computed)
}
