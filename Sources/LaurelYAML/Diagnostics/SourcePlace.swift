// SPDX-License-Identifier: Apache-2.0

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
