// SPDX-License-Identifier: Apache-2.0

/// A token of the expression language, with the byte offsets of its start and end in the text.
struct Token {
    enum Kind: Equatable {
        case number(Double)
        case text(String)
        /// A name, including dots: `event.accuracy`. `true`, `false`, `null` and `in` are also names here.
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
