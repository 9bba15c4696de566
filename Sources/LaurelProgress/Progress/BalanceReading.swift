// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Balances as of an instant.
extension ProgressReader {
    /// The learner's balances, refilled up to an instant.
    func balances(_ state: LearnerState, at instant: Timestamp) -> [Balance] {
        Self.balances(state, at: instant.milliseconds)
    }

    /// - Parameter instant: milliseconds since 1970.
    static func balances(_ state: LearnerState, at instant: Int64) -> [Balance] {
        zip(state.balances, state.plan.currencies).map { balance, plan in
            var balance = balance
            // Refills begin with the first event.
            if state.eventCount > 0 { balance.refill(to: instant, plan) }
            return balance
        }
    }

    func fillBalances(_ progress: inout Progress, _ state: LearnerState, _ balances: [Balance]) {
        let plan = state.plan
        if !plan.rules.items.isEmpty {
            progress.items = zip(plan.rules.items, state.purchases).map {
                NamedNumber(name: $0.name, value: Double($1))
            }
        }
        if !balances.isEmpty { progress.balances = Self.described(balances, plan) }
    }

    /// Balances with their names and their refills.
    static func described(_ balances: [Balance], _ plan: VersionPlan) -> [BalanceProgress] {
        zip(plan.currencies.indices, balances).map { index, balance in
            let currency = plan.currencies[index]
            return BalanceProgress(
                currency: plan.rules.currencies[index].name,
                amount: balance.amount,
                hold: currency.hold.isFinite ? currency.hold : nil,
                refillAnchor: balance.anchor,
                refill: currency.refills ? .init(every: currency.refillEvery, amount: currency.refillAmount) : nil
            )
        }
    }
}

extension TrackState {
    /// Calls a closure with the track's numbers, and writes to them the balances and the completions of goals that
    /// expressions read.
    func withNumbers<Result>(
        of state: LearnerState,
        _ balances: [Balance],
        _ body: (UnsafePointer<Double>) -> Result
    ) -> Result {
        guard plan.readsLearnerNumbers else { return body(values.pointee.numbers) }
        var numbers = Array(UnsafeBufferPointer(start: values.pointee.numbers, count: plan.layout.count))
        state.forEachPublishedNumber { numbers[$0] = $1 }
        for (balance, currency) in zip(balances, plan.currencies) {
            if let slot = currency.slot { numbers[slot] = balance.amount }
        }
        return numbers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
