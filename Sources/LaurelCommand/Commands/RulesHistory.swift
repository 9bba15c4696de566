import Laurel
import LaurelEvents
import LaurelRules
import LaurelStore

extension Command {
    static let rulesHistory = Command(
        "rules history",
        "Every version of the rules that was applied, and what it changed",
        details: """
            Versions are in force from the beginning, or from a local day on; those that others replaced, and
            those that were withdrawn, are not any more. To go back, apply an old one:
            `laurel rules apply --version 2`.
            """,
        options: [.store, .json],
        example: "laurel rules history --store school.db"
    ) { try RulesHistoryCommand(arguments: $0, console: $1).run() }

    static let rulesShow = Command(
        "rules show",
        "The rules as they were applied, byte for byte",
        operand: Operand("VERSION", .atMostOne, "its number, as with --version"),
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
            for applied in history { try list.add { write(applied, to: &$0) } }
            try list.finish()
            return .done
        }
        for (index, applied) in history.enumerated() {
            if index > 0 { try console.output.writeLine() }
            let from = applied.record.from.map { " from \($0)" } ?? ""
            let mark = applied.isInForce ? ", in force\(from)" : from.isEmpty ? "" : ", was to be in force\(from)"
            let head = "version \(applied.record.version)  “\(Visible.text(applied.record.name))”"
            try console.output.writeLine(console.style.paint(head, .bold) + mark)
            try console.output.writeLine("  applied \(TimeText.minute(applied.record.appliedAt)) UTC")
            try console.output.writeLine("  hash    \(applied.record.hash)")
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

    private func write(_ applied: AppliedRules, to json: inout JSONText) {
        json.member("version", applied.record.version)
        json.member("name", applied.record.name)
        json.member("hash", applied.record.hash)
        json.member("appliedAt", instant: applied.record.appliedAt)
        json.member("inForce", applied.isInForce)
        json.member("from", applied.record.from?.description)
        json.list("changes", applied.changes ?? []) { $0.write($1) }
        json.member("problem", applied.problem)
    }
}

private struct RulesShowCommand {
    static let version = CommandOption("version", "N", "its number in `laurel rules history` (default: the latest)")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let number = arguments.text(Self.version) ?? arguments.operands.first
        let version = try number.map { try RulesChoice.version($0, arguments) }
        let record = try RulesChoice.record(version, engine)
        let output = try arguments.output(console, isPersonal: false)
        if arguments.has(.json) {
            try output.writeJSON { json in
                json.member("version", record.version)
                json.member("name", record.name)
                json.member("hash", record.hash)
                json.member("appliedAt", instant: record.appliedAt)
                json.member("from", record.from?.description)
                json.member("source", String(decoding: record.source, as: UTF8.self))
            }
        } else {
            try output.write(record.source)
        }
        try output.finish()
        return .done
    }
}

extension JSONText {
    /// One thing in which two rule sets differ.
    mutating func write(_ change: RulesChange) {
        member("part", change.part.rawValue)
        member("id", change.id)
        member("key", change.key)
        member("kind", change.kind.rawValue)
        member("before", change.before)
        member("after", change.after)
        member("statement", change.statement)
        member("noEffect", change.noEffect)
    }
}
