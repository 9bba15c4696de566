// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesDiff = Command(
        "rules diff",
        "Compares learners' progress under other rules; writes nothing",
        details: """
            Folds the events of all learners under both rule sets. --sample folds only some
            learners, always the same ones, and gives the uncertainty of its estimates. With --from,
            the other rules are in force from that local day on.
            """,
        operand: RulesChoice.operand,
        options: [
            .store, .rules, .at, .json, RulesDiffCommand.csv, .limit, RulesDiffCommand.sample, RulesDiffCommand.all,
            RulesChoice.version, RulesChoice.from, .out,
        ],
        example: "laurel rules diff new-rules.yaml --store school.db"
    ) { try RulesDiffCommand(arguments: $0, console: $1).run() }
}

private struct RulesDiffCommand {
    static let csv = CommandOption("csv", nil, "print a line per learner and track, for spreadsheets")
    static let sample = CommandOption("sample", "N", "compare only this many learners, and estimate the rest")
    static let all = CommandOption("all", nil, "with --json and --csv: also list learners without a change")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        if arguments.has(.json), arguments.has(Self.csv) {
            throw UsageError("--json and --csv are two forms; give one", command: arguments.command)
        }
        let engine = try arguments.openForReading()
        let choice = try RulesChoice(arguments, engine)
        let from = try RulesChoice.day(arguments)
        var options = DiffOptions(at: try arguments.at())
        options.sample = try arguments.number(Self.sample, in: 1...Int.max)
        options.listsAll = arguments.has(Self.all)
        let diff = try console.withProgress("events") { line in
            try engine.diff(choice.rules, from: from, options: options) { line.show($0) }
        }
        let output = try arguments.output(console)
        if arguments.has(.json) {
            try output.writeJSON(diff)
        } else if arguments.has(Self.csv) {
            try DiffCSV.write(diff, to: output)
        } else {
            let limit = try arguments.limit() ?? DiffReport.defaultLimit
            let report = DiffReport(diff: diff, style: arguments.has(.out) ? .plain : console.style)
            let title = "“\(engine.latestRules.name)” → \(choice.title(from))"
            try report.write(to: output, title: title, limit: limit)
        }
        try output.finish()
        return .done
    }
}

extension ProgressLine {
    /// Shows the progress of a replay.
    func show(_ progress: ReplayProgress) {
        show(progress.events, share: Double(progress.learnersDone) / Double(max(progress.learnersTotal, 1)))
    }
}
