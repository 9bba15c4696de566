// SPDX-License-Identifier: Apache-2.0

/// An event, and one reason why it gave or took XP, or gave none.
struct XPItem {
    /// The rule, or another cause of XP, that the items of one sentence have in common.
    enum Group: Hashable {
        case rule(id: String, bucket: String, type: String)
        case adjustment(reason: String?, isGain: Bool)
        case void(EventReference.VoidReason?, type: String)
        /// A sentence with one event.
        case alone(EventReference, XPExplanation.Entry?)
    }

    /// The properties that the events of one sentence have in common.
    struct Key: Hashable {
        let group: Group
        let flag: EventReference.Flag?

        init(_ item: XPItem) { (group, flag) = (Group(item), item.event.flag) }
    }

    let event: EventReference
    /// The reason; nil for a void event.
    let entry: XPExplanation.Entry?

    var amount: Int { entry?.amount ?? 0 }

    /// The rule or achievement, followed by the bucket if the bucket has another name.
    var title: Story {
        guard let entry else { return "void" }
        switch entry.cause {
        case .award(let id, _, _, _), .withheld(let id, _, _), .outOfPeriod(let id, _, _):
            return id == entry.bucket ? "\(.data(id))" : "\(.data(id)) (\(.data(entry.bucket)))"
        case .adjustment, .declaration: return "\(.data(entry.bucket))"
        case .reward(let id, _, _), .rewardTakenBack(let id, _, _):
            return "\(.achievement(id: id, name: id)) (\(.data(entry.bucket)))"
        case .goal(let id): return "\(.data(id)) (\(.data(entry.bucket)))"
        }
    }

    /// The formula with the event's values, or another reason.
    var reason: Story {
        guard let entry else { return Story.correction(event) ?? "" }
        switch entry.cause {
        case .award(_, let award, let whole, let cap):
            return "\(Story.chain(award))\(rounding(award, whole))\(capping(whole, entry.amount, cap))"
        case .withheld(_, let when, let award):
            return "withheld by \(Story.condition(when)); it would be \(Story.chain(award))"
        case .outOfPeriod(_, let obstacle, let award):
            return "\(Story.obstacle(obstacle ?? "")); it would be \(Story.chain(award))"
        case .adjustment(let reason): return reason.map { "by hand: \(.data($0))" } ?? "by hand"
        case .declaration(let total): return "the declared total is \(Story.number(total)) XP"
        case .reward: return "unlocked by this event"
        case .rewardTakenBack: return "revoked by this event"
        case .goal: return "completed by this event"
        }
    }

    private func rounding(_ award: ExplainedExpression, _ whole: Int) -> Story {
        guard let value = award.value.number else { return ", so 0" }
        if value == Double(whole) { return "" }
        return value < 0 ? ", not below 0" : ", rounded down to \(Story.number(whole))"
    }

    private func capping(_ whole: Int, _ amount: Int, _ cap: Int?) -> Story {
        guard let cap, amount < whole else { return "" }
        let (left, lost) = (Story.number(amount), Story.number(whole - amount))
        return ", the daily cap of \(Story.number(cap)) leaves \(left) and withholds \(lost)"
    }
}

extension XPItem.Group {
    init(_ item: XPItem) {
        guard let entry = item.entry else {
            self = .void(item.event.void, type: item.event.type)
            return
        }
        switch entry.cause {
        case .award(let id, _, _, _), .withheld(let id, _, _), .outOfPeriod(let id, _, _):
            self = .rule(id: id, bucket: entry.bucket, type: item.event.type)
        case .adjustment(let reason): self = .adjustment(reason: reason, isGain: entry.amount >= 0)
        case .declaration, .reward, .rewardTakenBack, .goal: self = .alone(item.event, entry)
        }
    }
}
