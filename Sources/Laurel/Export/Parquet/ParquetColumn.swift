// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A column of the rows that wait for the next row group.
struct ParquetColumn {
    let column: EventSchema.Column
    /// Runs of successive rows that all have a value, or that all have none. Empty for a required column.
    private var runs: [(hasValue: Bool, rows: Int)] = []
    /// The present values, in the encoding `PLAIN`; empty for booleans.
    private var values: [UInt8] = []
    private var booleans: [Bool] = []
    private(set) var rows = 0

    init(_ column: EventSchema.Column) { self.column = column }

    /// Appends a row's value, which has the column's type or is null. A required column must not get null.
    mutating func append(_ cell: EventSchema.Cell) {
        rows += 1
        if !column.isRequired { count(hasValue: cell != .null) }
        switch cell {
        case .null: precondition(!column.isRequired, "\(column.name) has no value")
        case .text(let text):
            values.append(littleEndian: UInt32(text.count))
            values += text
        case .integer(let number), .instant(let number): values.append(littleEndian: number)
        case .number(let number): values.append(littleEndian: number.bitPattern)
        case .boolean(let value): booleans.append(value)
        }
    }

    private mutating func count(hasValue: Bool) {
        if runs.last?.hasValue == hasValue {
            runs[runs.count - 1].rows += 1
        } else {
            runs.append((hasValue, 1))
        }
    }

    /// The rows as a page with its head, and the page's description. The column is empty afterwards.
    mutating func takePage() -> (bytes: [UInt8], chunk: ParquetChunk) {
        let body = levels() + values + packedBooleans()
        let packed = ContentCoding.zstd.pack(body)
        var head = ThriftWriter()
        head.i32(1, 0)  // A data page.
        head.i32(2, body.count)
        head.i32(3, (packed ?? body).count)
        head.structure(5) { page in
            page.i32(1, rows)
            page.i32(2, ParquetChunk.plain)
            page.i32(3, ParquetChunk.runLengths)
            page.i32(4, ParquetChunk.runLengths)
        }
        head.end()
        let bytes = head.bytes + (packed ?? body)
        let chunk = ParquetChunk(
            column: column,
            isPacked: packed != nil,
            rows: rows,
            unpackedBytes: head.bytes.count + body.count,
            bytes: bytes.count
        )
        self = ParquetColumn(column)
        return (bytes, chunk)
    }

    /// The definition levels: 1 for a row with a value, 0 for a row without. The levels are encoded as runs, after the
    /// encoding's length in bytes.
    private func levels() -> [UInt8] {
        guard !column.isRequired else { return [] }
        var encoded: [UInt8] = []
        for run in runs {
            encoded.append(varint: UInt64(run.rows) << 1)
            encoded.append(run.hasValue ? 1 : 0)
        }
        var levels: [UInt8] = []
        levels.append(littleEndian: UInt32(encoded.count))
        return levels + encoded
    }

    /// The booleans, eight in a byte, the first in the lowest bit.
    private func packedBooleans() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (booleans.count + 7) / 8)
        for (index, value) in booleans.enumerated() where value { bytes[index / 8] |= 1 << (index % 8) }
        return bytes
    }
}

/// The description of a column of a row group, for the end of the file.
struct ParquetChunk {
    /// The numbers of the encodings: values one after another, and run lengths for definition levels.
    static let (plain, runLengths) = (0, 3)

    let column: EventSchema.Column
    let isPacked: Bool
    let rows: Int
    let unpackedBytes: Int
    let bytes: Int
    /// The position of the page's head in the file.
    var offset = 0

    func write(to chunk: inout ThriftWriter) {
        chunk.i64(2, 0)  // The description stands only at the end of the file.
        chunk.structure(3) { data in
            data.i32(1, column.kind.parquetStorage)
            data.numbers(2, [Self.plain, Self.runLengths])
            data.texts(3, [column.name])
            data.i32(4, isPacked ? 6 : 0)  // zstd, or not compressed.
            data.i64(5, rows)
            data.i64(6, unpackedBytes)
            data.i64(7, bytes)
            data.i64(9, offset)
        }
    }
}
