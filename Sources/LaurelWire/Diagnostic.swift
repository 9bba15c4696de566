// SPDX-License-Identifier: Apache-2.0

/// An error or a warning about a file that people write: rules, a report or a mapping.
public struct Diagnostic: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// The file cannot be used until it is corrected.
        case error
        /// The content is valid, but probably not what was intended.
        case warning
    }

    /// The severity.
    public var severity: Severity
    /// The name of the file, as given.
    public var file: String
    /// The line in the file, from 1.
    public var line: Int
    /// The column in characters (Unicode code points), from 1.
    public var column: Int
    /// The column after the last marked character. It equals `column` if only the start is known, or if the marked part
    /// continues on the next line.
    public var endColumn: Int
    /// The mistake and its correction, including the suggestion.
    public var message: String
    /// The nearest valid name alone, for an editor's quick fix; nil if there is none.
    public var suggestion: String?
    /// The line of the file; nil if it is unknown, and in decoded diagnostics.
    public var excerpt: SourceExcerpt?

    /// Creates a diagnostic; see the properties for the parameters.
    public init(
        _ severity: Severity,
        file: String,
        line: Int,
        columns: Range<Int>,
        _ message: String,
        suggestion: String? = nil,
        excerpt: SourceExcerpt? = nil
    ) {
        (self.severity, self.message, self.suggestion) = (severity, message, suggestion)
        (self.file, self.line, self.excerpt) = (file, line, excerpt)
        (column, endColumn) = (columns.lowerBound, columns.upperBound)
    }

    /// The text `FILE:LINE:COLUMN: error: MESSAGE`, in the form that editors and terminals make clickable.
    public var description: String {
        "\(file):\(line):\(column): \(severity.rawValue): \(message)"
    }

    private enum CodingKeys: CodingKey {
        case severity, file, line, column, endColumn, message, suggestion
    }
}

/// A line of a file with a marked part. For a very long line, it contains only the part around the mark.
public struct SourceExcerpt: Sendable, Hashable {
    /// The text, without the line break.
    public var text: String
    /// The marked range, in code points of `text`; empty if only its start is known.
    public var mark: Range<Int>
    /// True if the beginning of the line is missing from `text`.
    public var isCutBefore: Bool
    /// True if the end of the line is missing from `text`.
    public var isCutAfter: Bool

    /// Creates an excerpt; see the properties for the parameters.
    public init(text: String, mark: Range<Int>, isCutBefore: Bool, isCutAfter: Bool) {
        (self.text, self.mark) = (text, mark)
        (self.isCutBefore, self.isCutAfter) = (isCutBefore, isCutAfter)
    }
}
