// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesDiff = Command(
        "rules diff",
        "Compares learners' progress under other rules; writes nothing",
        details: """
            Folds the events of all learners under both rule sets. --sample folds only some
            learners, always the same ones, and gives the uncertainty of its estimates. With --from,
            the other rules are in force from that local day on. With --variant, the other rules
            see every learner in this variant; without NEW, they are the store's own.
            """,
        operand: RulesChoice.operand,
        options: [
            .store, .rules, .at, .json, RulesDiffCommand.csv, .limit, RulesDiffCommand.sample, RulesDiffCommand.all,
            RulesDiffCommand.variant, RulesChoice.version, RulesChoice.from, .out,
        ],
        example: "laurel rules diff new-rules.yaml --store school.db"
    ) { try RulesDiffCommand(arguments: $0, console: $1).run() }
}

private struct RulesDiffCommand {
    static let csv = CommandOption("csv", nil, "print a line per learner and track, for spreadsheets")
    static let sample = CommandOption("sample", "N", "compare only this many learners, and estimate the rest")
    static let all = CommandOption("all", nil, "with --json and --csv: also list learners without a change")
    static let variant = CommandOption(
        "variant",
        "experiments.NAME=VARIANT",
        "compare as if every learner were in this variant"
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        if arguments.has(.json), arguments.has(Self.csv) {
            throw UsageError("--json and --csv are two forms; give one", command: arguments.command)
        }
        let engine = try arguments.openForReading()
        var options = DiffOptions(at: try arguments.at())
        options.variant = try assumedVariant()
        let other = try otherRules(engine, options.variant)
        options.sample = try arguments.number(Self.sample, in: 1...Int.max)
        options.listsAll = arguments.has(Self.all)
        let diff = try console.withProgress("events") { line in
            try engine.diff(other.rules, from: other.from, options: options) { line.show($0) }
        }
        let output = try arguments.output(console)
        if arguments.has(.json) {
            try output.writeJSON(diff)
        } else if arguments.has(Self.csv) {
            try DiffCSV.write(diff, to: output)
        } else {
            let limit = try arguments.limit() ?? DiffReport.defaultLimit
            let report = DiffReport(diff: diff, style: arguments.has(.out) ? .plain : console.style)
            let title = "“\(engine.latestRules.name)” → \(other.title)"
            try report.write(to: output, title: title, limit: limit)
        }
        try output.finish()
        return .done
    }

    /// The rules that the arguments name. If the arguments name a variant and no rules, the store's own rules are used.
    private func otherRules(
        _ engine: ProgressEngine,
        _ variant: AssumedVariant?
    ) throws -> (rules: Rules, from: LocalDay?, title: String) {
        let everyone = variant.map { ", everyone in \($0)" } ?? ""
        guard variant != nil, arguments.operands.isEmpty, !arguments.has(RulesChoice.version) else {
            let (choice, from) = (try RulesChoice(arguments, engine), try RulesChoice.day(arguments))
            return (choice.rules, from, choice.title(from) + everyone)
        }
        if arguments.has(RulesChoice.from) {
            throw UsageError("--from needs other rules: a file, or --version", command: arguments.command)
        }
        return (Rules(engine.rules), engine.rulesBegin, "the same rules" + everyone)
    }

    private func assumedVariant() throws(UsageError) -> AssumedVariant? {
        guard let text = arguments.text(Self.variant) else { return nil }
        if let variant = AssumedVariant(text) { return variant }
        throw arguments.wrong(Self.variant, "does not have the form experiments.NAME=VARIANT")
    }
}

extension ProgressLine {
    /// Shows the progress of a replay.
    func show(_ progress: ReplayProgress) {
        show(progress.events, share: Double(progress.learnersDone) / Double(max(progress.learnersTotal, 1)))
    }
}
