internal import LaurelEvents

/// Which fields of `data` to decode. Attributes always are.
package enum FieldSelection: Sendable, Equatable {
    case all
    case none
    case only(Set<String>)

    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .only(let names): names.contains(String(decoding: name, as: UTF8.self))
        }
    }
}

/// A block as a table, and which rows of it are whose.
struct DecodedBlock {
    var table: EventTable
    var runs: [(learner: Int64, rows: Range<Int>)]
}

/// Reads blocks. Not for two threads at once.
final class BlockDecoder {
    private let decompressor = Decompressor()

    /// - Parameter subject: gives a learner's subject, which a block does not hold.
    /// - Throws: ``Corruption`` for bytes that are not a block, whatever they are.
    func decode(
        _ block: UnsafeRawBufferPointer,
        fields: FieldSelection = .all,
        subject: (Int64) throws -> [UInt8]
    ) throws -> DecodedBlock {
        let raw = try directory(of: block)
        return try raw.directory.withUnsafeBytes { directory in
            var section = SectionReader(
                directory: ByteReader(directory),
                body: ByteReader(raw.body),
                decompressor: decompressor
            )
            var columns = try BlockColumns(&section, fields)
            try columns.read(&section, subject: subject)
            return DecodedBlock(table: columns.table(), runs: columns.runs)
        }
    }

    /// The names of the types that a block's events have.
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
        var directory = [UInt8](repeating: 0, count: size)
        try directory.withUnsafeMutableBytes { try decompressor.decompress(frame, into: $0) }
        return (directory, try reader.take(reader.remaining))
    }
}

/// The columns of a block while they are being read.
private struct BlockColumns {
    private let count: Int
    private let learnerCount: Int
    private var types = TextTable()
    private var fields = TextTable()
    private var typeIndexes: [UInt32] = []
    /// By the block's own number of a field: its index in `fields`, nil where it is not wanted.
    private var fieldIndexes: [UInt32?] = []
    private var shapes: [(type: UInt32, fields: [Int])] = []

    private(set) var runs: [(learner: Int64, rows: Range<Int>)] = []
    private var texts = TextCollector()
    private var milliseconds: [Int64] = []
    private var offsets: [Int16] = []
    private var flags: [UInt8] = []
    private var type: [UInt32] = []
    private var subject: [UInt32] = []
    private var source: [UInt32] = []
    private var attributes: [[UInt32]] = []
    private var identifiers: [EventIdentifier] = []
    private var valueStarts: [UInt32] = []
    private var values: [EventValue] = []

    init(_ section: inout SectionReader, _ selection: FieldSelection) throws {
        count = try section.directory.count(limit: BlockFormat.largestEventCount)
        learnerCount = try section.directory.count(limit: count)
        for _ in 0..<(try section.directory.count(limit: BlockFormat.largestNameCount)) {
            typeIndexes.append(types.intern(try section.directory.text()))
        }
        for _ in 0..<(try section.directory.count(limit: BlockFormat.largestNameCount)) {
            let name = try section.directory.text()
            fieldIndexes.append(selection.contains(name) ? fields.intern(name) : nil)
        }
        for _ in 0..<(try section.directory.count(limit: count)) {
            let type = try section.directory.count(limit: typeIndexes.count - 1)
            let fieldCount = try section.directory.count(limit: BlockFormat.largestNameCount)
            var list: [Int] = []
            for _ in 0..<fieldCount { list.append(try section.directory.count(limit: fieldIndexes.count - 1)) }
            shapes.append((typeIndexes[type], list))
        }
    }

    mutating func read(_ section: inout SectionReader, subject subjectOf: (Int64) throws -> [UInt8]) throws {
        var column = try section.section()
        try readRuns(&column, subjectOf)
        column = try section.section()
        try readTimes(&column)
        column = try section.section()
        offsets = try column.integers(count: count).map { code in
            guard let offset = Int16(exactly: code) else { throw Corruption("an offset of \(code) minutes") }
            return offset
        }
        column = try section.section()
        flags = try column.integers(count: count).map { UInt8(truncatingIfNeeded: $0) }
        column = try section.section()
        let shapeOfRow = try column.integers(count: count)
        var origins = try section.section()
        var ids = try section.section()
        try readIdentifiers(&origins, &ids)
        for _ in 0..<4 {
            column = try section.section()
            let (base, textCount) = try texts.read(from: &column, limit: count)
            attributes.append(
                try column.integers(count: count).map { code in
                    guard code >= 0, code <= textCount else { throw Corruption("a text that is not there") }
                    return code == 0 ? 0 : UInt32(base + Int(code) - 1)
                }
            )
        }
        try readValues(&section, shapeOfRow)
    }

