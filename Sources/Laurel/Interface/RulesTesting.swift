// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelRules
public import LaurelWire
import LaurelYAML

/// The tests in a rules file.
extension Rules {
    /// Runs the tests of the file, in its order, like `laurel rules test`.
    /// - Parameter text: only tests whose name contains this text, in any case; nil for all.
    /// - Complexity: O(events of the tests).
    public func runTests(named text: String? = nil) -> [RuleTestResult] {
        let text = text?.lowercased()
        return ProgressEngine.runTests(of: ruleSet) { text.map($0.name.lowercased().contains) ?? true }
    }

    /// The parts of the rules that can be removed without any test failing, in the order of the file. Each part is
    /// reported as an error at its position, because no test would find a mistake in it.
    /// All tests must pass with the unchanged rules.
    /// - Complexity: O(parts × tests); for each part, tests run up to the first failure.
    public func uncoveredParts() -> [Diagnostic] {
        ProgressEngine.uncoveredParts(of: ruleSet).map { part in
            Diagnostic(.error, at: part.position, "no test notices without \(part.phrase)")
        }
    }

    /// The warnings, and the results of the tests.
    /// - Parameter day: the first day on which the rules are to be in force, or nil for all time. Periods that end
    ///   before that day get a warning.
    /// - Complexity: O(events of the tests).
    public func check(inForceFrom day: LocalDay? = nil) -> RulesCheck {
        let results = runTests()
        let periods = day.map(warnings(inForceFrom:)) ?? []
        return RulesCheck(
            diagnostics: warnings + periods + results.flatMap(\.diagnostics),
            tests: results.count,
            failedTests: results.count { !$0.passed }
        )
    }
}
