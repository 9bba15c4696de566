internal import LaurelEvents

/// Writes blocks. One instance serves a batch, so that its buffers are reused. Not for two threads at once.
final class BlockEncoder {
    private let compressor: Compressor
    private var dictionary = ColumnDictionary()

    /// - Parameter level: zstd's, 1 (fast) … 19 (small).
    init(level: Int32) { compressor = Compressor(level: level) }

    /// - Parameters:
    ///   - rows: of the table, each learner's together and in the learner's order.
    ///   - learners: ascending, with how many of the rows are theirs.
    func encode(_ table: EventTable, rows: [Int], learners: [(learner: Int64, count: Int)]) -> [UInt8] {
        var section = SectionWriter(compressor)
        let shapes = ShapeDictionary(table, rows: rows)
        section.directory.append(varint: rows.count)
        section.directory.append(varint: learners.count)
        shapes.write(to: &section.directory, table)
        column(&section) { column in
            column.append(integers: learners.map(\.learner))
            column.append(integers: learners.map { Int64($0.count) })
        }
        column(&section) { append(times: table.milliseconds, rows, learners, to: &$0) }
        column(&section) { column in column.append(integers: rows.map { Int64(table.offsets[$0]) }) }
        column(&section) { column in column.append(integers: rows.map { Int64(table.flags[$0]) }) }
        column(&section) { column in column.append(integers: shapes.ofRow.map { Int64($0) }) }
        appendIdentifiers(table, rows, learners, to: &section)
        for attribute in [table.language, table.session, table.timezone, table.extensions] {
            column(&section) { append(texts: rows.map { attribute[$0] }, table.texts, to: &$0) }
        }
        for values in shapes.values(of: table, rows) {
            column(&section) { $0.append(values: values, texts: table.texts, dictionary: &dictionary) }
        }
        return seal(section)
    }

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

    private func append(
        times: [Int64],
        _ rows: [Int],
        _ learners: [(learner: Int64, count: Int)],
        to column: inout SectionWriter
    ) {
        var firsts: [Int64] = []
        var steps: [Int64] = []
        steps.reserveCapacity(rows.count)
        var place = 0
        for (_, count) in learners {
            firsts.append(times[rows[place]])
            for next in place + 1..<place + count { steps.append(times[rows[next]] - times[rows[next - 1]]) }
            place += count
        }
        column.append(integers: firsts)
        column.append(integers: steps)
    }

