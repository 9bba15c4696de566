// SPDX-License-Identifier: Apache-2.0

// Modules that read files written by people report mistakes with `Diagnostic`. They need to import only this module.
@_exported public import LaurelWire

extension Diagnostic {
    package init(
        _ severity: Severity,
        at position: SourcePosition,
        _ message: String,
        suggestion: String? = nil
    ) {
        self.init(
            severity,
            file: position.file,
            line: position.line,
            columns: position.column..<position.endColumn,
            message,
            suggestion: suggestion,
            excerpt: position.excerpt
        )
    }
}
