// SPDX-License-Identifier: Apache-2.0

/// A range in a file, with the text of its first line.
package struct SourcePosition: Sendable, Equatable {
    package let file: String
    /// The line and the column, both counted from 1. Columns count characters (Unicode code points).
    package let line: Int
    package let column: Int
    /// The column after the last character of the range in its first line.
    package let endColumn: Int
    package let excerpt: SourceExcerpt
}
