import LaurelRules
package import LaurelYAML

/// The outcome of a test that a rules file carries.
package struct RuleTestResult: Sendable {
    /// One value that the test expects.
    package struct Outcome: Sendable {
        /// As in the file: `xpBreakdown.line`.
        package var path: String
        /// As JSON.
        package var expected: String
        /// As JSON; nil where there is no such value.
        package var got: String?
        package var passed: Bool
        /// Why there is no such value.
        package var problem: String?
        package var suggestion: String?
        package var place: SourcePlace
    }

    package var name: String
    package var place: SourcePlace
    /// In the order of the file; empty where the test could not run.
    package var outcomes: [Outcome] = []
    /// Why the test could not run: an event is refused, or there is no such track.
    package var obstacle: (message: String, place: SourcePlace)?

    package var passed: Bool { obstacle == nil && outcomes.allSatisfy(\.passed) }

    /// What failed, each where the file says otherwise.
    package var diagnostics: [Diagnostic] {
        let prefix = "test “\(name)”: "
        if let obstacle { return [Diagnostic(.error, at: obstacle.place, prefix + obstacle.message)] }
        return outcomes.filter { !$0.passed }.map { outcome in
            let message =
                outcome.problem
                ?? "`\(outcome.path)`: expected \(outcome.expected), got \(outcome.got ?? "nothing")"
            return Diagnostic(.error, at: outcome.place, prefix + message, suggestion: outcome.suggestion)
        }
    }
}
