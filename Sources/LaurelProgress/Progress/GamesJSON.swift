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
        // Every event writes this text, so no JSON values are made for it.
        var output: [UInt8] = []
        output.reserveCapacity(64 + 128 * (goals.count + balances.count))
        JSONWriter.write(#"{"balances":["#, to: &output)
        for (index, balance) in balances.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(balance, to: &output)
        }
        JSONWriter.write(#"],"goals":["#, to: &output)
        for (index, goal) in goals.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(goal, to: &output)
        }
        JSONWriter.write("]}", to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    // The members are in byte order, as in all JSON of the store.

    private static func write(_ goal: GoalProgress, to output: inout [UInt8]) {
        JSONWriter.write(#"{"completed_ms":"#, to: &output)
        write(goal.completedAt, to: &output)
        JSONWriter.write(#","every":"#, to: &output)
        JSONWriter.write(string: goal.every.utf8, to: &output)
        JSONWriter.write(#","goal":"#, to: &output)
        JSONWriter.write(string: goal.id.utf8, to: &output)
        JSONWriter.write(#","target":"#, to: &output)
        write(goal.target, to: &output)
        JSONWriter.write(#","times":"#, to: &output)
        write(Int64(goal.times), to: &output)
        JSONWriter.write(#","value":"#, to: &output)
        write(goal.value, to: &output)
        JSONWriter.write(#","window":"#, to: &output)
        JSONWriter.write(string: goal.window.utf8, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ balance: BalanceProgress, to output: inout [UInt8]) {
        JSONWriter.write(#"{"balance":"#, to: &output)
        write(Int64(balance.amount), to: &output)
        JSONWriter.write(#","currency":"#, to: &output)
        JSONWriter.write(string: balance.currency.utf8, to: &output)
        JSONWriter.write(#","hold":"#, to: &output)
        write(balance.hold.map { Int64($0) }, to: &output)
        JSONWriter.write(#","refill_anchor_ms":"#, to: &output)
        write(balance.refillAnchor, to: &output)
        JSONWriter.write(#","refill_by":"#, to: &output)
        write(balance.refill.map { Int64($0.amount) }, to: &output)
        JSONWriter.write(#","refill_every_ms":"#, to: &output)
        write(balance.refill?.every, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: Int64?, to output: inout [UInt8]) {
        guard let value else { return JSONWriter.write("null", to: &output) }
        JSONWriter.write(integer: value, to: &output)
    }

    private static func write(_ value: Double, to output: inout [UInt8]) {
        guard value.isFinite else { return JSONWriter.write("null", to: &output) }
        JSONWriter.write(double: value, to: &output)
    }
}
