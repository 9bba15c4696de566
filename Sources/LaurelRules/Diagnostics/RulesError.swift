// SPDX-License-Identifier: Apache-2.0

public import LaurelYAML

/// The error of an invalid rules file. It contains all mistakes, in the order of the file.
public struct RulesError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The errors (at least one) and the warnings about the file.
    public let diagnostics: [Diagnostic]

    package init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
