// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesHistory = Command(
        "rules history",
        "Lists every applied version of the rules, with its changes",
        details: """
            A version is in force from the beginning or from a local day on, until another version
            replaces it. A withdrawn version is not in force. To go back, apply an old version
            again: `laurel rules apply --version 2`.
            """,
        options: [.store, .json],
        example: "laurel rules history --store school.db"
    ) { try RulesHistoryCommand(arguments: $0, console: $1).run() }

    static let rulesShow = Command(
        "rules show",
        "Prints a version of the rules, byte for byte",
        operand: Operand("VERSION", .atMostOne, "the version's number, as with --version", completes: .rulesVersions),
        options: [.store, .json, .out, RulesShowCommand.version],
        example: "laurel rules show --version 2 > old.yaml"
    ) { try RulesShowCommand(arguments: $0, console: $1).run() }
}

private struct RulesHistoryCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let history = try arguments.openForReading().rulesHistory()
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for applied in history { try list.add(applied) }
            try list.finish()
            return .done
        }
        for (index, applied) in history.enumerated() {
            if index > 0 { try console.output.writeLine() }
            let from = applied.from.map { " from \($0)" } ?? ""
            let mark = applied.isInForce ? ", in force\(from)" : from.isEmpty ? "" : ", was to be in force\(from)"
            let head = "version \(applied.version)  “\(Visible.text(applied.name))”"
            try console.output.writeLine(console.style.paint(head, .bold) + mark)
            try console.output.writeLine("  applied \(TimeText.minute(applied.appliedAt)) UTC")
            try console.output.writeLine("  hash    \(applied.hash)")
            for sentence in sentences(applied, isFirst: index == 0) {
                try console.output.writeLine("  - \(Visible.text(sentence))")
            }
        }
        try console.output.flush()
        console.message(Numbers.count(history.count, "version"))
        return .done
    }

    private func sentences(_ applied: AppliedRules, isFirst: Bool) -> [String] {
        if let problem = applied.problem { return ["this program cannot read it: \(problem)"] }
        guard let changes = applied.changes else {
            return isFirst ? [] : ["the version before it cannot be read, so what changed cannot be said"]
        }
        return changes.isEmpty ? ["the same rules, written differently"] : changes.map(\.statement)
    }
}

private struct RulesShowCommand {
    static let version = CommandOption(
        "version",
        "N",
        "the number in `laurel rules history` (default: the latest)",
        completes: .rulesVersions
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let number = arguments.text(Self.version) ?? arguments.operands.first
        let version = try number.map { try RulesChoice.version($0, arguments) }
        let record = try RulesChoice.record(version, engine)
        let output = try arguments.output(console, isPersonal: false)
        if arguments.has(.json) {
            try output.writeJSON(record)
        } else {
            try output.write(record.source)
        }
        try output.finish()
        return .done
    }
}
