// SPDX-License-Identifier: Apache-2.0

public import LaurelYAML

/// Thrown where a rules file cannot be used: every mistake in it, in the order of the file.
public struct RulesError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one error; the file's warnings are among them.
    public let diagnostics: [Diagnostic]

    package init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
