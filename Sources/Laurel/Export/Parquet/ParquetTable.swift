// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// A Parquet file with the events of one type.
///
///     PAR1
///     row group 1:  column 1: head of the page, definition levels, values
///                   column 2: …
///     row group 2:  …
///     the description: columns, and for each row group the position and size of each column
///     length of the description, 4 bytes
///     PAR1
///
/// Debian 12 has no library that writes Parquet. So this class writes the part of the format that tables of events
/// need. Each column of a row group is one page of version 1, because every reader knows that version. Values are
/// written one after another, and zstd removes the repetitions.
///
/// The format: https://parquet.apache.org/docs/file-format/
final class ParquetTable: EventTableFile {
    /// The size at which waiting rows become a row group.
    private static let groupSize = 16 << 20
    private static let mark = Array("PAR1".utf8)

    private let schema: EventSchema
    private let file: UnfinishedFile
    private var columns: [ParquetColumn]
    private var groups: [[ParquetChunk]] = []
    private var length = 0
    private(set) var pendingBytes = 0

    init(_ schema: EventSchema, in file: UnfinishedFile) {
        (self.schema, self.file) = (schema, file)
        columns = schema.columns.map(ParquetColumn.init)
    }

    func append(_ cells: [EventSchema.Cell]) throws {
        for (index, cell) in cells.enumerated() {
            columns[index].append(cell)
            if case .text(let text) = cell { pendingBytes += text.count }
            pendingBytes += 8
        }
        if pendingBytes >= Self.groupSize { try flush() }
    }

    /// Writes the waiting rows as a row group.
    func flush() throws {
        if length == 0 { try write(Self.mark) }
        guard pendingBytes > 0 else { return }
        var group: [ParquetChunk] = []
        for index in columns.indices {
            var (bytes, chunk) = columns[index].takePage()
            chunk.offset = length
            try write(bytes)
            group.append(chunk)
        }
        groups.append(group)
        pendingBytes = 0
    }

    func publish(isLast: Bool) throws {
        try flush()
        var end = description()
        end.append(littleEndian: UInt32(end.count))
        try write(end + Self.mark)
        try file.publish(flushesFolder: isLast)
    }

    private func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try file.write($0) }
        length += bytes.count
    }

    private func description() -> [UInt8] {
        var end = ThriftWriter()
        end.i32(1, 1)
        // The first element is the root. Its name has no meaning.
        end.structures(2, [nil] + schema.columns.map(Optional.some)) { element, column in
            guard let column else {
                element.text(4, "event")
                element.i32(5, schema.columns.count)
                return
            }
            element.i32(1, column.kind.parquetStorage)
            element.i32(3, column.isRequired ? 0 : 1)
            element.text(4, column.name)
            column.kind.writeParquetMeaning(to: &element)
        }
        end.i64(3, groups.reduce(0) { $0 + $1[0].rows })
        end.structures(4, groups) { group, chunks in
            group.structures(1, chunks) { $1.write(to: &$0) }
            group.i64(2, chunks.reduce(0) { $0 + $1.unpackedBytes })
            group.i64(3, chunks[0].rows)
        }
        end.text(6, "Laurel")
        end.end()
        return end.bytes
    }
}
