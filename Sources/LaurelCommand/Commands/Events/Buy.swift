// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let buy = Command(
        "buy",
        "Buys an item for a learner, if the balance is enough",
        operand: Operand("LEARNER", .two, "the learner's id, and the item as the rules name it", second: "ITEM"),
        options: [.store, BuyCommand.count, BuyCommand.id, BuyCommand.at, .json],
        example: "laurel buy anna full_hearts"
    ) { try BuyCommand(arguments: $0, console: $1).run() }
}

private struct BuyCommand {
    static let count = CommandOption("count", "N", "how many, 1 to 1000 (default: 1)")
    static let id = CommandOption("id", "ID", "the purchase's id, to send it again safely (default: a random one)")
    static let at = CommandOption("at", "TIME", "the time of the purchase, RFC 3339 (default: now)")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let item = arguments.operands[1]
        var purchase = Purchase(of: item, by: arguments.operands[0])
        if let count = try arguments.number(Self.count, in: 1...1000) { purchase.count = count }
        if let id = arguments.text(Self.id) { purchase.id = id }
        if let at = try arguments.instant(Self.at) { purchase.time = at }
        purchase.actor = System.actor
        let engine = try arguments.openForWriting(clock: Date())
        let receipt: PurchaseReceipt
        do throws(EngineError) {
            receipt = try engine.buy(purchase)
        } catch {
            guard [.insufficientBalance, .limitReached, .tooEarly].contains(error.code) else { throw error }
            throw CommandFailure(.incomplete, error.message)
        }
        if arguments.has(.json) {
            try console.output.writeJSON(receipt)
        } else {
            let balances = receipt.progress.balances ?? [:]
            let held = balances.map { "\(Int($0.value)) \(Visible.text($0.name))" }.joined(separator: ", ")
            let before = receipt.isDuplicate ? " was bought before" : " is bought"
            try console.output.writeLine("\(receipt.count) × “\(Visible.text(item))”\(before); balances: \(held)")
        }
        return .done
    }
}
