// SPDX-License-Identifier: Apache-2.0

/// Finds the position in the file of each byte of a scalar's text. libyaml does not report these positions, so the
/// scalar is read again with the same steps as in libyaml's scanner.
package struct ScalarPosition {
    /// For each byte of the text, the range of bytes in the file that it comes from.
    private(set) var spans: [Range<Int>] = []
    /// The text that this reader has found. If it differs from the scalar's text, all positions are unknown.
    private(set) var text: [UInt8] = []
    private let bytes: [UInt8]
    private let end: Int
    private var position: Int

    /// - Complexity: O(length of the scalar).
    package init(_ scalar: YAMLScalar, in bytes: [UInt8]) {
        self.bytes = bytes
        position = scalar.range.lowerBound
        end = min(scalar.range.upperBound, bytes.count)
        spans.reserveCapacity(scalar.text.utf8.count)
        switch scalar.style {
        case .plain: readFlow(closing: nil)
        case .singleQuoted: readFlow(closing: UInt8(ascii: "'"))
        case .doubleQuoted: readFlow(closing: UInt8(ascii: "\""))
        case .literal: readBlock(isFolded: false, expected: Array(scalar.text.utf8))
        case .folded: readBlock(isFolded: true, expected: Array(scalar.text.utf8))
        }
        guard text.elementsEqual(scalar.text.utf8) else {
            spans = []
            return
        }
    }

    /// The range of bytes in the file that a range of the text comes from. If positions are unknown, it is the range of
    /// the whole scalar.
    package func source(of range: Range<Int>) -> Range<Int> {
        guard let last = spans.last else { return position..<position }
        let start = range.lowerBound < spans.count ? spans[range.lowerBound].lowerBound : last.upperBound
        guard !range.isEmpty else { return start..<start }
        return start..<max(start, spans[min(range.upperBound, spans.count) - 1].upperBound)
    }

    private mutating func put(_ byte: UInt8, _ span: Range<Int>) {
        text.append(byte)
        spans.append(span)
    }

    private mutating func put(_ saved: [Saved]) {
        for piece in saved { put(piece.byte, piece.span) }
    }

    /// White space that becomes part of the text only if more text follows.
    private struct Saved {
        let byte: UInt8
        let span: Range<Int>
    }

    /// Reads a line break. Returns nil if there is none.
    private mutating func lineBreak() -> [Saved]? {
        guard let length = breakLength(at: position) else { return nil }
        let span = position..<position + length
        position += length
        // Unicode's own two line breaks, which have three bytes, are copied. Any other line break becomes a newline.
        guard length == 3 else { return [Saved(byte: UInt8(ascii: "\n"), span: span)] }
        return span.map { Saved(byte: bytes[$0], span: span) }
    }

    private func breakLength(at index: Int) -> Int? {
        guard index < end else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "\n"): return 1
        case UInt8(ascii: "\r"): return index + 1 < end && bytes[index + 1] == UInt8(ascii: "\n") ? 2 : 1
        case 0xC2: return index + 1 < end && bytes[index + 1] == 0x85 ? 2 : nil
        case 0xE2:
            return index + 2 < end && bytes[index + 1] == 0x80 && [0xA8, 0xA9].contains(bytes[index + 2]) ? 3 : nil
        default: return nil
        }
    }

    private func isBlank(at index: Int) -> Bool {
        index < end && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
    }
}

// MARK: - Plain and quoted

extension ScalarPosition {
    private mutating func readFlow(closing quote: UInt8?) {
        if quote != nil { position += 1 }
        while position < end {
            var isAfterBreak = false
            while position < end, !isBlank(at: position), breakLength(at: position) == nil {
                if quote == UInt8(ascii: "'"), bytes[position] == quote {
                    guard bytes.has("'", at: position + 1), position + 1 < end - 1 else { return }
                    put(UInt8(ascii: "'"), position..<position + 2)
                    position += 2
                } else if quote == UInt8(ascii: "\""), bytes[position] == quote {
                    return
                } else if quote == UInt8(ascii: "\""), bytes[position] == UInt8(ascii: "\\") {
                    if let length = breakLength(at: position + 1) {
                        position += 1 + length
                        isAfterBreak = true
                        break
                    }
                    readEscape()
                } else {
                    put(bytes[position], position..<position + 1)
                    position += 1
                }
            }
            readWhiteSpace(isAfterBreak: isAfterBreak)
        }
    }

