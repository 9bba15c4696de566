// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads the columns of a block, or the part of the columns that belongs to some learners.
struct BlockColumns {
    /// The numbers of events and learners in the whole block.
    private let count: Int
    private let learnerCount: Int
    private let wantsIdentitiesAlone: Bool
    private let wantsCorrectionsAlone: Bool
    private var types = TextTable()
    private var fields = TextTable()
    private var typeIndexes: [UInt32] = []
    /// The index in `fields` of each field of the block; nil for a field that is not wanted.
    private var fieldIndexes: [UInt32?] = []
    private var shapes: [(type: UInt32, fields: [Int])] = []

    /// The rows of the block that are read.
    private(set) var rows = 0..<0
    /// The learners whose rows are read, as indexes among the block's learners.
    private var learners = 0..<0
    /// The first row of each learner, followed by the number of all rows.
    private var starts = [0]
    /// For each learner whose rows are read, the range of these rows. Row 0 is the first row that is read.
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
    private var shapeOfRow: [UInt32] = []

    init(_ section: inout SectionReader, _ selection: FieldSelection) throws {
        count = try section.directory.count(limit: BlockFormat.largestEventCount)
        learnerCount = try section.directory.count(limit: count)
        wantsIdentitiesAlone = selection == .identities
        wantsCorrectionsAlone = if case .corrections = selection { true } else { false }
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

    /// - Parameter wanted: the learners whose rows to read; nil for all.
    mutating func read(
        _ section: inout SectionReader,
        of wanted: ClosedRange<Int64>?,
        subject subjectOf: (Int64) throws -> [UInt8]
    ) throws {
        var column = try section.section()
        try readRuns(&column, of: wanted, subjectOf)
        if wantsIdentitiesAlone { return try readIdentitiesAlone(&section) }
        if wantsCorrectionsAlone { try skipMoments(&section) } else { try readMoments(&section) }
        column = try section.section()
        let noShape = "a shape that is not there"
        guard count == 0 || !shapes.isEmpty else { throw Corruption(noShape) }
        let shapeCodes = 0...Int64(max(0, shapes.count - 1))
        let shapeOfRow: [UInt32] = try column.column(count: count, 0..<count, in: shapeCodes, orElse: noShape)
        var origins = try section.section()
        var ids = try section.section()
        try readIdentifiers(&origins, &ids)
        for attribute in 0..<4 {
            column = try section.section()
            let isWanted = !wantsCorrectionsAlone || attribute == BlockColumns.session
            attributes.append(
                isWanted ? try texts.readColumn(from: &column, count: count, rows, limit: count) : noText
            )
        }
        try readValues(&section, shapeOfRow)
    }

    /// The index of the session among the attributes.
    private static let session = 1

    private var noText: [UInt32] { Array(repeating: 0, count: rows.count) }

    /// Reads times, offsets and flags.
    private mutating func readMoments(_ section: inout SectionReader) throws {
        var column = try section.section()
        try readTimes(&column)
        column = try section.section()
        let offsetCodes = Int64(Int16.min)...Int64(Int16.max)
        offsets = try column.column(count: count, rows, in: offsetCodes, orElse: "an offset is out of range")
        column = try section.section()
        flags = try column.column(count: count, rows, in: nil, orElse: "")
    }

    private mutating func skipMoments(_ section: inout SectionReader) throws {
        for _ in 0..<3 { _ = try section.section() }
        milliseconds = Array(repeating: 0, count: rows.count)
        offsets = Array(repeating: 0, count: rows.count)
        flags = Array(repeating: 0, count: rows.count)
    }

    /// Skips times, offsets, flags and shapes, and everything after the ids.
    private mutating func readIdentitiesAlone(_ section: inout SectionReader) throws {
        try skipMoments(&section)
        _ = try section.section()
        var origins = try section.section()
        var ids = try section.section()
        try readIdentifiers(&origins, &ids)
        type = noText
        attributes = Array(repeating: noText, count: 4)
        valueStarts = Array(repeating: 0, count: rows.count + 1)
    }

    private mutating func readRuns(
        _ column: inout SectionReader,
        of wanted: ClosedRange<Int64>?,
        _ subjectOf: (Int64) throws -> [UInt8]
    ) throws {
        let ids = Array(try column.integers(count: learnerCount))
        for (index, events) in try column.integers(count: learnerCount).enumerated() {
            let start = starts[index]
            guard events > 0, events <= count - start, index == 0 || ids[index - 1] < ids[index] else {
                throw Corruption("its learners' counts are wrong")
            }
            starts.append(start + Int(events))
        }
        guard starts[learnerCount] == count else { throw Corruption("its learners' counts are wrong") }
        learners = 0..<learnerCount
        if let wanted {
            let first = ids.indices.partitioningIndex { ids[$0] >= wanted.lowerBound }
            learners = first..<ids.indices.partitioningIndex { ids[$0] > wanted.upperBound }
            guard !learners.isEmpty else {
                throw Corruption("of learners \(wanted.lowerBound) to \(wanted.upperBound) none is in it")
            }
        }
        rows = starts[learners.lowerBound]..<starts[learners.upperBound]
        subject.reserveCapacity(rows.count)
        for position in learners {
            let text = try texts.append(try subjectOf(ids[position]))
            subject.append(contentsOf: repeatElement(text, count: starts[position + 1] - starts[position]))
            runs.append((ids[position], starts[position] - rows.lowerBound..<starts[position + 1] - rows.lowerBound))
        }
    }

    private mutating func readTimes(_ column: inout SectionReader) throws {
        let firsts = Array(try column.integers(count: learnerCount, learners))
        // A learner has one step fewer than rows. So the number of steps before a learner is the number of rows before
        // the learner, minus one for each earlier learner.
        let steps = try column.integers(
            count: count - learnerCount,
            rows.lowerBound - learners.lowerBound..<rows.upperBound - learners.upperBound
        )
        milliseconds = [Int64](unsafeUninitializedCapacity: rows.count) { output, filled in
            var step = 0
            for (run, first) in zip(runs, firsts) {
                var time = first
                output.initializeElement(at: run.rows.lowerBound, to: time)
                for row in run.rows.dropFirst() {
                    time &+= steps[step]
                    step += 1
                    output.initializeElement(at: row, to: time)
                }
            }
            filled = rows.count
        }
        guard milliseconds.withUnsafeBufferPointer({ $0.areAll(in: Timestamp.range) }) else {
            throw Corruption("a time is out of range")
        }
    }

    private mutating func readIdentifiers(_ column: inout SectionReader, _ ids: inout SectionReader) throws {
        let origins = try Origins(&column, learnerCount: learnerCount, limit: count, texts: &texts)
        let positions = try origins.positions(from: &column, starts: starts, learners: learners)
        source = positions.origins.withUnsafeBufferPointer { $0.mapped { origins.sources[Int($0)] } }
        identifiers = try origins.identifiers(at: positions, from: &ids, texts: &texts)
    }

    // MARK: Values

    /// The number of values of each field in some rows.
    private func valueCounts(_ shapeOfRow: ArraySlice<UInt32>) -> [Int] {
        // Each shape has four counters. Consecutive rows often have the same shape, and with one counter each addition
        // would wait for the previous one.
        var uses = [Int](repeating: 0, count: shapes.count * 4)
        uses.withUnsafeMutableBufferPointer { uses in
            shapeOfRow.withUnsafeBufferPointer { shapeOfRow in
                for row in shapeOfRow.indices { uses[Int(shapeOfRow[row]) &* 4 &+ (row & 3)] &+= 1 }
            }
        }
        var counts = [Int](repeating: 0, count: fieldIndexes.count)
        for (number, shape) in shapes.enumerated() {
            let use = uses[number * 4..<number * 4 + 4].reduce(0, +)
            for field in shape.fields { counts[field] += use }
        }
        return counts
    }

    private mutating func readValues(_ section: inout SectionReader, _ shapeOfRow: [UInt32]) throws {
        let before = valueCounts(shapeOfRow[..<rows.lowerBound])
        let within = valueCounts(shapeOfRow[rows])
        let after = valueCounts(shapeOfRow[rows.upperBound...])
        var (starts, total) = ([Int](), 0)
        for (count, index) in zip(within, fieldIndexes) {
            starts.append(total)
            if index != nil { total += count }
        }
        guard total <= BlockFormat.largestValueCount else { throw Corruption("too many values") }
        self.shapeOfRow = Array(shapeOfRow[rows])
        let types = shapes.map(\.type)
        type = self.shapeOfRow.withUnsafeBufferPointer { $0.mapped { types[Int($0)] } }
        let positions = self.positions(starts: starts, total: total)
        var texts = texts
        self.texts = TextCollector()
        values = try [EventValue](unsafeUninitializedCapacity: total) { values, filled in
            try positions.withUnsafeBufferPointer { positions in
                for (number, index) in fieldIndexes.enumerated() {
                    var column = try section.section()
                    guard let index, within[number] > 0 else { continue }
                    try column.readValues(
                        count: before[number] + within[number] + after[number],
                        before[number]..<before[number] + within[number],
                        texts: &texts,
                        into: ValueOffsets(
                            field: index,
                            values: values,
                            positions: UnsafeBufferPointer(
                                rebasing: positions[starts[number]...].prefix(within[number])
                            )
                        )
                    )
                }
            }
            filled = total
        }
        self.texts = texts
    }

    /// The positions of each field's values among the values of all events, field after field. Sets ``valueStarts``.
    private mutating func positions(starts: [Int], total: Int) -> [UInt32] {
        // The wanted fields of each shape, followed by −1.
        var (lists, members) = ([Int](), [Int]())
        for shape in shapes {
            lists.append(members.count)
            members += shape.fields.filter { fieldIndexes[$0] != nil } + [-1]
        }
        var (next, valueStarts) = (starts, [UInt32](repeating: 0, count: shapeOfRow.count + 1))
        let positions = [UInt32](unsafeUninitializedCapacity: total) { positions, filled in
            let (shapeOfRow, list, member) = (shapeOfRow, lists.addressWhileAlive, members.addressWhileAlive)
            next.withUnsafeMutableBufferPointer { next in
                valueStarts.withUnsafeMutableBufferPointer { valueStarts in
                    shapeOfRow.withUnsafeBufferPointer { shapeOfRow in
                        var position: UInt32 = 0
                        for row in shapeOfRow.indices {
                            var field = member + list[Int(shapeOfRow[row])]
                            while field.pointee >= 0 {
                                positions.initializeElement(at: next[field.pointee], to: position)
                                next[field.pointee] &+= 1
                                position &+= 1
                                field += 1
                            }
                            valueStarts[row &+ 1] = position
                        }
                    }
                }
            }
            filled = total
        }
        withExtendedLifetime((lists, members)) {}
        self.valueStarts = valueStarts
        return positions
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
            session: attributes[BlockColumns.session],
            timezone: attributes[2],
            extensions: attributes[3],
            identifiers: identifiers,
            valueStarts: valueStarts,
            values: values,
            shape: shapeOfRow,
            shapes: shapes.map { shape in
                EventShape(type: shape.type, fields: shape.fields.compactMap { fieldIndexes[$0] })
            }
        )
    }
}
