// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// Parses the expression language by precedence climbing. `maximumDepth` limits the depth of recursion.
struct Parser {
    static let maximumDepth = 100
    static let maximumLength = 10_000

    private var lexer: Lexer
    private var token: Token
    /// The end of the previous token.
    private var lastEnd = 0
    private var depth = 0
    private var syntax: Syntax

    /// Parses an expression.
    /// - Throws: the first syntax error.
    /// - Complexity: O(length).
    static func parse(_ source: String) throws(ExpressionError) -> Syntax {
        guard source.utf8.count <= maximumLength else {
            throw ExpressionError(offset: 0, message: "an expression may have at most \(maximumLength) bytes")
        }
        var parser = try Parser(source)
        guard parser.token.kind != .end else {
            throw ExpressionError(offset: 0, message: "an expression is missing here")
        }
        _ = try parser.parseConditional()
        guard parser.token.kind == .end else { throw parser.unexpected("an operator or the end") }
        return parser.syntax
    }

    private init(_ source: String) throws(ExpressionError) {
        lexer = Lexer(source)
        token = try lexer.next()
        syntax = Syntax(source: source)
    }

    private mutating func parseConditional() throws(ExpressionError) -> Int {
        try enter()
        defer { depth -= 1 }
        let condition = try parseBinary(1)
        let offset = token.offset
        guard try skip("?") else { return condition }
        let then = try parseConditional()
        try expect(":", after: "the value for true")
        let otherwise = try parseConditional()
        return add(.conditional, offset, [condition, then, otherwise])
    }

    private mutating func parseBinary(_ minimum: Int) throws(ExpressionError) -> Int {
        var left = try parseUnary()
        while true {
            let offset = token.offset
            if case .name("in") = token.kind, minimum <= BinaryOperator.relationPrecedence {
                try advance()
                let list = try parseList()
                left = add(.membership(list.literals), offset, [left])
                syntax.nodes[left].items = list.ranges
                continue
            }
            guard case .symbol(let symbol) = token.kind, let operation = BinaryOperator(rawValue: symbol),
                operation.precedence >= minimum
            else { return left }
            try advance()
            // All binary operators are left-associative, so the right side contains only operators of higher
            // precedence. There is therefore at most one nested call for each precedence.
            let right = try parseBinary(operation.precedence + 1)
            left = add(.binary(operation), offset, [left, right])
        }
    }

    private mutating func parseUnary() throws(ExpressionError) -> Int {
        let offset = token.offset
        let kind: Syntax.Kind
        if token.kind == .symbol("!") {
            kind = .not
        } else if token.kind == .symbol("-") {
            kind = .negate
        } else {
            return try parsePrimary()
        }
        try enter()
        defer { depth -= 1 }
        try advance()
        return add(kind, offset, [try parseUnary()])
    }

    private mutating func parsePrimary() throws(ExpressionError) -> Int {
        let start = token
        switch token.kind {
        case .number(let number):
            try advance()
            return add(.number(number), start.offset)
        case .text(let text):
            try advance()
            return add(.text(text), start.offset)
        case .name(let name) where name != "in":
            try advance()
            return try parseName(name, at: start.offset)
        case .symbol("("):
            try advance()
            let inner = try parseConditional()
            try expect(")", after: "the expression in parentheses")
            syntax.nodes[inner].extent = start.offset..<lastEnd
            return inner
        case .symbol("["):
            throw ExpressionError(
                offset: start.offset,
                length: 1,
                message: "a list may only stand on the right of `in`"
            )
        default:
            throw unexpected("a value")
        }
    }

    private mutating func parseName(_ name: String, at offset: Int) throws(ExpressionError) -> Int {
        switch name {
        case "true": return add(.boolean(true), offset)
        case "false": return add(.boolean(false), offset)
        case "null": return add(.null, offset)
        default: break
        }
        if let error = otherWord(name, at: offset) { throw error }
        guard try skip("(") else { return add(.name(name), offset) }
        guard let function = Syntax.Function(rawValue: name) else {
            let nearest = nearestName(to: name, among: Syntax.Function.allCases.map(\.rawValue))
            let known = Syntax.Function.allCases.map(\.rawValue).joined(separator: ", ")
            let message = "unknown function `\(name)`\(nearest.map { didYouMean(code: $0) } ?? ": there are \(known)")"
            throw ExpressionError(offset: offset, length: name.utf8.count, message: message, suggestion: nearest)
        }
        var arguments: [Int] = []
        if token.kind != .symbol(")") {
            repeat {
                arguments.append(try parseConditional())
            } while try skip(",")
        }
        try expect(")", after: "the arguments of `\(name)`")
        guard function.arguments.contains(arguments.count) else {
            let count = function.arguments
            let needed = count.upperBound == .max ? "at least 1" : "\(count.lowerBound)"
            let noun = needed == "2" ? "arguments" : "argument"
            let message = "`\(name)` takes \(needed) \(noun), not \(arguments.count)"
            throw ExpressionError(offset: offset, length: name.utf8.count, message: message)
        }
        return add(.function(function), offset, arguments)
    }

