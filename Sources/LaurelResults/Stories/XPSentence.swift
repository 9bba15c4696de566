// SPDX-License-Identifier: Apache-2.0

/// The sentence that says how much XP events gave, and why.
struct XPSentence {
    /// The events of one type that a rule treats alike; at least one.
    let items: [XPItem]
    let achievement: (String) -> XPStory.Achievement?

    private var first: XPItem { items[0] }
    private var amount: Int { items.reduce(0) { $0 + $1.amount } }

    var story: Story {
        switch first.entry?.cause {
        case .award, .withheld, .outOfPeriod: amount == 0 ? withheld : award
        case .adjustment(let reason): adjustment(reason)
        case .declaration(let total):
            amount > 0
                ? "the declared total of \(Story.number(total)) XP added \(Story.number(amount)) XP"
                : "the declared total of \(Story.number(total)) XP was reached before"
        case .reward(let id, let tiers, let language):
            "unlocking \(name(id))\(tier(id, tiers))\(Story.place(language)) gave \(Story.number(amount)) XP"
        case .rewardTakenBack(let id, _, let language):
            "revoking \(name(id))\(Story.place(language)) took \(Story.number(-amount)) XP"
        case .goal(let id): "completing the goal \(.data(id)) gave \(Story.number(amount)) XP"
        case nil: "\(Story.events(items.count, first.event.type)) gave nothing: \(Story.correction(first.event))"
        }
    }

    // MARK: Rules

    /// The text `30 of 42 reviews gave 58 XP: 2 each, 1 when forgotten (2 times)`.
    private var award: Story {
        let earning = items.filter { $0.amount > 0 }
        let (all, xp) = (Story.events(items.count, first.event.type), Story.number(amount))
        let each: Story? = earning.count > 1 ? ": \(XPAmounts(earning).story)" : nil
        return earning.count == items.count
            ? "\(all) gave \(xp) XP\(each)\(capping)"
            : "\(Story.number(earning.count)) of \(all) gave \(xp) XP\(each)\(capping)"
    }

    private var capping: Story? {
        let lost = items.reduce(0) { $0 + $1.lost }
        guard lost > 0, let cap = items.compactMap(\.dailyCap).first else { return nil }
        return "; the daily cap of \(Story.number(cap)) XP withheld \(Story.number(lost))"
    }

    /// The text `3 reviews gave nothing: the rule's condition did not hold`.
    private var withheld: Story {
        let reasons = items.map(\.obstacle).grouped(by: { $0 }).map(\.key.story)
        let reason = reasons.dropFirst().reduce(reasons[0]) { "\($0), or \($1)" }
        return "\(Story.events(items.count, first.event.type)) gave nothing: \(reason)"
    }

    // MARK: Other causes

    private func adjustment(_ reason: String?) -> Story {
        let why: Story? = reason.map { ": \(.data($0))" }
        return amount >= 0
            ? "\(items.count, "adjustment") by hand gave \(Story.number(amount)) XP\(why)"
            : "\(items.count, "adjustment") by hand took \(Story.number(-amount)) XP\(why)"
    }

    private func name(_ id: String) -> Story { "\(.achievement(id: id, name: achievement(id)?.name ?? id))" }

    private func tier(_ id: String, _ tiers: ClosedRange<Int>) -> Story? {
        let count = achievement(id)?.tiers ?? 1
        return count > 1 ? " (\(Story.tiers(tiers)) of \(Story.number(count)))" : nil
    }
}

extension XPItem {
    /// The reason why a rule gave nothing.
    enum Obstacle: Hashable {
        case condition, valueMissing, awardOfZero
        case period(String)
        case dailyCap(Int)

        fileprivate var story: Story {
            switch self {
            case .condition: "the rule's condition did not hold"
            case .valueMissing: "a value of the formula is missing"
            case .awardOfZero: "the formula gives 0"
            case .period(let obstacle): .obstacle(obstacle)
            case .dailyCap(let cap): "the daily cap of \(Story.number(cap)) XP was reached"
            }
        }
    }

    fileprivate var obstacle: Obstacle {
        switch entry?.cause {
        case .award(_, _, let whole, let cap?) where whole > 0: .dailyCap(cap)
        case .award(_, let award, _, _): award.value.number == nil ? .valueMissing : .awardOfZero
        case .outOfPeriod(_, let obstacle, _): .period(obstacle ?? "")
        default: .condition
        }
    }

    fileprivate var dailyCap: Int? {
        if case .award(_, _, _, let cap) = entry?.cause { cap } else { nil }
    }

    /// The XP that the daily cap withheld.
    fileprivate var lost: Int {
        if case .award(_, _, let whole, _?) = entry?.cause { whole - amount } else { 0 }
    }
}
