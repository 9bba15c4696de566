/// One thing wrong, or doubtful, in a file that people write: rules, a report, a mapping.
public struct Diagnostic: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Severity: String, Sendable {
        case error, warning
    }

    public let severity: Severity
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// In characters (Unicode code points), counted from 1.
    public let column: Int
    /// The column after the last character that is meant; `column` where only the start is known, or where what is meant
    /// goes on in the next line.
    public let endColumn: Int
    /// The line of the file; nil where it is not known.
    public let excerpt: SourceExcerpt?
    /// What is wrong and what would be right, the suggestion included.
    public let message: String
    /// The nearest right name on its own, for an editor's quick fix.
    public let suggestion: String?

    package init(
        _ severity: Severity,
        at place: SourcePlace,
        _ message: String,
        suggestion: String? = nil
    ) {
        self.severity = severity
        file = place.file
        line = place.line
        column = place.column
        endColumn = place.endColumn
        excerpt = place.excerpt
        self.message = message
        self.suggestion = suggestion
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE`, the form that editors and terminals make clickable.
    public var description: String {
        "\(file):\(line):\(column): \(severity.rawValue): \(message)"
    }
}
