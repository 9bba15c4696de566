// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules
import LaurelWire

/// A learner's goals and balances as of the last event: `{"goals":[…],"balances":[…]}`. The views of the store read it,
/// and its members have the names of their columns.
enum GamesJSON {
    /// - Returns: nil if the rules have neither goals nor currencies, and for a learner without events.
    static func text(_ reader: ProgressReader, _ state: LearnerState) -> String? {
        let plan = state.plan
        guard !plan.goals.isEmpty || !plan.currencies.isEmpty, let day = state.tracks[0].lastDay else { return nil }
        let goals = reader.goals(state, subject: state.subject, on: day, state.balances) ?? []
        let balances = ProgressReader.described(state.balances, plan)
        let lists: JSONValue = ["balances": .array(balances.map(object)), "goals": .array(goals.map(object))]
        return lists.json
    }

    private static func object(_ goal: GoalProgress) -> JSONValue {
        [
            "goal": .string(goal.id), "every": .string(goal.every), "window": .string(goal.window),
            "value": .double(goal.value), "target": .double(goal.target),
            "completed_ms": goal.completedAt.map { .integer($0) } ?? .null, "times": .integer(Int64(goal.times)),
        ]
    }

    private static func object(_ balance: BalanceProgress) -> JSONValue {
        [
            "currency": .string(balance.currency), "balance": .integer(Int64(balance.amount)),
            "hold": balance.hold.map { .integer(Int64($0)) } ?? .null,
            "refill_anchor_ms": balance.refillAnchor.map { .integer($0) } ?? .null,
            "refill_every_ms": balance.refill.map { .integer($0.every) } ?? .null,
            "refill_by": balance.refill.map { .integer(Int64($0.amount)) } ?? .null,
        ]
    }
}
