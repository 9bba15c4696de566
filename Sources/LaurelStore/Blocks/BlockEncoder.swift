// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Encodes blocks. One instance is used for many blocks, so that its memory is reused. Use it from one thread at a
/// time.
final class BlockEncoder {
    private let compressor: Compressor
    private var dictionary = ColumnDictionary()
    private var content = BlockContent()

    /// - Parameter level: zstd's compression level, 1 (fast) … 19 (small).
    init(level: Int32) { compressor = Compressor(level: level) }

    /// Encodes a block.
    /// - Parameters:
    ///   - rows: the rows of the events, grouped by learner, each group in the learner's order.
    ///   - learners: ascending, each with the number of its rows.
    ///   - events: events that share one dictionary.
    func encode(_ rows: [TableRow], of events: [PackedEvents], learners: [(learner: Int64, count: Int)]) -> [UInt8] {
        content.fill(rows, of: events, learners: learners)
        let texts = events[0].dictionary.texts
        var section = SectionWriter(compressor)
        section.directory.append(varint: rows.count)
        section.directory.append(varint: learners.count)
        content.shapes.write(to: &section.directory)
        column(&section) { column in
            column.append(integers: learners.map(\.learner))
            column.append(integers: learners.map { Int64($0.count) })
        }
        column(&section) { column in
            column.append(integers: content.firstTimes)
            column.append(integers: content.timeSteps)
        }
        column(&section) { column in column.append(integers: content.contexts.map { Int64($0.offset) }) }
        column(&section) { column in column.append(integers: content.contexts.map { Int64($0.flags) }) }
        column(&section) { column in column.append(integers: content.shapes.ofRow) }
        appendIdentifiers(texts, to: &section)
        for attribute in BlockEncoder.attributes {
            column(&section) { append(texts: attribute(content.contexts), texts, to: &$0) }
        }
        for values in content.shapes.columns {
            column(&section) { $0.append(values: values, texts: texts, dictionary: &dictionary) }
        }
        return seal(section)
    }

    private static let attributes: [@Sendable ([PackedEvents.Context]) -> [UInt32]] = [
        { $0.map(\.language) }, { $0.map(\.session) }, { $0.map(\.timezone) }, { $0.map(\.extensions) },
    ]

    private func column(_ section: inout SectionWriter, _ write: (inout SectionWriter) -> Void) {
        var column = SectionWriter(compressor)
        write(&column)
        section.append(skippable: column)
    }

    private func append(texts indexes: [UInt32], _ texts: TextTable, to column: inout SectionWriter) {
        let (codes, distinct) = dictionary.encode(indexes, textCount: texts.count)
        column.append(texts: distinct, of: texts)
        column.append(integers: codes)
    }

    private func appendIdentifiers(_ texts: TextTable, to section: inout SectionWriter) {
        let ids = content.identifiers
        column(&section) { column in
            column.append(integers: ids.originCounts)
            append(texts: ids.sources, texts, to: &column)
            append(texts: ids.prefixes, texts, to: &column)
            column.append(integers: ids.styles)
            column.append(integers: ids.ofRow)
        }
        column(&section) { column in
            column.append(integers: ids.numbers)
            append(texts: ids.fullIDs, ids.fullIDTexts, to: &column)
            for word in [ids.uuidHighs, ids.uuidLows] {
                for shift in stride(from: UInt64(56), through: 0, by: -8) {
                    let plane = word.map { UInt8(truncatingIfNeeded: $0 >> shift) }
                    plane.withUnsafeBytes { column.append(frame: $0) }
                }
            }
        }
    }

    private func seal(_ section: SectionWriter) -> [UInt8] {
        let directory = section.directory.withUnsafeBytes { compressor.compress($0) }
        var payload: [UInt8] = []
        payload.reserveCapacity(directory.count + section.body.count + 16)
        payload.append(varint: directory.count)
        payload.append(varint: section.directory.count)
        payload.append(contentsOf: directory)
        payload.append(contentsOf: section.body)
        var block: [UInt8] = [BlockFormat.version]
        block.reserveCapacity(payload.count + BlockFormat.headerSize)
        block.append(word: payload.withUnsafeBufferPointer { TextTable.hash($0) })
        block.append(contentsOf: payload)
        return block
    }
}
