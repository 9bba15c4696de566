// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesCheck = Command(
        "rules check",
        "Checks rules, and runs their tests",
        details: """
            A mistake is printed as FILE:LINE:COLUMN: …, which editors make clickable, with the line
            and the correction. A warning is about code that can never have an effect. With
            --strict, warnings fail the check. With --from, there is a warning for each period that
            ends before that day.
            """,
        operand: RulesFiles.operand,
        options: [RulesCheckCommand.strict, RulesCheckCommand.from, .json],
        example: "laurel rules check Rules/"
    ) { try RulesCheckCommand(arguments: $0, console: $1).run() }
}

private struct RulesCheckCommand {
    static let strict = CommandOption("strict", nil, "fail on warnings, too")

    static let from = CommandOption(RulesChoice.from.name, "DATE", "check for rules in force from this local day on")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let files = try RulesFiles.find(arguments.operands)
        var sum = RulesCheck()
        for file in files {
            let findings = try check(file)
            if !arguments.has(.json) {
                for diagnostic in findings.diagnostics {
                    try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
                }
                if isValid(findings) {
                    try console.output.writeLine("\(file): ok, \(Numbers.count(findings.tests, "test")) passed")
                }
            }
            sum += findings
        }
        if arguments.has(.json) { try console.output.writeJSON(sum) }
        try console.output.flush()
        let counts = [
            Numbers.count(files.count, "file"), Numbers.count(sum.errors, "error"),
            Numbers.count(sum.warnings, "warning"), Numbers.count(sum.tests, "test"),
            "\(Numbers.grouped(sum.failedTests)) failed",
        ]
        console.message(counts.joined(separator: ", "))
        return isValid(sum) ? .done : .incomplete
    }

    private func isValid(_ findings: RulesCheck) -> Bool {
        arguments.has(Self.strict) ? findings.diagnostics.isEmpty : findings.errors == 0
    }

    private func check(_ file: String) throws -> RulesCheck {
        let rules: Rules
        do throws(EngineError) {
            rules = try Rules(path: file)
        } catch {
            guard error.code == .invalidRules else { throw error }
            return RulesCheck(diagnostics: error.diagnostics)
        }
        return rules.check(inForceFrom: try RulesChoice.day(arguments))
    }
}
