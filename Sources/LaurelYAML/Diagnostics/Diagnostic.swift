// SPDX-License-Identifier: Apache-2.0

// Readers of files that people write report mistakes with this module's `Diagnostic`.
@_exported public import LaurelWire

extension Diagnostic {
    package init(
        _ severity: Severity,
        at place: SourcePlace,
        _ message: String,
        suggestion: String? = nil
    ) {
        self.init(
            severity,
            file: place.file,
            line: place.line,
            columns: place.column..<place.endColumn,
            message,
            suggestion: suggestion,
            excerpt: place.excerpt
        )
    }
}
