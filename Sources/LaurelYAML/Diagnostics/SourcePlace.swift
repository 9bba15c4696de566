// SPDX-License-Identifier: Apache-2.0

/// A place in a file, and its line.
package struct SourcePlace: Sendable, Equatable {
    package let file: String
    /// The line and the column, both from 1; columns in characters (Unicode code points).
    package let line: Int
    package let column: Int
    /// The column after its last character in the line.
    package let endColumn: Int
    package let excerpt: SourceExcerpt
}
