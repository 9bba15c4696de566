// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The sources of XP, in words.
package struct XPStory {
    package typealias Achievement = (name: String, tiers: Int)

    /// The achievement with an id; nil if the rules do not have it.
    private let achievement: (String) -> Achievement?

    package init(achievement: @escaping (String) -> Achievement?) { self.achievement = achievement }

    package static let nothing: Story = "no XP, and no event that an XP rule applies to"

    /// The event, its language and its session.
    package func heading(_ event: EventReference) -> Story {
        let place: Story? = event.language.map { ", \(.data($0))" }
        let session: Story? = event.session.map { ", session \(.data($0))" }
        let void: Story? = Story.void(event).map { "  \(.toned(.bad, $0))" }
        return "\(.event(event))\(place)\(session)\(void)"
    }

    /// The rule or achievement. The bucket follows if its name is different.
    package func title(_ entry: XPExplanation.Entry) -> Story {
        let name =
            switch entry.cause {
            case .award(let id, _, _, _), .withheld(let id, _, _), .outOfPeriod(let id, _, _): id
            case .adjustment, .declaration: "adjustment"
            case .reward(let id, _, _), .rewardTakenBack(let id, _, _): id
            }
        return name == entry.bucket ? "\(.data(name))" : "\(.data(name)) (\(.data(entry.bucket)))"
    }

    package func reason(_ entry: XPExplanation.Entry) -> Story {
        switch entry.cause {
        case .award(_, let award, let whole, let cap):
            return "\(Story.chain(award))\(rounding(award, whole))\(capping(whole, entry.amount, cap))"
        case .withheld(_, let when, let award):
            return "withheld by \(Story.condition(when)); it would be \(Story.chain(award))"
        case .outOfPeriod(_, let obstacle, let award):
            return "\(.text(obstacle ?? "")); it would be \(Story.chain(award))"
        case .adjustment(let reason): return reason.map { "by hand: \(.data($0))" } ?? "by hand"
        case .declaration(let total):
            let declared: Story = "the declared total of \(Story.number(total)) XP"
            return entry.amount > 0 ? "to reach \(declared)" : "\(declared) was reached before"
        case .reward(let id, let tiers, let language):
            return "unlocked \(name(id))\(tier(id, tiers))\(Story.place(language))"
        case .rewardTakenBack(let id, _, let language):
            return "reward of \(name(id)) taken back\(Story.place(language))"
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

    private func name(_ id: String) -> Story { "\(.achievement(id: id, name: achievement(id)?.name ?? id))" }

    private func tier(_ id: String, _ tiers: ClosedRange<Int>) -> Story? {
        let count = achievement(id)?.tiers ?? 1
        return count > 1 ? ", \(Story.tiers(tiers)) of \(Story.number(count))" : nil
    }
}
