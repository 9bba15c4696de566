// SPDX-License-Identifier: Apache-2.0

/// What is wrong in an expression, at a byte offset in its text.
struct ExpressionError: Error, Equatable {
    let offset: Int
    /// In bytes; 0 where it is only known where it starts.
    var length = 0
    let message: String
    var suggestion: String?

    var range: Range<Int> { offset..<offset + length }
}
