// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The fields of `data` to decode. Attributes are always decoded, except with ``identities`` and ``corrections(_:)``.
package enum FieldSelection: Sendable, Equatable {
    case all
    case none
    /// Subjects, sources and ids only. All other attributes and values read as 0.
    case identities
    /// The data that identifies corrections: subjects, sources, ids, types, sessions and these fields. All other
    /// attributes and values read as 0.
    case corrections(Set<String>)
    case only(Set<String>)

    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .all: true
        case .none, .identities: false
        case .only(let names), .corrections(let names): names.contains(String(decoding: name, as: UTF8.self))
        }
    }
}

/// A decoded block, or the part that belongs to some learners, as a table with the rows of each learner.
struct DecodedBlock {
    let shared: EventTableReference
    let runs: [(learner: Int64, rows: Range<Int>)]
    /// The table's first row, as its number in the block.
    let firstRow: Int

    init(table: EventTable, runs: [(learner: Int64, rows: Range<Int>)], firstRow: Int = 0) {
        shared = EventTableReference(table)
        self.runs = runs
        self.firstRow = firstRow
    }

    var table: EventTable { shared.table }

    /// A range of the block's rows.
    /// - Throws: ``Corruption`` if the table does not contain the rows.
    func run(_ rows: Range<Int>) throws -> EventRun {
        guard rows.lowerBound >= firstRow, rows.upperBound <= firstRow + table.count else {
            throw Corruption("rows \(rows) are not in it")
        }
        return EventRun(shared, rows: rows.lowerBound - firstRow..<rows.upperBound - firstRow)
    }
}

/// Decodes blocks. Use it from one thread at a time.
final class BlockDecoder {
    private let memory = UnpackBuffer()

    /// Decodes a block, or a part of it.
    /// - Parameters:
    ///   - learners: the learners whose events are decoded; nil for all.
    ///   - subject: returns a learner's subject, which a block does not contain.
    /// - Throws: ``Corruption`` for bytes that are not a block. Any bytes are safe to decode.
    func decode(
        _ block: UnsafeRawBufferPointer,
        fields: FieldSelection = .all,
        of learners: ClosedRange<Int64>? = nil,
        subject: (Int64) throws -> [UInt8]
    ) throws -> DecodedBlock {
        let raw = try directory(of: block)
        return try raw.directory.withUnsafeBytes { directory in
            var section = SectionReader(
                directory: ByteReader(directory),
                body: ByteReader(raw.body),
                memory: memory
            )
            var columns = try BlockColumns(&section, fields)
            try columns.read(&section, of: learners, subject: subject)
            return DecodedBlock(table: columns.table(), runs: columns.runs, firstRow: columns.rows.lowerBound)
        }
    }

    /// The names of the event types in a block.
    func types(of block: UnsafeRawBufferPointer) throws -> [[UInt8]] {
        try directory(of: block).directory.withUnsafeBytes { directory in
            var reader = ByteReader(directory)
            _ = try reader.count(limit: BlockFormat.largestEventCount)
            _ = try reader.count(limit: BlockFormat.largestEventCount)
            return try (0..<reader.count(limit: BlockFormat.largestNameCount)).map { _ in Array(try reader.text()) }
        }
    }

    private func directory(of block: UnsafeRawBufferPointer) throws -> (
        directory: [UInt8], body: UnsafeRawBufferPointer
    ) {
        var reader = ByteReader(block)
        let version = try reader.byte()
        guard version == BlockFormat.version else { throw Corruption("its format version is \(version)") }
        let checksum = try reader.word()
        let payload = UnsafeRawBufferPointer(rebasing: block[reader.position...])
        guard TextTable.hash(payload.assumingMemoryBound(to: UInt8.self)) == checksum else {
            throw Corruption("its checksum does not match")
        }
        let stored = try reader.count(limit: payload.count)
        let size = try reader.count(limit: SectionReader.largestStream)
        let frame = try reader.take(stored)
        let directory = stored == size ? frame : try memory.unpack(frame, count: size)
        return (Array(directory), try reader.take(reader.remaining))
    }
}
