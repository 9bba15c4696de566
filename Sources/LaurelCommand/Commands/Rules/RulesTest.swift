// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesTest = Command(
        "rules test",
        "Runs the tests of rules, and shows expected and actual numbers",
        details: """
            --coverage also removes one piece of the rules at a time, and lists each piece without
            which all tests still pass.
            """,
        operand: RulesFiles.operand,
        options: [RulesTestCommand.name, RulesTestCommand.coverage, .json],
        example: "laurel rules test Rules/starter.yaml --name scenario"
    ) { try RulesTestCommand(arguments: $0, console: $1).run() }
}

private struct RulesTestCommand {
    static let name = CommandOption("name", "TEXT", "only tests whose name contains this text, in any case")
    static let coverage = CommandOption("coverage", nil, "list the parts that no test needs; fail if there are any")

    let arguments: Arguments
    let console: Console

    /// The results of one file's tests.
    private struct Outcome {
        let file: String
        var results: [RuleTestResult] = []
        /// The reasons why the file cannot be used.
        var mistakes: [Diagnostic] = []
        /// The parts of the rules that no test covers.
        var uncovered: [Diagnostic] = []
    }

    func run() throws -> ExitStatus {
        if arguments.has(RulesTestCommand.name), arguments.has(RulesTestCommand.coverage) {
            throw UsageError("--coverage is about all tests: it cannot stand with --name", command: arguments.command)
        }
        let outcomes = try RulesFiles.find(arguments.operands).map(run)
        let results = outcomes.flatMap(\.results)
        let mistakes = outcomes.flatMap(\.mistakes)
        let uncovered = outcomes.flatMap(\.uncovered)
        if arguments.has(RulesTestCommand.name), results.isEmpty, mistakes.isEmpty {
            throw arguments.wrong(RulesTestCommand.name, "is in no test's name")
        }
        if arguments.has(.json) {
            let others = outcomes.flatMap { $0.mistakes + $0.uncovered }
            try console.output.writeJSON(RuleTestReport(results, others: others))
        } else {
            for outcome in outcomes { try write(outcome) }
        }
        try console.output.flush()
        let failed = results.count { !$0.passed }
        var counts = [
            Numbers.count(outcomes.count, "file"), Numbers.count(results.count, "test"),
            "\(Numbers.grouped(results.count - failed)) passed", "\(Numbers.grouped(failed)) failed",
        ]
        if !mistakes.isEmpty { counts.append(Numbers.count(mistakes.count, "error")) }
        if arguments.has(RulesTestCommand.coverage) { counts.append("\(Numbers.grouped(uncovered.count)) not covered") }
        console.message(counts.joined(separator: ", "))
        return failed == 0 && mistakes.isEmpty && uncovered.isEmpty ? .done : .incomplete
    }

    private func run(_ file: String) throws -> Outcome {
        var outcome = Outcome(file: file)
        let rules: Rules
        do throws(EngineError) {
            rules = try Rules(path: file)
        } catch {
            guard error.code == .invalidRules else { throw error }
            outcome.mistakes = error.diagnostics.filter { $0.severity == .error }
            return outcome
        }
        outcome.results = rules.runTests(named: arguments.text(RulesTestCommand.name))
        if arguments.has(RulesTestCommand.coverage), outcome.results.allSatisfy(\.passed) {
            outcome.uncovered = rules.uncoveredParts()
        }
        return outcome
    }

    // MARK: Text output

    private func write(_ outcome: Outcome) throws {
        try console.output.writeLine(console.style.paint(outcome.file, .bold))
        for result in outcome.results { try write(result, of: outcome.file) }
        for diagnostic in outcome.mistakes + outcome.uncovered {
            try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
        }
    }

    private func write(_ result: RuleTestResult, of file: String) throws {
        let name = Visible.text(result.name)
        guard !result.passed else {
            try console.output.writeLine("  \(console.style.paint("ok", .green))      \(name)")
            return
        }
        try console.output.writeLine("  \(console.style.paint("FAILED", .red))  \(name)")
        for diagnostic in result.diagnostics {
            try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
        }
        guard !result.outcomes.isEmpty else { return }
        for line in difference(result) { try console.output.writeLine("    " + line) }
    }

    /// The expectations of a test, as a diff between expected and actual values.
    private func difference(_ result: RuleTestResult) -> [String] {
        result.outcomes.flatMap { outcome in
            let expected = Visible.text("\(outcome.path): \(outcome.expected.json)")
            guard !outcome.passed else { return ["  \(expected)"] }
            let got = Visible.text("\(outcome.path): \(outcome.isKnown ? outcome.got.json : "(no such value)")")
            return [console.style.paint("- \(expected)", .red), console.style.paint("+ \(got)", .green)]
        }
    }
}
