// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects the changes of a learner's balance of one currency.
final class BalanceCollector: FoldObserver {
    private let currency: String
    private var plan: VersionPlan
    /// The balance before the first event under the version of the rules that introduced the currency.
    private var start: Double
    private var currentEvent: ObservedEvent?
    private var changes: [BalanceExplanation.Change] = []

    init(plan: FoldPlan, currency: String) {
        self.currency = currency
        self.plan = plan.versions[0]
        start = self.plan.rules.start(of: currency) ?? 0
    }

    /// - Parameter balance: the balance at the instant of the explanation. It includes refills after the last event.
    func explanation(of learner: String, balance: Int) -> BalanceExplanation {
        var all = changes
        if start != 0 { all.insert(.init(.start, nil, amount: Int(whole: start), event: nil), at: 0) }
        let rest = balance - all.reduce(0) { $0 + $1.amount }
        let refills = plan.rules.currencies.contains { $0.name == currency && $0.refill != nil }
        if rest != 0 { all.append(.init(rest > 0 && refills ? .refill : .rules, nil, amount: rest, event: nil)) }
        return BalanceExplanation(learner: learner, currency: currency, balance: balance, changes: all)
    }

    // MARK: Events

    func didSwitchVersion(to plan: VersionPlan) {
        let (before, now) = (self.plan.rules.start(of: currency), plan.rules.start(of: currency))
        self.plan = plan
        // If a version lacks a currency, the currency starts again in the next version that has it.
        if before == nil || now == nil { (start, changes) = (now ?? 0, []) }
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        currentEvent = ObservedEvent(table, row, event)
    }

    func didChangeBalance(currency index: Int, by amount: Double, _ cause: BalanceCause) {
        guard plan.rules.currencies[index].name == currency else { return }
        let (kind, name) = described(cause)
        changes.append(.init(kind, name, amount: Int(whole: amount), event: currentEvent?.reference(plan)))
    }

    private func described(_ cause: BalanceCause) -> (BalanceExplanation.Change.Kind, String?) {
        switch cause {
        case .refill: (.refill, nil)
        case .award(let rule): (.award, plan.rules.xpRules[rule].id)
        case .goal(let goal): (.goal, plan.rules.goals[goal].id)
        case .achievement(let achievement): (.achievement, plan.rules.achievements[achievement].id)
        case .price(let item): (.price, plan.rules.items[item].name)
        case .item(let item): (.item, plan.rules.items[item].name)
        case .adjustment: (.adjustment, currentEvent?.data.text("reason"))
        }
    }
}

extension RuleSet {
    /// The balance before the learner's first event; nil if the rules lack the currency.
    fileprivate func start(of currency: String) -> Double? { currencies.first { $0.name == currency }?.start }
}
