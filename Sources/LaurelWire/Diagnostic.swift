// SPDX-License-Identifier: Apache-2.0

/// A mistake or a doubt in a file that people write: rules, a report, a mapping.
public struct Diagnostic: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// It has to be mended.
        case error
        /// It is doubtful, but may be meant.
        case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// The name of the file, as it was given.
    public var file: String
    /// The line in the file, from 1.
    public var line: Int
    /// The column in characters (Unicode code points), from 1.
    public var column: Int
    /// The column after the last character that is meant; `column` where only the start is known, or where what is meant
    /// goes on in the next line.
    public var endColumn: Int
    /// What is wrong and what would be right, the suggestion included.
    public var message: String
    /// The nearest right name on its own, for an editor's quick fix; nil if there is none.
    public var suggestion: String?
    /// The line of the file; nil where it is not known, and in what was decoded.
    public var excerpt: SourceExcerpt?

    /// Each property says what its parameter means.
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

    /// `FILE:LINE:COLUMN: error: MESSAGE`, the form that editors and terminals make clickable.
    public var description: String {
        "\(file):\(line):\(column): \(severity.rawValue): \(message)"
    }

    private enum CodingKeys: CodingKey {
        case severity, file, line, column, endColumn, message, suggestion
    }
}

/// A line of a file with something in it marked. Of a very long line, the part around the mark.
public struct SourceExcerpt: Sendable, Hashable {
    /// Without the line's end.
    public var text: String
    /// What is marked, in code points of `text`; empty where only its start is known.
    public var mark: Range<Int>
    /// True if the line starts before, or goes on after, `text`.
    public var isCutBefore: Bool
    /// True if the line goes on after it.
    public var isCutAfter: Bool

    /// Each property says what its parameter means.
    public init(text: String, mark: Range<Int>, isCutBefore: Bool, isCutAfter: Bool) {
        (self.text, self.mark) = (text, mark)
        (self.isCutBefore, self.isCutAfter) = (isCutBefore, isCutAfter)
    }
}