    /// Reads blanks and line breaks between words. Blanks within a line are copied. A single line break becomes a
    /// space. Of several line breaks, the first is dropped.
    private mutating func readWhiteSpace(isAfterBreak: Bool) {
        var isAfterBreak = isAfterBreak
        var blanks: [Saved] = []
        var leading: [Saved] = []
        var trailing: [Saved] = []
        while true {
            if isBlank(at: position) {
                if !isAfterBreak { blanks.append(Saved(byte: bytes[position], span: position..<position + 1)) }
                position += 1
            } else if let read = lineBreak() {
                if isAfterBreak { trailing += read } else { leading = read }
                isAfterBreak = true
            } else {
                break
            }
        }
        guard isAfterBreak else { return put(blanks) }
        if leading.first?.byte != UInt8(ascii: "\n") {
            put(leading + trailing)
        } else if trailing.isEmpty, position < end {
            put([Saved(byte: UInt8(ascii: " "), span: leading[0].span)])
        } else {
            put(trailing)
        }
    }

    private mutating func readEscape() {
        let (length, scalar) = decodeEscape() ?? (2, nil)
        let span = position..<min(position + length, end)
        for byte in String(scalar.map(Character.init) ?? "?").utf8 { put(byte, span) }
        position = span.upperBound
    }

    private func decodeEscape() -> (length: Int, scalar: Unicode.Scalar?)? {
        if let escape = JSONEscape.decode(bytes, at: position) { return (escape.length, escape.scalar) }
        guard position + 1 < end else { return nil }
        switch bytes[position + 1] {
        case UInt8(ascii: "0"): return (2, "\0")
        case UInt8(ascii: "a"): return (2, "\u{07}")
        case UInt8(ascii: "\t"): return (2, "\t")
        case UInt8(ascii: "v"): return (2, "\u{0B}")
        case UInt8(ascii: "e"): return (2, "\u{1B}")
        case UInt8(ascii: " "): return (2, " ")
        case UInt8(ascii: "N"): return (2, "\u{85}")
        case UInt8(ascii: "_"): return (2, "\u{A0}")
        case UInt8(ascii: "L"): return (2, "\u{2028}")
        case UInt8(ascii: "P"): return (2, "\u{2029}")
        case UInt8(ascii: "x"): return (4, hexadecimal(2))
        case UInt8(ascii: "U"): return (10, hexadecimal(8))
        default: return nil
        }
    }

    private func hexadecimal(_ digits: Int) -> Unicode.Scalar? {
        guard position + 2 + digits <= end else { return nil }
        let text = String(decoding: bytes[position + 2..<position + 2 + digits], as: UTF8.self)
        return UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
    }
}

// MARK: - Blocks

extension ScalarPosition {
    private mutating func readBlock(isFolded: Bool, expected: [UInt8]) {
        while position < end, breakLength(at: position) == nil { position += 1 }
        _ = lineBreak()
        let indentation = indentation(of: expected)
        var leading: [Saved] = []
        var trailing = indentationAndBreaks(indentation)
        var wasBlank = false
        while position < end, column == indentation {
            let startsBlank = isBlank(at: position)
            if isFolded, leading.first?.byte == UInt8(ascii: "\n"), !wasBlank, !startsBlank {
                if trailing.isEmpty { put([Saved(byte: UInt8(ascii: " "), span: leading[0].span)]) }
            } else {
                put(leading)
            }
            put(trailing)
            wasBlank = startsBlank
            while position < end, breakLength(at: position) == nil {
                put(bytes[position], position..<position + 1)
                position += 1
            }
            leading = lineBreak() ?? []
            trailing = indentationAndBreaks(indentation)
        }
        // The block's header decides how many line breaks at the end belong to the text. Here the expected text shows
        // their number, so the header is not read.
        let missing = expected.count - text.count
        if missing > 0 { put(Array((leading + trailing).prefix(missing))) }
    }

    /// The indentation of the block in columns. It is the number of blanks before the first line with content, minus
    /// the blanks that belong to the text.
    private func indentation(of expected: [UInt8]) -> Int {
        var index = position
        var spaces = 0
        while index < end {
            if bytes[index] == UInt8(ascii: " ") {
                spaces += 1
                index += 1
            } else if let length = breakLength(at: index) {
                spaces = 0
                index += length
            } else {
                break
            }
        }
        let firstLine = expected.drop { $0 == UInt8(ascii: "\n") }
        return spaces - firstLine.prefix { $0 == UInt8(ascii: " ") }.count
    }

    private mutating func indentationAndBreaks(_ indentation: Int) -> [Saved] {
        var breaks: [Saved] = []
        while true {
            var spaces = 0
            while spaces < indentation, position < end, bytes[position] == UInt8(ascii: " ") {
                position += 1
                spaces += 1
            }
            guard let read = lineBreak() else { return breaks }
            breaks += read
        }
    }

    /// The current column, counted from 0. Only spaces may precede the position in its line.
    private var column: Int {
        var start = position
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") { start -= 1 }
        return position - start
    }
}
