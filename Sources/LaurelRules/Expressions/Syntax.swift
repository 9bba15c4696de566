// SPDX-License-Identifier: Apache-2.0

/// A parsed expression. Its nodes are in postfix order: operands before their operators. Later stages can therefore use
/// a loop instead of recursion.
struct Syntax: Sendable, CustomStringConvertible {
    struct Node: Sendable {
        let kind: Kind
        /// The byte offset of the token to which a message about this node points.
        let offset: Int
        /// The byte range of the node's text, without enclosing parentheses.
        let range: Range<Int>
        /// The byte range of the node's text, including enclosing parentheses.
        var extent: Range<Int>
        /// The indexes of the operands, in the order written.
        let operands: [Int]
        /// The byte ranges of the elements, for a list to the right of `in`; else empty.
        var items: [Range<Int>] = []
    }

    enum Kind: Sendable {
        case null
        case number(Double)
        case text(String)
        case boolean(Bool)
        case name(String)
        case negate, not
        case binary(BinaryOperator)
        case membership([Literal])
        case conditional
        case function(Function)
    }

    /// An element of a list to the right of `in`.
    enum Literal: Sendable, Equatable {
        case number(Double), text(String), boolean(Bool)

        var type: ValueType {
            switch self {
            case .number: .number
            case .text: .text
            case .boolean: .boolean
            }
        }
    }

    enum Function: String, Sendable, CaseIterable {
        case floor, ceil, round, abs, min, max
        case fallback = "default"
        case has, day

        /// The range of the function's possible argument counts.
        var arguments: ClosedRange<Int> {
            switch self {
            case .floor, .ceil, .round, .abs, .has, .day: 1...1
            case .fallback: 2...2
            case .min, .max: 1...Int.max
            }
        }
    }

    /// The text from which the expression was parsed.
    let source: String
    var nodes: [Node] = []

    var description: String { source }
}

/// A binary operator, and its precedence.
enum BinaryOperator: String, Sendable, CaseIterable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: Self.relationPrecedence
        case .add, .subtract: 4
        case .multiply, .divide, .remainder: 5
        }
    }

    /// The precedence of comparisons and of `in`.
    static let relationPrecedence = 3
}
