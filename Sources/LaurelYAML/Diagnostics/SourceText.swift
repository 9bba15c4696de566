// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file. Computes the line and column of each byte.
package struct SourceText: Sendable {
    package let file: String
    package let bytes: [UInt8]
    private let lineStarts: [Int]
    /// For each block of `blockSize` bytes, the number of code points before the block. With these numbers, only one
    /// block is read to compute a column of a long line.
    private let codePointsBefore: [Int]
    private static let blockSize = 256

    /// - Complexity: O(bytes).
    package init(file: String, bytes: [UInt8]) {
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

    /// The position of a range of bytes, with the line in which the range starts.
    /// - Complexity: O(log lines), independent of the line's length.
    package func position(of range: Range<Int>) -> SourcePosition {
        let start = min(max(range.lowerBound, 0), bytes.count)
        let line = line(of: start)
        let (lineStart, lineEnd) = (lineStarts[line], endOfLine(line))
        let end = max(start, min(range.upperBound, lineEnd))
        let column = codePoints(before: start) - codePoints(before: lineStart) + 1
        let length = codePoints(before: end) - codePoints(before: start)
        return SourcePosition(
            file: file,
            line: line + 1,
            column: column,
            endColumn: column + length,
            excerpt: excerpt(of: lineStart..<lineEnd, marking: start..<end)
        )
    }

    /// The index of the line that contains the byte at `offset`, counted from 0.
    private func line(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func endOfLine(_ line: Int) -> Int {
        guard line + 1 < lineStarts.count else { return bytes.count }
        let next = lineStarts[line + 1]
        let isPair = next >= 2 && bytes[next - 1] == UInt8(ascii: "\n") && bytes[next - 2] == UInt8(ascii: "\r")
        return max(lineStarts[line], next - (isPair ? 2 : 1))
    }

    /// The maximum number of bytes shown before and after the marked part of a line.
    private static let excerptBytes = 1024

    private func excerpt(of line: Range<Int>, marking mark: Range<Int>) -> SourceExcerpt {
        var start = max(line.lowerBound, mark.lowerBound - Self.excerptBytes)
        while start > line.lowerBound, isContinuation(start) { start -= 1 }
        var end = min(line.upperBound, mark.lowerBound + Self.excerptBytes)
        while end < line.upperBound, isContinuation(end) { end += 1 }
        let before = codePoints(before: mark.lowerBound) - codePoints(before: start)
        let marked = codePoints(before: max(mark.lowerBound, min(mark.upperBound, end)))
        return SourceExcerpt(
            text: String(decoding: bytes[start..<max(start, end)], as: UTF8.self),
            mark: before..<before + marked - codePoints(before: mark.lowerBound),
            isCutBefore: start > line.lowerBound,
            isCutAfter: end < line.upperBound
        )
    }

    private func isContinuation(_ index: Int) -> Bool { bytes[index] & 0xC0 == 0x80 }

    private func codePoints(before offset: Int) -> Int {
        let block = offset / Self.blockSize
        let tail = bytes[block * Self.blockSize..<offset]
        return codePointsBefore[block] + tail.count { $0 & 0xC0 != 0x80 }
    }
}

extension [UInt8] {
    /// True if the byte at `index` is the ASCII character. False if there is no such byte.
    package func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        index < count && self[index] == UInt8(ascii: character)
    }
}
