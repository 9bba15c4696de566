// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The outcome of a test that a rules file carries.
public struct RuleTestResult: Codable, Sendable, Hashable {
    /// A value of progress, as a test may expect it.
    public enum Value: Sendable, Hashable {
        /// Nothing, such as a field that an event lacks.
        case null
        /// A number; times and days are numbers, too.
        case number(Double)
        /// Whether something holds.
        case boolean(Bool)
        /// Text.
        case text(String)
    }

    /// One value that the test expects.
    public struct Outcome: Codable, Sendable, Hashable {
        /// As in the file: `xpBreakdown.line`.
        public var path: String
        /// Where the file says so; lines, and columns in characters, from 1.
        public var line: Int
        /// Counted from 1.
        public var column: Int
        /// What the test says.
        public var expected: Value
        /// ``Value/null`` where there is no such value, too.
        public var got: Value
        /// Whether both are equal.
        public var passed: Bool
        /// What is wrong; nil if nothing is. Not in JSON, where the document lists all.
        public var diagnostic: Diagnostic?
        /// Whether there is such a value. Not in JSON: true in what was decoded.
        public var isKnown = true

        /// Creates one, for previews and tests.
        public init(path: String, line: Int, column: Int, expected: Value, got: Value, passed: Bool) {
            (self.path, self.line, self.column) = (path, line, column)
            (self.expected, self.got, self.passed) = (expected, got, passed)
        }

        private enum CodingKeys: CodingKey {
            case path, line, column, expected, got, passed
        }
    }

    /// The rules file.
    public var file: String
    /// Where the file has it; lines, and columns in characters, from 1.
    public var line: Int
    /// Counted from 1.
    public var column: Int
    /// The test's name.
    public var name: String
    /// Whether all that it expects came out.
    public var passed = true
    /// In the order of the file; empty if the test could not run.
    public var outcomes: [Outcome] = []
    /// Why the test could not run: an event is refused, or there is no such track. Not in JSON, where the document lists all.
    public var obstacle: Diagnostic?

    /// Creates one, for previews and tests.
    public init(file: String, line: Int, column: Int, name: String) {
        (self.file, self.line, self.column, self.name) = (file, line, column, name)
    }

    /// What failed, each where the file says otherwise.
    public var diagnostics: [Diagnostic] { obstacle.map { [$0] } ?? outcomes.compactMap(\.diagnostic) }

    private enum CodingKeys: String, CodingKey {
        case file, line, column, name, passed
        case outcomes = "expected"
    }
}

extension RuleTestResult.Value: Codable, CustomStringConvertible {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .boolean(let value): try container.encode(value)
        case .text(let text): try container.encode(text)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// As JSON.
    public var description: String {
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

/// What came of the tests that rules files carry.
public struct RuleTestReport: Codable, Sendable, Hashable {
    /// In the order of the file.
    public var tests: [RuleTestResult]
    /// How many of them passed, and how many did not.
    public var passed: Int
    /// How many tests failed.
    public var failed: Int
    /// What failed, why files cannot be used, and what no test notices missing.
    public var diagnostics: [Diagnostic]

    /// - Parameter others: besides those of the tests.
    public init(_ tests: [RuleTestResult], others: [Diagnostic] = []) {
        self.tests = tests
        passed = tests.count(where: \.passed)
        failed = tests.count - passed
        diagnostics = tests.flatMap(\.diagnostics) + others
    }

    private enum CodingKeys: CodingKey {
        case tests, passed, failed, diagnostics
    }
}

/// What a check of rules found.
public struct RulesCheck: Codable, Sendable, Hashable {
    /// Mistakes, warnings, and what failed in tests.
    public var diagnostics: [Diagnostic]
    /// How many tests were run, and how many of them failed.
    public var tests: Int
    /// How many of them failed.
    public var failedTests: Int

    /// Creates one, for previews and tests.
    public init(diagnostics: [Diagnostic] = [], tests: Int = 0, failedTests: Int = 0) {
        (self.diagnostics, self.tests, self.failedTests) = (diagnostics, tests, failedTests)
    }

    /// Failed tests included.
    public var errors: Int { diagnostics.count { $0.severity == .error } }
    /// How many warnings there are.
    public var warnings: Int { diagnostics.count - errors }

    /// Those of another file, too.
    public static func += (one: inout RulesCheck, other: RulesCheck) {
        one.diagnostics += other.diagnostics
        one.tests += other.tests
        one.failedTests += other.failedTests
    }
}
