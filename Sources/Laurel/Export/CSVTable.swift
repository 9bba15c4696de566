// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import LaurelWire

/// A file of comma-separated values with the events of one type.
final class CSVTable: EventTableFile {
    private static let bufferSize = 1 << 16

    private let file: UnfinishedFile
    private var buffer: [UInt8] = []

    var pendingBytes: Int { buffer.count }

    init(_ schema: EventSchema, in file: UnfinishedFile) {
        self.file = file
        put(CSVRecord(texts: schema.columns.map(\.name)))
    }

    func append(_ cells: [EventSchema.Cell]) throws {
        put(CSVRecord(cells.map(CSVRecord.Cell.init)))
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func flush() throws {
        try buffer.withUnsafeBytes { try file.write($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    func publish(isLast: Bool) throws {
        try flush()
        try file.publish(flushesFolder: isLast)
    }

    private func put(_ record: CSVRecord) {
        buffer += record.description.utf8
        // RFC 4180 ends each line with both characters.
        buffer += "\r\n".utf8
    }
}

extension CSVRecord.Cell {
    fileprivate init(_ cell: EventSchema.Cell) {
        switch cell {
        case .null: self = .null
        case .text(let text): self = .text(String(decoding: text, as: UTF8.self))
        // A whole number beyond 2⁵³ may have no double, so its digits are written.
        case .integer(let number): self = Double(exactly: number).map { .number($0) } ?? .text("\(number)")
        case .number(let number): self = .number(number)
        case .boolean(let value): self = .text(value ? "true" : "false")
        case .instant(let milliseconds): self = .text(Timestamp.utc(milliseconds))
        }
    }
}
