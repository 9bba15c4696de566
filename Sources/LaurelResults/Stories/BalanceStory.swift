// SPDX-License-Identifier: Apache-2.0

/// The sources of a balance: a sentence for each, and a table of all changes.
package struct BalanceStory {
    /// The changes with one cause.
    package struct Source: Sendable {
        package let amount: Int
        package let story: Story
    }

    private let explanation: BalanceExplanation

    package init(_ explanation: BalanceExplanation) { self.explanation = explanation }

    /// The balance.
    package var answer: Story { "\(.toned(.strong, .number(explanation.balance))) \(.data(explanation.currency))" }

    /// The causes in the order of their first change.
    package var sources: [Source] {
        explanation.changes.grouped { [$0.kind.rawValue, $0.name] }.map { _, changes in
            let (cause, count) = (cause(changes[0]), changes.count)
            let story: Story = count == 1 ? cause : "\(cause), \(count, "time")"
            return Source(amount: changes.reduce(0) { $0 + $1.amount }, story: story)
        }
    }

    /// All changes, with the balance after each.
    package var table: StoryTable {
        var balance = 0
        let rows = explanation.changes.map { change -> [Story] in
            balance += change.amount
            return [
                change.event.map { "\(.dateAndTime($0))" } ?? "", change.event.map { "\(.event($0))" } ?? "",
                cause(change), "\(.change(Double(change.amount)))", .number(balance),
            ]
        }
        return StoryTable(
            columns: [
                .init("time"), .init("event", .prose, isSpare: true), .init("why", .prose), .init("change", .number),
                .init("balance", .number),
            ],
            rows: rows
        )
    }

    private func cause(_ change: BalanceExplanation.Change) -> Story {
        let name = change.name.map { "\(.data($0))" as Story } ?? ""
        return switch change.kind {
        case .start: "at the start"
        case .refill: "refilled"
        case .award: "award \(name)"
        case .goal: "goal \(name) completed"
        case .achievement: "achievement \(name) unlocked"
        case .price: "\(name) bought"
        case .item: "given by \(name)"
        case .adjustment: change.name == nil ? "adjusted" : "adjusted: \(name)"
        case .rules: "the rules changed"
        }
    }
}
