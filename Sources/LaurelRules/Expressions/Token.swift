// SPDX-License-Identifier: Apache-2.0

/// A token of the expression language, with its start and end in the text (byte offsets).
struct Token {
    enum Kind: Equatable {
        case number(Double)
        case text(String)
        /// A name, dots included: `event.accuracy`. Also `true`, `false`, `null` and `in`.
        case name(String)
        /// An operator, parenthesis, bracket or comma.
        case symbol(String)
        case end
    }

    let kind: Kind
    let offset: Int
    let end: Int

    var length: Int { end - offset }
}
