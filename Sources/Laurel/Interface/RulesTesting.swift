// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelRules
public import LaurelWire
import LaurelYAML

/// The tests that rules carry.
extension Rules {
    /// Runs the tests of the file, in its order, as `laurel rules test` does.
    /// - Parameter text: only those whose name holds this text, in any case; nil for all.
    /// - Complexity: O(events of the tests).
    public func runTests(named text: String? = nil) -> [RuleTestResult] {
        let text = text?.lowercased()
        return ProgressEngine.runTests(of: ruleSet) { text.map($0.name.lowercased().contains) ?? true }
    }

    /// The parts of the rules that no test notices missing, each an error at its place, in the order of the file. What is not
    /// covered may be wrong without any test failing.
    ///
    /// All tests must pass with the rules as they are.
    /// - Complexity: O(parts × tests); a part costs the tests up to the first that notices.
    public func uncoveredParts() -> [Diagnostic] {
        ProgressEngine.uncoveredParts(of: ruleSet).map { part in
            Diagnostic(.error, at: part.place, "no test notices without \(part.phrase)")
        }
    }

    /// Warnings, and what comes of the tests.
    /// - Parameter day: from which the rules are to be in force: there are warnings of what is over before it. nil for the
    ///   whole of time.
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