    private mutating func readRuns(_ column: inout SectionReader, _ subjectOf: (Int64) throws -> [UInt8]) throws {
        let learners = try column.integers(count: learnerCount)
        var place = 0
        subject.reserveCapacity(count)
        for (index, events) in try column.integers(count: learnerCount).enumerated() {
            guard events > 0, events <= count - place, index == 0 || learners[index - 1] < learners[index] else {
                throw Corruption("its learners' counts are wrong")
            }
            let text = try texts.append(try subjectOf(learners[index]))
            subject.append(contentsOf: repeatElement(text, count: Int(events)))
            runs.append((learners[index], place..<place + Int(events)))
            place += Int(events)
        }
        guard place == count else { throw Corruption("its learners' counts are wrong") }
    }

    private mutating func readTimes(_ column: inout SectionReader) throws {
        let firsts = try column.integers(count: learnerCount)
        let steps = try column.integers(count: count - learnerCount)
        milliseconds.reserveCapacity(count)
        var step = 0
        for (run, first) in zip(runs, firsts) {
            var time = first
            milliseconds.append(time)
            for _ in 1..<run.rows.count {
                time &+= steps[step]
                step += 1
                milliseconds.append(time)
            }
        }
    }

    private mutating func readIdentifiers(_ column: inout SectionReader, _ ids: inout SectionReader) throws {
        let origins = try Origins(&column, learnerCount: learnerCount, limit: count, texts: &texts)
        let ofRow = try column.integers(count: count)
        var places: [Int] = []
        places.reserveCapacity(count)
        for (index, run) in runs.enumerated() {
            let range = origins.ofLearner[index]
            for row in run.rows {
                guard ofRow[row] >= 0, ofRow[row] < range.count else { throw Corruption("an origin that is not there") }
                places.append(range.lowerBound + Int(ofRow[row]))
            }
        }
        source = places.map { origins.sources[$0] }
        identifiers = try origins.identifiers(at: places, from: &ids, texts: &texts)
    }

    private mutating func readValues(_ section: inout SectionReader, _ shapeOfRow: [Int64]) throws {
        type.reserveCapacity(count)
        valueStarts.reserveCapacity(count + 1)
        valueStarts.append(0)
        var uses = [Int](repeating: 0, count: shapes.count)
        let wanted = shapes.map { shape in shape.fields.filter { fieldIndexes[$0] != nil } }
        var total = 0
        for code in shapeOfRow {
            guard code >= 0, code < shapes.count else { throw Corruption("a shape that is not there") }
            uses[Int(code)] += 1
            type.append(shapes[Int(code)].type)
            total += wanted[Int(code)].count
            guard total <= BlockFormat.largestValueCount else { throw Corruption("too many values") }
            valueStarts.append(UInt32(total))
        }
        var counts = [Int](repeating: 0, count: fieldIndexes.count)
        for (shape, use) in zip(shapes, uses) {
            for field in shape.fields { counts[field] += use }
        }
        var flat: [EventValue] = []
        flat.reserveCapacity(total)
        var next = [Int](repeating: 0, count: fieldIndexes.count)
        for (number, index) in fieldIndexes.enumerated() {
            var column = try section.section()
            guard let index else { continue }
            next[number] = flat.count
            flat.append(contentsOf: try column.values(count: counts[number], field: index, texts: &texts))
        }
        values = BlockColumns.interleave(flat, by: shapeOfRow, wanted, &next)
    }

    /// From field after field to event after event.
    /// - Parameters:
    ///   - wanted: the fields of each shape.
    ///   - next: where each field's values start.
    private static func interleave(
        _ flat: [EventValue],
        by shapeOfRow: [Int64],
        _ wanted: [[Int]],
        _ next: inout [Int]
    ) -> [EventValue] {
        let starts = wanted.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        let fields = wanted.flatMap { $0 }
        return [EventValue](unsafeUninitializedCapacity: flat.count) { output, count in
            for code in shapeOfRow {
                for place in starts[Int(code)]..<starts[Int(code) + 1] {
                    let field = fields[place]
                    output.initializeElement(at: count, to: flat[next[field]])
                    next[field] += 1
                    count += 1
                }
            }
        }
    }

