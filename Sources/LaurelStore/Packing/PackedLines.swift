// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The lines of an input, with their numbers. Many lines are compressed together. Because lines are similar, the result
/// has a tenth of their size.
struct PackedLines: Sendable {
    /// Lines that are compressed together. Each line is stored as its number (varint), its length (varint) and its
    /// bytes.
    fileprivate struct Piece {
        var firstRow: Int
        /// The length before compression, in bytes.
        var length: Int
        var data: [UInt8]
    }

    fileprivate private(set) var pieces: [Piece] = []
    private(set) var byteCount = 0

    private static let pieceBytes = 64 << 10
    /// The size in bytes below which a piece is not compressed.
    private static let leastBytes = 16 << 10

    init(
        _ rows: [Int],
        _ original: (Int) throws -> (line: Int, bytes: ArraySlice<UInt8>),
        _ compressor: Compressor
    ) rethrows {
        var written: [UInt8] = []
        var first = 0
        for (position, row) in rows.enumerated() {
            let (line, bytes) = try original(row)
            written.append(varint: line)
            written.append(varint: bytes.count)
            written += bytes
            guard written.count >= PackedLines.pieceBytes || position == rows.count - 1 else { continue }
            let isShort = written.count < PackedLines.leastBytes
            let data = isShort ? written : written.withUnsafeBytes(compressor.compress)
            pieces.append(Piece(firstRow: first, length: written.count, data: data))
            byteCount += data.count + MemoryLayout<Piece>.stride
            written.removeAll(keepingCapacity: true)
            first = position + 1
        }
    }
}

/// Reads packed lines. Use it from one thread at a time.
struct PackedLinesReader {
    private struct Unpacked {
        var batch: Int
        var piece: Int
        var bytes: [UInt8]
    }

    private let decompressor = Decompressor()
    /// The latest unpacked pieces, the oldest first. Lines of several learners are usually in the same few pieces.
    private var unpacked: [Unpacked] = []

    private static let piecesKept = 8

    /// Returns a line and its number.
    /// - Parameter batch: a number that identifies `lines` for this reader.
    mutating func line(_ row: Int, of lines: PackedLines, batch: Int) throws -> (line: Int, bytes: [UInt8]) {
        let number = lines.pieces.indices.partitioningIndex { lines.pieces[$0].firstRow > row } - 1
        let piece = lines.pieces[number]
        return try bytes(of: piece, number, batch).withUnsafeBytes { bytes in
            var cursor = PackedCursor(bytes.baseAddress!)
            var position = piece.firstRow
            while true {
                let line = Int(cursor.varint())
                let text = cursor.text(count: Int(cursor.varint()))
                if position == row { return (line, Array(text)) }
                position += 1
            }
        }
    }

    private mutating func bytes(of piece: PackedLines.Piece, _ number: Int, _ batch: Int) throws -> [UInt8] {
        if let cached = unpacked.first(where: { $0.batch == batch && $0.piece == number }) { return cached.bytes }
        var bytes = [UInt8](repeating: 0, count: piece.length)
        try bytes.withUnsafeMutableBytes { memory in
            try piece.data.withUnsafeBytes { data in
                do { try decompressor.decompress(data, into: memory) } catch {
                    // This process compressed the lines, so a failure means damaged memory.
                    throw StoreError(.corrupt, "lines that waited in memory cannot be unpacked (\(error))")
                }
            }
        }
        if unpacked.count == PackedLinesReader.piecesKept { unpacked.removeFirst() }
        unpacked.append(Unpacked(batch: batch, piece: number, bytes: bytes))
        return bytes
    }
}
