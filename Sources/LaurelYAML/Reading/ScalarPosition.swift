extension YAMLScalar {
    /// Where in the file the byte at `offset` of the scalar's text was written. Exact for scalars on one line, and for
    /// folded and multi-line ones as long as their indentation is even.
    /// - Complexity: O(offset).
    package func sourceOffset(of offset: Int, in bytes: [UInt8]) -> Int {
        var walk = ScalarWalk(scalar: self, bytes: bytes)
        return walk.find(offset)
    }
}

/// Walks a scalar's source beside its decoded text.
private struct ScalarWalk {
    let style: YAMLScalar.Style
    let bytes: [UInt8]
    let end: Int
    var position: Int
    var indentation = 0

    init(scalar: YAMLScalar, bytes: [UInt8]) {
        self.style = scalar.style
        self.bytes = bytes
        end = scalar.range.upperBound
        position = scalar.range.lowerBound
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: position += 1
        case .literal, .folded: skipBlockHeader()
        }
    }

    private mutating func skipBlockHeader() {
        while position < end, !isBreak(bytes[position]) { position += 1 }
        while position < end, isBreak(bytes[position]) { position += 1 }
        while position < end, bytes[position] == UInt8(ascii: " ") {
            position += 1
            indentation += 1
        }
    }

    mutating func find(_ target: Int) -> Int {
        var decoded = 0
        while decoded < target, position < end {
            let (consumed, produced) = step()
            if decoded + produced > target { break }
            decoded += produced
            position += consumed
        }
        return min(position, end)
    }

    private func step() -> (consumed: Int, produced: Int) {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\"), style == .doubleQuoted { return escape() }
        if byte == UInt8(ascii: "'"), style == .singleQuoted { return (2, 1) }
        if style == .literal { return isBreak(byte) ? literalBreak() : (1, 1) }
        return isBreak(byte) || byte == UInt8(ascii: " ") ? foldedBreak() : (1, 1)
    }

    private func escape() -> (consumed: Int, produced: Int) {
        if let (length, scalar) = JSONEscape.decode(bytes, at: position) {
            return (length, UTF8.width(scalar))
        }
        guard position + 1 < end else { return (1, 1) }
        switch bytes[position + 1] {
        case UInt8(ascii: "x"): return (4, 1)
        case UInt8(ascii: "U"): return (10, 4)
        case UInt8(ascii: "\n"): return (2, 0)
        default: return (2, 1)
        }
    }

    private func literalBreak() -> (consumed: Int, produced: Int) {
        var next = position + 1
        while next < end, next <= position + indentation, bytes[next] == UInt8(ascii: " ") { next += 1 }
        return (next - position, 1)
    }

    /// A run of blanks that holds line breaks reads as one space, or as one break less than there are.
    private func foldedBreak() -> (consumed: Int, produced: Int) {
        var next = position
        var breaks = 0
        while next < end, isBreak(bytes[next]) || bytes[next] == UInt8(ascii: " ") {
            if bytes[next] == UInt8(ascii: "\n") { breaks += 1 }
            next += 1
        }
        if breaks == 0 { return (1, 1) }
        return (next - position, max(1, breaks - 1))
    }

    private func isBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