    func table() -> EventTable {
        EventTable(
            texts: texts.table,
            types: types,
            fields: fields,
            milliseconds: milliseconds,
            offsets: offsets,
            flags: flags,
            type: type,
            subject: subject,
            source: source,
            language: attributes[0],
            session: attributes[1],
            timezone: attributes[2],
            extensions: attributes[3],
            identifiers: identifiers,
            valueStarts: valueStarts,
            values: values
        )
    }
}

/// The origins of a block's ids.
private struct Origins {
    private(set) var ofLearner: [Range<Int>] = []
    private(set) var sources: [UInt32]
    private var prefixes: [UInt32]
    private var styles: [UInt8]

    init(_ column: inout SectionReader, learnerCount: Int, limit: Int, texts: inout TextCollector) throws {
        var total = 0
        for count in try column.integers(count: learnerCount) {
            guard count >= 0, count <= limit - total else { throw Corruption("too many origins") }
            ofLearner.append(total..<total + Int(count))
            total += Int(count)
        }
        func indexes() throws -> [UInt32] {
            let (base, textCount) = try texts.read(from: &column, limit: total)
            return try column.integers(count: total).map { code in
                guard code >= 0, code <= textCount else { throw Corruption("a text that is not there") }
                return code == 0 ? 0 : UInt32(base + Int(code) - 1)
            }
        }
        sources = try indexes()
        prefixes = try indexes()
        styles = try column.integers(count: total).map { code in
            guard let style = UInt8(exactly: code), style <= 18 || style == EventIdentifier.natural else {
                throw Corruption("an id of an unknown style")
            }
            return style
        }
    }

    func identifiers(
        at places: [Int],
        from ids: inout SectionReader,
        texts: inout TextCollector
    ) throws -> [EventIdentifier] {
        var counts = (numbers: 0, wholes: 0, uuids: 0)
        for place in places {
            switch styles[place] {
            case EventIdentifier.whole: counts.wholes += 1
            case BlockFormat.uuidStyle: counts.uuids += 1
            default: counts.numbers += 1
            }
        }
        let numbers = try ids.integers(count: counts.numbers)
        let (base, textCount) = try texts.read(from: &ids, limit: counts.wholes)
        let wholes = try ids.integers(count: counts.wholes)
        guard wholes.allSatisfy({ $0 > 0 && $0 <= textCount }) else { throw Corruption("an id that is not there") }
        let uuids = try readUUIDs(&ids, count: counts.uuids)
        var last = [UInt64](repeating: 0, count: sources.count)
        var next = (number: 0, whole: 0, uuid: 0)
        var result: [EventIdentifier] = []
        result.reserveCapacity(places.count)
        for place in places {
            switch styles[place] {
            case EventIdentifier.whole:
                result.append(EventIdentifier(prefix: UInt32(base + Int(wholes[next.whole]) - 1)))
                next.whole += 1
            case BlockFormat.uuidStyle:
                let (high, low) = uuids[next.uuid]
                result.append(EventIdentifier(prefix: try texts.append(CanonicalUUID.text(high, low))))
                next.uuid += 1
            default:
                last[place] = last[place] &+ UInt64(bitPattern: numbers[next.number]) &+ 1
                guard last[place] < 1_000_000_000_000_000_000 else { throw Corruption("an id's number is too large") }
                result.append(
                    EventIdentifier(prefix: prefixes[place], number: last[place], style: styles[place])
                )
                next.number += 1
            }
        }
        return result
    }

    private func readUUIDs(_ ids: inout SectionReader, count: Int) throws -> [(UInt64, UInt64)] {
        var uuids = [(UInt64, UInt64)](repeating: (0, 0), count: count)
        for plane in 0..<16 {
            let bytes = try ids.frame(count: count)
            for index in uuids.indices {
                if plane < 8 {
                    uuids[index].0 = uuids[index].0 << 8 | UInt64(bytes[index])
                } else {
                    uuids[index].1 = uuids[index].1 << 8 | UInt64(bytes[index])
                }
            }
        }
        return uuids
    }
}