    private typealias List = (literals: [Syntax.Literal], ranges: [Range<Int>])

    private mutating func parseList() throws(ExpressionError) -> List {
        guard try skip("[") else { throw unexpected("a list like [\"a\", \"b\"] after `in`") }
        var items: List = ([], [])
        guard token.kind != .symbol("]") else {
            try advance()
            return items
        }
        repeat {
            let offset = token.offset
            let item = try parseLiteral()
            if let first = items.literals.first, first.type != item.type {
                let message =
                    "a list holds values of one type: this is \(item.type.phrase), the first is \(first.type.phrase)"
                throw ExpressionError(offset: offset, length: lastEnd - offset, message: message)
            }
            items.literals.append(item)
            items.ranges.append(offset..<lastEnd)
        } while try skip(",")
        try expect("]", after: "the list")
        return items
    }

    private mutating func parseLiteral() throws(ExpressionError) -> Syntax.Literal {
        let isNegative = try skip("-")
        let literal: Syntax.Literal
        switch token.kind {
        case .number(let number): literal = .number(isNegative ? -number : number)
        case .text(let text) where !isNegative: literal = .text(text)
        case .name("true") where !isNegative: literal = .boolean(true)
        case .name("false") where !isNegative: literal = .boolean(false)
        case .name("null") where !isNegative:
            throw ExpressionError(
                offset: token.offset,
                length: token.length,
                message: "null is never in a list: write `x == null ||` before it"
            )
        default: throw unexpected("a number, text, true or false in the list")
        }
        try advance()
        return literal
    }

    private mutating func add(_ kind: Syntax.Kind, _ offset: Int, _ operands: [Int] = []) -> Int {
        let range = operands.reduce(offset) { min($0, syntax.nodes[$1].extent.lowerBound) }..<lastEnd
        syntax.nodes.append(
            Syntax.Node(kind: kind, offset: offset, range: range, extent: range, operands: operands)
        )
        return syntax.nodes.count - 1
    }

    private mutating func enter() throws(ExpressionError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw ExpressionError(
                offset: token.offset,
                message: "nested too deeply: at most \(Self.maximumDepth) levels"
            )
        }
    }

    private mutating func advance() throws(ExpressionError) {
        lastEnd = token.end
        token = try lexer.next()
    }

    private mutating func skip(_ symbol: String) throws(ExpressionError) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ symbol: String, after what: String) throws(ExpressionError) {
        guard try skip(symbol) else { throw unexpected("`\(symbol)` after \(what)") }
    }

    /// The error for a keyword of other languages before a value: `not x`, `if x then y else z`. A keyword that is not
    /// followed by a value is a name.
    private func otherWord(_ word: String, at offset: Int) -> ExpressionError? {
        switch token.kind {
        case .name("in"): return nil
        case .name, .number, .text, .symbol("("), .symbol("!"): break
        default: return nil
        }
        switch word.lowercased() {
        case "not":
            return ExpressionError(offset: offset, length: 3, message: "`\(word)` is written `!`", suggestion: "!")
        case "if":
            let message = "`\(word)` is written `condition ? value : otherwise`"
            return ExpressionError(offset: offset, length: 2, message: message)
        default: return nil
        }
    }

    private func unexpected(_ expected: String) -> ExpressionError {
        let words = ["and": "&&", "or": "||", "mod": "%", "is": "=="]
        if case .name(let name) = token.kind, expected != "a value", let right = words[name.lowercased()] {
            let message = "`\(name)` is written `\(right)`"
            return ExpressionError(offset: token.offset, length: token.length, message: message, suggestion: right)
        }
        let found: String
        switch token.kind {
        case .end:
            return ExpressionError(offset: token.offset, message: "expected \(expected), but the expression ends")
        case .number: found = "a number"
        case .text: found = "text"
        case .name(let name): found = "`\(name)`"
        case .symbol(let symbol): found = "`\(symbol)`"
        }
        return ExpressionError(
            offset: token.offset,
            length: token.length,
            message: "expected \(expected), found \(found)"
        )
    }
}
