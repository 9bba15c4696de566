// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesWithdraw = Command(
        "rules withdraw",
        "Cancels a version of the rules that has not started yet",
        operand: Operand("DATE", .one, "the day from which the version would be in force"),
        options: [.store, .json],
        example: "laurel rules withdraw 2099-12-24"
    ) { try RulesWithdrawCommand(arguments: $0, console: $1).run() }
}

private struct RulesWithdrawCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let text = arguments.operands[0]
        guard let day = LocalDay(parsing: text.utf8) else {
            throw UsageError(
                "\(arguments.command): “\(Visible.text(text))” is not a date, such as 2026-12-24",
                command: arguments.command
            )
        }
        let engine = try arguments.openForApplying()
        var options = ApplyOptions(appliedAt: System.date())
        options.actor = System.actor
        let report = try console.withProgress("events") { line in
            try engine.withdraw(from: day, options: options) { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            try console.output.writeLine(
                "the version from \(day) is withdrawn; version \(report.version) is the latest now"
            )
        }
        return .done
    }
}
