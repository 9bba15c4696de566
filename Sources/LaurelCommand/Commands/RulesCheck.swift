import Laurel
import LaurelEvents
import LaurelRules
import LaurelYAML

extension Command {
    static let rulesCheck = Command(
        "rules check",
        "Checks rules and runs the tests they carry",
        details: """
            Mistakes come as FILE:LINE:COLUMN: …, the form that editors make clickable.
            """,
        operand: Operand("FILE", .oneOrMore, "a rules file, YAML or JSON"),
        options: [.json],
        example: "laurel rules check Rules/bab-language.yaml"
    ) { try RulesCheckCommand(arguments: $0, console: $1).run() }
}

private struct RulesCheckCommand {
    let arguments: Arguments
    let console: Console

    /// What was found in one file.
    private struct Findings {
        var diagnostics: [Diagnostic] = []
        var tests = 0
        var failedTests = 0
        /// Failed tests included.
        var errors: Int { diagnostics.count { $0.severity == .error } }
    }

    func run() throws -> ExitStatus {
        var sum = Findings()
        for file in arguments.operands {
            let findings = try check(file)
            if !arguments.has(.json) {
                for diagnostic in findings.diagnostics { try console.output.writeLine("\(diagnostic)") }
                if findings.errors == 0 {
                    try console.output.writeLine("\(file): ok, \(Numbers.count(findings.tests, "test")) passed")
                }
            }
            sum.diagnostics += findings.diagnostics
            sum.tests += findings.tests
            sum.failedTests += findings.failedTests
        }
        if arguments.has(.json) { try writeJSON(sum) }
        try console.output.flush()
        let warnings = sum.diagnostics.count - sum.errors
        let counts = [
            Numbers.count(arguments.operands.count, "file"), Numbers.count(sum.errors, "error"),
            Numbers.count(warnings, "warning"), "\(Numbers.count(sum.tests, "test"))",
            "\(Numbers.grouped(sum.failedTests)) failed",
        ]
        console.message(counts.joined(separator: ", "))
        return sum.errors > 0 ? .incomplete : .done
    }

    private func check(_ file: String) throws -> Findings {
        let rules: RuleSet
        do {
            rules = try ProgressEngine.loadRules(file: file)
        } catch let error as RulesError {
            return Findings(diagnostics: error.diagnostics)
        }
        var findings = Findings(diagnostics: rules.warnings)
        for result in ProgressEngine.runTests(of: rules) {
            findings.tests += 1
            guard !result.passed else { continue }
            findings.failedTests += 1
            findings.diagnostics += result.failures.map { failure in
                Diagnostic(
                    .error,
                    file: file,
                    line: failure.line,
                    column: failure.column,
                    "test “\(result.name)”: \(failure.message)"
                )
            }
        }
        return findings
    }

    private func writeJSON(_ findings: Findings) throws {
        try console.output.writeJSON { json in
            json.list("diagnostics", findings.diagnostics) { json, diagnostic in
                json.member("severity", diagnostic.severity.rawValue)
                json.member("file", diagnostic.file)
                json.member("line", diagnostic.line)
                json.member("column", diagnostic.column)
                json.member("message", diagnostic.message)
                json.member("suggestion", diagnostic.suggestion)
            }
            json.member("tests", findings.tests)
            json.member("failedTests", findings.failedTests)
        }
    }
}