    private func appendIdentifiers(
        _ table: EventTable,
        _ rows: [Int],
        _ learners: [(learner: Int64, count: Int)],
        to section: inout SectionWriter
    ) {
        let ids = IdentifierColumns(table, rows: rows, learners: learners)
        column(&section) { column in
            column.append(integers: ids.originCounts)
            append(texts: ids.sources, table.texts, to: &column)
            append(texts: ids.prefixes, table.texts, to: &column)
            column.append(integers: ids.styles)
            column.append(integers: ids.ofRow)
        }
        column(&section) { column in
            column.append(integers: ids.numbers)
            append(texts: ids.wholes, table.texts, to: &column)
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

/// The ids of a block's events, split as the format wants them.
struct IdentifierColumns {
    var originCounts: [Int64] = []
    var sources: [UInt32] = []
    var prefixes: [UInt32] = []
    var styles: [Int64] = []
    var ofRow: [Int64] = []
    var numbers: [Int64] = []
    var wholes: [UInt32] = []
    var uuidHighs: [UInt64] = []
    var uuidLows: [UInt64] = []

    private struct Origin: Hashable {
        var source: UInt32
        var prefix: UInt32
        var style: UInt8
    }

    init(_ table: EventTable, rows: [Int], learners: [(learner: Int64, count: Int)]) {
        ofRow.reserveCapacity(rows.count)
        numbers.reserveCapacity(rows.count)
        var place = 0
        for (_, count) in learners {
            append(table, rows[place..<place + count])
            place += count
        }
    }

    private mutating func append(_ table: EventTable, _ rows: ArraySlice<Int>) {
        var places: [Origin: Int] = [:]
        var lastNumbers: [UInt64] = []
        var last = (origin: Origin(source: 0, prefix: 0, style: 0), place: -1)
        for row in rows {
            let id = table.identifiers[row]
            var origin = Origin(source: table.source[row], prefix: id.prefix, style: id.style)
            var uuid: (UInt64, UInt64)?
            if id.style == EventIdentifier.whole {
                uuid = CanonicalUUID.bytes(table.texts[id.prefix])
                origin.prefix = 0
                if uuid != nil { origin.style = BlockFormat.uuidStyle }
            }
            if last.place < 0 || last.origin != origin {
                let place = places[origin] ?? places.count
                if place == places.count {
                    places[origin] = place
                    lastNumbers.append(0)
                    sources.append(origin.source)
                    prefixes.append(origin.prefix)
                    styles.append(Int64(origin.style))
                }
                last = (origin, place)
            }
            ofRow.append(Int64(last.place))
            if let (high, low) = uuid {
                uuidHighs.append(high)
                uuidLows.append(low)
            } else if id.style == EventIdentifier.whole {
                wholes.append(id.prefix)
            } else {
                numbers.append(Int64(bitPattern: id.number &- lastNumbers[last.place] &- 1))
                lastNumbers[last.place] = id.number
            }
        }
        originCounts.append(Int64(places.count))
    }
}

/// Which types with which fields in which order a block's events have.
struct ShapeDictionary {
    private(set) var ofRow: [UInt32] = []
    /// Indexes into the table's `types` and `fields`, by the numbers the block gives them.
    private var types: [UInt32] = []
    private var fields: [UInt32] = []
    private var fieldNumber: [UInt32: Int] = [:]
    private var shapes: [[UInt32]] = []

    init(_ table: EventTable, rows: [Int]) {
        var known: [[UInt32]: UInt32] = [:]
        // Most events have the shape of the one before of their type.
        var latest = [Int](repeating: -1, count: table.types.count)
        var typeNumber: [UInt32: UInt32] = [:]
        ofRow.reserveCapacity(rows.count)
        let values = table.values
        for row in rows {
            let type = table.type[row]
            let range = Int(table.valueStarts[row])..<Int(table.valueStarts[row + 1])
            let candidate = latest[Int(type)]
            if candidate >= 0, ShapeDictionary.matches(shapes[candidate], values, range) {
                ofRow.append(UInt32(candidate))
                continue
            }
            let shape = [type] + range.map { values[$0].field }
            if known[shape] == nil {
                known[shape] = UInt32(shapes.count)
                shapes.append(shape)
                if typeNumber[type] == nil {
                    typeNumber[type] = UInt32(types.count)
                    types.append(type)
                }
                for field in shape.dropFirst() where fieldNumber[field] == nil {
                    fieldNumber[field] = fields.count
                    fields.append(field)
                }
            }
            latest[Int(type)] = Int(known[shape]!)
            ofRow.append(known[shape]!)
        }
        for index in shapes.indices { shapes[index][0] = typeNumber[shapes[index][0]]! }
    }

    private static func matches(_ shape: [UInt32], _ values: [EventValue], _ range: Range<Int>) -> Bool {
        guard shape.count == range.count + 1 else { return false }
        for (offset, index) in range.enumerated() where shape[offset + 1] != values[index].field { return false }
        return true
    }

    func write(to directory: inout [UInt8], _ table: EventTable) {
        directory.append(varint: types.count)
        for type in types { directory.append(text: table.types[type]) }
        directory.append(varint: fields.count)
        for field in fields { directory.append(text: table.fields[field]) }
        directory.append(varint: shapes.count)
        for shape in shapes {
            directory.append(varint: UInt64(shape[0]))
            directory.append(varint: shape.count - 1)
            for field in shape.dropFirst() { directory.append(varint: fieldNumber[field]!) }
        }
    }

    /// The values of each field, in the order of rows.
    func values(of table: EventTable, _ rows: [Int]) -> [[EventValue]] {
        var columns = [[EventValue]](repeating: [], count: fields.count)
        var place = [Int](repeating: 0, count: table.fields.count)
        for (number, field) in fields.enumerated() { place[Int(field)] = number }
        let (values, starts) = (table.values, table.valueStarts)
        for row in rows {
            for index in Int(starts[row])..<Int(starts[row + 1]) {
                let value = values[index]
                columns[place[Int(value.field)]].append(value)
            }
        }
        return columns
    }
}
