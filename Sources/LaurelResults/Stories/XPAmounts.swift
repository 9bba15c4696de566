// SPDX-License-Identifier: Apache-2.0

/// The XP of each event of a sentence, in words: `2 each, 1 when forgotten (6 times)`.
struct XPAmounts {
    /// The maximum number of different amounts that are listed.
    private static let mostListed = 3

    /// The items by the amount that the rule awarded before its daily cap. The most frequent amount is first.
    private let groups: [(amount: Int, items: [XPItem])]

    init(_ items: [XPItem]) {
        groups = items.grouped(by: \.whole).map { (amount: $0.key, items: $0.elements) }
            .sorted { ($0.items.count, $0.amount) > ($1.items.count, $1.amount) }
    }

    var story: Story {
        let amounts = groups.map(\.amount)
        guard groups.count <= Self.mostListed, let least = amounts.min(), let most = amounts.max() else {
            return "\(Story.number(amounts.min() ?? 0)) to \(Story.number(amounts.max() ?? 0)) each"
        }
        if least == most { return "\(Story.number(most)) each" }
        let usual: Story = "\(Story.number(groups[0].amount)) each"
        return .joined([usual] + groups.dropFirst().map(exception), by: ", ")
    }

    private func exception(_ group: (amount: Int, items: [XPItem])) -> Story {
        let number = Story.number(group.amount)
        let times: Story = group.items.count == 1 ? "once" : "\(Story.number(group.items.count)) times"
        let others = groups.filter { $0.amount != group.amount }.flatMap(\.items)
        guard let circumstance = circumstance(of: group.items, not: others) else {
            return "\(number) for \(Story.number(group.items.count)) of them"
        }
        return "\(number) \(circumstance) (\(times))"
    }

    /// The named value that all `items` have and no item of `others` has; nil if there is none. Numbers are skipped,
    /// because they would not explain the amount to a reader.
    private func circumstance(of items: [XPItem], not others: [XPItem]) -> Story? {
        for named in items[0].values {
            if case .number = named.value { continue }
            let has = { (item: XPItem) in item.values.contains(named) }
            guard items.allSatisfy(has), !others.contains(where: has) else { continue }
            if named.name == "event.grade", named.value == .text("again") { return "when forgotten" }
            return "when \(.code(named.name)) is \(.code(named.value.description))"
        }
        return nil
    }
}

extension XPItem {
    fileprivate var whole: Int {
        if case .award(_, _, let whole, _) = entry?.cause { whole } else { amount }
    }

    fileprivate var values: [ExplainedExpression.NamedValue] {
        if case .award(_, let award, _, _) = entry?.cause { award.values } else { [] }
    }
}
