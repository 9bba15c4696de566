// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The result of a test in a rules file.
public struct RuleTestResult: Codable, Sendable, Hashable {
    /// One value that the test expects.
    public struct Outcome: Codable, Sendable, Hashable {
        /// The path of the value, as in the file: `xpBreakdown.line`.
        public var path: String
        /// The line of the expectation in the file, from 1.
        public var line: Int
        /// The column of the expectation in the file, in characters from 1.
        public var column: Int
        /// The value that the test expects.
        public var expected: ExplainedExpression.Value
        /// The actual value; ``ExplainedExpression/Value/null`` also if progress has no such value.
        public var got: ExplainedExpression.Value
        /// True if the actual value is the expected value.
        public var passed: Bool
        /// The error; nil if the outcome passed. The JSON leaves it out, because the document lists all diagnostics.
        public var diagnostic: Diagnostic?
        /// True if progress has such a value. The JSON leaves it out, so it is true in a decoded outcome.
        public var isKnown = true

        /// Creates a value, for previews and tests.
        public init(
            path: String,
            line: Int,
            column: Int,
            expected: ExplainedExpression.Value,
            got: ExplainedExpression.Value,
            passed: Bool
        ) {
            (self.path, self.line, self.column) = (path, line, column)
            (self.expected, self.got, self.passed) = (expected, got, passed)
        }

        private enum CodingKeys: CodingKey {
            case path, line, column, expected, got, passed
        }
    }

    /// The rules file.
    public var file: String
    /// The line of the test in the file, from 1.
    public var line: Int
    /// The column of the test in the file, in characters from 1.
    public var column: Int
    /// The test's name.
    public var name: String
    /// True if every expectation was met.
    public var passed = true
    /// The outcomes in the order of the file; empty if the test could not run.
    public var outcomes: [Outcome] = []
    /// The reason why the test could not run, such as a refused event or a missing track; nil if it ran. The JSON
    /// leaves it out, because the document lists all diagnostics.
    public var obstacle: Diagnostic?

    /// Creates a value, for previews and tests.
    public init(file: String, line: Int, column: Int, name: String) {
        (self.file, self.line, self.column, self.name) = (file, line, column, name)
    }

    /// The reason why the test could not run; if it ran, the diagnostics of its failed expectations.
    public var diagnostics: [Diagnostic] { obstacle.map { [$0] } ?? outcomes.compactMap(\.diagnostic) }

    private enum CodingKeys: String, CodingKey {
        case file, line, column, name, passed
        case outcomes = "expected"
    }
}

extension ExplainedExpression.Value {
    /// The value as JSON.
    package var json: String {
        let output = JSONOutput()
        switch self {
        case .null: output.writeNull()
        case .number(let number): output.write(number)
        case .boolean(let value): output.write(value)
        case .text(let text): output.write(text)
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}

/// The results of the tests in rules files.
public struct RuleTestReport: Codable, Sendable, Hashable {
    /// The tests in the order of their files.
    public var tests: [RuleTestResult]
    /// The number of passed tests.
    public var passed: Int
    /// The number of failed tests.
    public var failed: Int
    /// The diagnostics of the tests, of files that cannot be used, and of rules that no test covers.
    public var diagnostics: [Diagnostic]

    /// - Parameter others: diagnostics that are not about a test's result.
    public init(_ tests: [RuleTestResult], others: [Diagnostic] = []) {
        self.tests = tests
        passed = tests.count(where: \.passed)
        failed = tests.count - passed
        diagnostics = tests.flatMap(\.diagnostics) + others
    }
}

/// The result of checking rules.
public struct RulesCheck: Codable, Sendable, Hashable {
    /// Errors, warnings and failed tests.
    public var diagnostics: [Diagnostic]
    /// The number of tests run.
    public var tests: Int
    /// The number of failed tests.
    public var failedTests: Int

    /// Creates a value, for previews and tests.
    public init(diagnostics: [Diagnostic] = [], tests: Int = 0, failedTests: Int = 0) {
        (self.diagnostics, self.tests, self.failedTests) = (diagnostics, tests, failedTests)
    }

    /// The number of errors, failed tests included.
    public var errors: Int { diagnostics.count { $0.severity == .error } }
    /// The number of warnings.
    public var warnings: Int { diagnostics.count - errors }

    /// Adds the result of checking another file.
    public static func += (one: inout RulesCheck, other: RulesCheck) {
        one.diagnostics += other.diagnostics
        one.tests += other.tests
        one.failedTests += other.failedTests
    }
}
