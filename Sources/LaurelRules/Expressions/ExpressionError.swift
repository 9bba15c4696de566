// SPDX-License-Identifier: Apache-2.0

/// A mistake in an expression, at a byte offset in its text.
struct ExpressionError: Error, Equatable {
    let offset: Int
    /// The length of the wrong part in bytes; 0 if only its start is known.
    var length = 0
    let message: String
    var suggestion: String?

    var range: Range<Int> { offset..<offset + length }
}
