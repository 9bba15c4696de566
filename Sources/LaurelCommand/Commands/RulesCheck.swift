import Laurel
import LaurelRules
import LaurelYAML

extension Command {
    static let rulesCheck = Command(
        "rules check",
        "Checks rules and runs the tests they carry",
        details: """
            Mistakes come as FILE:LINE:COLUMN: …, the form that editors make clickable,
            with the line and what would be right. Warnings are about what can never
            matter; they fail the check only with --strict. With --from, they tell what is
            over before these rules would be in force.
            """,
        operand: RulesFiles.operand,
        options: [RulesCheckCommand.strict, RulesCheckCommand.from, .json],
        example: "laurel rules check Rules/"
    ) { try RulesCheckCommand(arguments: $0, console: $1).run() }
}

private struct RulesCheckCommand {
    static let strict = CommandOption("strict", nil, "fail on warnings, too")

    static let from = CommandOption(RulesChoice.from.name, "DATE", "they are to be in force from this local day on")

    let arguments: Arguments
    let console: Console

    /// What was found.
    private struct Findings {
        var diagnostics: [Diagnostic] = []
        var tests = 0
        var failedTests = 0
        /// Failed tests included.
        var errors: Int { diagnostics.count { $0.severity == .error } }
        var warnings: Int { diagnostics.count - errors }

        func isSound(strict: Bool) -> Bool { strict ? diagnostics.isEmpty : errors == 0 }
    }

    func run() throws -> ExitStatus {
        let isStrict = arguments.has(RulesCheckCommand.strict)
        let files = try RulesFiles.find(arguments.operands)
        var sum = Findings()
        for file in files {
            let findings = try check(file)
            if !arguments.has(.json) {
                for diagnostic in findings.diagnostics {
                    try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
                }
                if findings.isSound(strict: isStrict) {
                    try console.output.writeLine("\(file): ok, \(Numbers.count(findings.tests, "test")) passed")
                }
            }
            sum.diagnostics += findings.diagnostics
            sum.tests += findings.tests
            sum.failedTests += findings.failedTests
        }
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                json.diagnostics(sum.diagnostics)
                json.member("tests", sum.tests)
                json.member("failedTests", sum.failedTests)
            }
        }
        try console.output.flush()
        let counts = [
            Numbers.count(files.count, "file"), Numbers.count(sum.errors, "error"),
            Numbers.count(sum.warnings, "warning"), Numbers.count(sum.tests, "test"),
            "\(Numbers.grouped(sum.failedTests)) failed",
        ]
        console.message(counts.joined(separator: ", "))
        return sum.isSound(strict: isStrict) ? .done : .incomplete
    }

    private func check(_ file: String) throws -> Findings {
        let rules: RuleSet
        do {
            rules = try ProgressEngine.loadRules(file: file)
        } catch let error as RulesError {
            return Findings(diagnostics: error.diagnostics)
        }
        let results = ProgressEngine.runTests(of: rules)
        let periods = try RulesChoice.day(arguments).map(rules.warnings(inForceFrom:)) ?? []
        return Findings(
            diagnostics: rules.warnings + periods + results.flatMap(\.diagnostics),
            tests: results.count,
            failedTests: results.count { !$0.passed }
        )
    }
}
