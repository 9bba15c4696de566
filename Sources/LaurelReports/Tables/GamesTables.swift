// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// A goal or a balance of a learner.
private struct GamesRow<Item> {
    let learner: String
    /// The position in the order of the rules.
    let position: Int
    let item: Item

    static var key: [ReportColumn<GamesRow>] {
        [ReportColumn("learner", \.learner), ReportColumn("position", \.position)]
    }

    /// The rows of a list that only the overall track has.
    static func all(_ facts: LearnerFacts, _ list: KeyPath<FoldedProgress, [Item]?>) -> [GamesRow] {
        let items = facts.tracks.first?.progress[keyPath: list] ?? []
        return items.enumerated().map { GamesRow(learner: facts.learner, position: $0, item: $1) }
    }
}

/// The tables about goals and balances. Without rules for them, the tables are empty.
extension ReportTable {
    private static let goalsColumns: [ReportColumn<GamesRow<NamedGoal>>] = [
        ReportColumn("goal", \.item.goal.id),
        ReportColumn("name", \.item.name),
        ReportColumn("every", \.item.goal.every),
        ReportColumn("window", \.item.goal.window),
        ReportColumn("value", \.item.goal.value),
        ReportColumn("target", \.item.goal.target),
        ReportColumn("progress", \.item.goal.progress),
        ReportColumn("completed_at") { $0.item.goal.completedAt.map(Date.init(milliseconds:)) },
        ReportColumn("times", \.item.goal.times),
    ]

    static let goals = ReportTable("goals", key: GamesRow<NamedGoal>.key, goalsColumns) { facts, source in
        GamesRow.all(facts, \.goals).map { row in
            let name = row.item.names?.text(for: source.locale) ?? IdentifierTitle.of(row.item.id)
            let goal = NamedGoal(goal: row.item, name: name)
            return GamesRow(learner: row.learner, position: row.position, item: goal)
        }
    }

    private static let balancesColumns: [ReportColumn<GamesRow<BalanceProgress>>] = [
        ReportColumn("currency", \.item.currency),
        ReportColumn("balance") { Int64($0.item.amount) },
        ReportColumn("hold") { $0.item.hold.map { Int64($0) } },
        ReportColumn("refill_anchor") { $0.item.refillAnchor.map(Date.init(milliseconds:)) },
        ReportColumn("refill_every_ms") { $0.item.refill?.every },
        ReportColumn("refill_by") { $0.item.refill.map { Int64($0.amount) } },
        ReportColumn("next_refill_at") { $0.item.nextRefill.map(Date.init(milliseconds:)) },
    ]

    static let balances = ReportTable("balances", key: GamesRow<BalanceProgress>.key, balancesColumns) { facts, _ in
        GamesRow.all(facts, \.balances)
    }
}

/// A goal, and its name in the report's language.
private struct NamedGoal {
    let goal: GoalProgress
    let name: String
}
