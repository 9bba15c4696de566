// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// Splits an expression's text into tokens.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    /// The end of the last token. At the end of the text, this is the expression's end without trailing white space.
    private var lastEnd = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the next token. After the last token, every call returns `.end`.
    mutating func next() throws(ExpressionError) -> Token {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        let start = position
        guard start < bytes.count else { return Token(kind: .end, offset: lastEnd, end: lastEnd) }
        let kind = try scan()
        lastEnd = position
        return Token(kind: kind, offset: start, end: position)
    }

    private mutating func scan() throws(ExpressionError) -> Token.Kind {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try scanText(quote: byte) }
        if isDigit(at: position) || (byte == UInt8(ascii: ".") && isDigit(at: position + 1)) { return try scanNumber() }
        if isLetter(at: position) { return .name(scanName()) }
        return .symbol(try scanSymbol())
    }

    private mutating func scanName() -> String {
        let start = position
        while true {
            while isLetter(at: position) || isDigit(at: position) { position += 1 }
            guard bytes.has(".", at: position), isLetter(at: position + 1) else { break }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func scanNumber() throws(ExpressionError) -> Token.Kind {
        let start = position
        skipDigits()
        if bytes.has(".", at: position), isDigit(at: position + 1) {
            position += 1
            skipDigits()
        }
        if bytes.has("e", at: position) || bytes.has("E", at: position) {
            let hasSign = bytes.has("+", at: position + 1) || bytes.has("-", at: position + 1)
            let exponent = position + (hasSign ? 2 : 1)
            if isDigit(at: exponent) {
                position = exponent
                skipDigits()
            }
        }
        if isLetter(at: position) || bytes.has(".", at: position) {
            throw ExpressionError(
                offset: start,
                length: position - start,
                message: "not a number: numbers are written like 12, 0.5 or 1e3"
            )
        }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(digits), number.isFinite else {
            throw ExpressionError(offset: start, length: position - start, message: "a number too large for a double")
        }
        return .number(number)
    }

    private mutating func scanText(quote: UInt8) throws(ExpressionError) -> Token.Kind {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            guard bytes[position] == UInt8(ascii: "\\") else {
                text.append(bytes[position])
                position += 1
                continue
            }
            if bytes.has("'", at: position + 1) {
                text.append(UInt8(ascii: "'"))
                position += 2
            } else if let (length, scalar) = JSONEscape.decode(bytes, at: position) {
                text.append(contentsOf: String(scalar).utf8)
                position += length
            } else {
                let message = #"unknown escape: use \" \' \\ \/ \b \f \n \r \t or \u and four hexadecimal digits"#
                throw ExpressionError(offset: position, length: 2, message: message)
            }
        }
        guard position < bytes.count else {
            let message = "text that is not closed: a \(Unicode.Scalar(quote)) is missing at its end"
            throw ExpressionError(offset: start, length: position - start, message: message)
        }
        position += 1
        return .text(String(decoding: text, as: UTF8.self))
    }

    private mutating func scanSymbol() throws(ExpressionError) -> String {
        let one = Unicode.Scalar(bytes[position])
        let two = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
        if let error = otherSymbol(two) { throw error }
        if ["==", "!=", "<=", ">=", "&&", "||"].contains(two) {
            position += 2
            return two
        }
        guard "<>+-*/%!?:()[],".unicodeScalars.contains(one) else { throw unknownSymbol(one) }
        position += 1
        return String(Character(one))
    }

    /// The error for an operator of other languages that this language does not have; nil if the symbol is not such an
    /// operator.
    private func otherSymbol(_ two: String) -> ExpressionError? {
        switch two {
        case "**":
            let message = "there is no `**`: a power is written as a product, such as `n * n`"
            return ExpressionError(offset: position, length: 2, message: message)
        case "<>", "=>", "=<":
            let right = ["<>": "!=", "=>": ">=", "=<": "<="][two]!
            let message = "unknown symbol `\(two)`\(didYouMean(code: right))"
            return ExpressionError(offset: position, length: 2, message: message, suggestion: right)
        default: return nil
        }
    }

    private func unknownSymbol(_ symbol: Unicode.Scalar) -> ExpressionError {
        let meant: [Unicode.Scalar: String] = ["=": "==", "&": "&&", "|": "||"]
        if let right = meant[symbol] {
            let message = "unknown symbol `\(symbol)`\(didYouMean(code: right))"
            return ExpressionError(offset: position, length: 1, message: message, suggestion: right)
        }
        let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
        let found = rest.unicodeScalars.first ?? symbol
        return ExpressionError(offset: position, length: UTF8.width(found), message: "unknown symbol `\(found)`")
    }

    private mutating func skipDigits() {
        while isDigit(at: position) { position += 1 }
    }

    private func isDigit(at index: Int) -> Bool {
        index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
    }

    private func isLetter(at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        let lowered = bytes[index] | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowered) || bytes[index] == UInt8(ascii: "_")
    }
}
