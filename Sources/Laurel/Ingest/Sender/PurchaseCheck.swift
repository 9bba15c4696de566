// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import LaurelWire

/// Decides if a purchase may be stored. It runs in the transaction that stores the purchase, so no other write can change
/// the balance in between.
struct PurchaseCheck {
    private let table: EventTable
    private let plan: FoldPlan

    init(_ table: EventTable, plan: FoldPlan) { (self.table, self.plan) = (table, plan) }

    /// The reason why the purchase in a row may not be stored; nil if it may. A purchase that is stored already is a
    /// duplicate or a conflict, which the append finds.
    /// - Complexity: O(events of the learner).
    func refusal(of row: Int, in session: any StoreTransaction) throws -> Refusal? {
        let identity = EventIdentity(table, row)
        var stored = SoughtEvents([identity], fields: [])
        try stored.find(in: session)
        guard stored.stored[identity] == nil, let problem = try problem(row, identity.subject, session) else {
            return nil
        }
        let (code, message) = text(of: problem)
        return table.refusal(of: row, code, message)
    }

    private func problem(_ row: Int, _ learner: [UInt8], _ session: any StoreTransaction) throws -> PurchaseProblem? {
        let time = table.milliseconds[row]
        let folder = LearnerFolder(plan: plan)
        if let record = try session.learner(named: learner) {
            let latest = try folder.latest(record.id, in: session)
            if let purchase = latest.latestPurchase, purchase > time { return .tooEarly(latest: purchase) }
            if let position = latest.position, position.milliseconds > time {
                let runs = try session.events(of: record.id, since: nil, until: time, fields: plan.fields)
                folder.refold(runs, until: time)
            }
        }
        folder.fold.switchVersion(before: PlannedTable(table, plan: plan), row: row)
        let (item, count) = purchase(row)
        return folder.fold.state.problem(buying: item, count, at: time)
    }

    private func purchase(_ row: Int) -> (item: [UInt8], count: Int) {
        var (item, count): ([UInt8], Int) = ([], 1)
        for value in table.values(of: row) {
            switch (table.fields.string(value.field), value.kind) {
            case ("item", .text): item = Array(table.texts[UInt32(value.payload)])
            case ("count", .integer): count = Int(Int64(bitPattern: value.payload))
            default: break
            }
        }
        return (item, count)
    }

    private func text(of problem: PurchaseProblem) -> (Refusal.Code, String) {
        switch problem {
        case .unknownItem(let known):
            let list = known.isEmpty ? "the rules have no items" : "the rules have \(known.joined(separator: ", "))"
            return (.unknownItem, "there is no such item; \(list)")
        case .tooEarly(let latest):
            let time = Timestamp(milliseconds: latest)
            return (.tooEarly, "the learner bought something later, at \(time); a purchase must not be before that")
        case .limitReached(let bought, let limit):
            return (.limitReached, "at most \(limit) may be bought, and the learner has bought \(bought)")
        case .insufficientBalance(let currency, let balance, let price):
            let (price, balance) = (Int(whole: price), Int(whole: balance))
            let missing = price - balance
            let message = "the price is \(price) \(currency), the balance is \(balance): \(missing) are missing"
            return (.insufficientBalance, message)
        }
    }
}
