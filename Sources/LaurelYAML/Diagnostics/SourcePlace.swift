/// A place in a file, and the line it is in.
package struct SourcePlace: Sendable, Equatable {
    package let file: String
    /// Both counted from 1; columns in characters (Unicode code points).
    package let line: Int
    package let column: Int
    /// The column after its last character in that line.
    package let endColumn: Int
    package let excerpt: SourceExcerpt
}

/// A line of a file with something in it marked. Of a very long line, the part around the mark.
public struct SourceExcerpt: Sendable, Equatable {
    /// Without the line's end.
    public let text: String
    /// What is marked, in code points of `text`; empty where only its start is known.
    public let mark: Range<Int>
    /// Whether the line starts before, or goes on after, `text`.
    public let isCutBefore: Bool
    public let isCutAfter: Bool
}
