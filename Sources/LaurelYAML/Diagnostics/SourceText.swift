/// A file's bytes, and the line and column of any of them.
package struct SourceText: Sendable {
    package let file: String
    package let bytes: [UInt8]
    private let lineStarts: [Int]
    /// Code points before each block of `blockSize` bytes, so that a column in a file that is one long line costs no
    /// walk over the whole of it.
    private let codePointsBefore: [Int]
    private static let blockSize = 256

    /// - Complexity: O(bytes).
    package init(file: String, bytes: [UInt8]) {
        // A byte order mark is no content, and editors do not count it.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        self.file = file
        self.bytes = bytes
        var lineStarts = [0]
        var codePointsBefore: [Int] = []
        var codePoints = 0
        for (offset, byte) in bytes.enumerated() {
            if offset % Self.blockSize == 0 { codePointsBefore.append(codePoints) }
            if byte & 0xC0 != 0x80 { codePoints += 1 }
            let endsLine =
                byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !bytes.has("\n", at: offset + 1))
            if endsLine { lineStarts.append(offset + 1) }
        }
        if bytes.count % Self.blockSize == 0 { codePointsBefore.append(codePoints) }
        self.lineStarts = lineStarts
        self.codePointsBefore = codePointsBefore
    }

    /// Line and column of the byte at `offset`, both from 1; columns count code points.
    /// - Complexity: O(log lines).
    package func position(at offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, codePoints(before: offset) - codePoints(before: lineStarts[low]) + 1)
    }

    private func codePoints(before offset: Int) -> Int {
        let block = offset / Self.blockSize
        let tail = bytes[block * Self.blockSize..<offset]
        return codePointsBefore[block] + tail.count { $0 & 0xC0 != 0x80 }
    }
}

extension [UInt8] {
    /// Whether the byte at `index` exists and is that ASCII character.
    package func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        index < count && self[index] == UInt8(ascii: character)
    }
}
