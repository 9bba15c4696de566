// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Events by row, from which blocks can be written.
protocol BlockSource: OrderedEvents, Sendable {
    /// Returns true if texts may fill a block, because the average text is longer than `bytes`.
    func hasTexts(longerThan bytes: Int) -> Bool

    /// The length of all texts in a row's values and extensions, in bytes.
    func textBytes(of row: Int) -> Int

    /// Packs rows of several sources for a block encoder.
    static func packed(_ rows: [TableRow], of sources: [Self]) -> (rows: [TableRow], events: [PackedEvents])
}

extension PackedEvents: BlockSource {
    func hasTexts(longerThan bytes: Int) -> Bool { textBytes > bytes * count }

    static func packed(_ rows: [TableRow], of sources: [PackedEvents]) -> (rows: [TableRow], events: [PackedEvents]) {
        (rows, sources)
    }
}

extension EventTable: BlockSource {
    func hasTexts(longerThan bytes: Int) -> Bool { texts.bytes.count > bytes * count }

    func textBytes(of row: Int) -> Int {
        values(of: row).reduce(texts.range(extensions[row]).count) { sum, value in
            guard ValueColumn.isText(value.kind) else { return sum }
            return sum + texts.range(UInt32(truncatingIfNeeded: value.payload)).count
        }
    }

    static func packed(_ rows: [TableRow], of sources: [EventTable]) -> (rows: [TableRow], events: [PackedEvents]) {
        let events = PackedEvents(rows, of: sources, dictionary: PackingDictionary())
        return (rows.indices.map { TableRow(table: 0, row: Int32($0)) }, [events])
    }
}

/// Makes blocks from the events of learners in ascending order, and passes the blocks to a closure.
///
/// Rows may come from many sources. While full blocks are encoded on all cores, the next block is filled.
struct BlockWriter<Source: BlockSource> {
    /// A block that is being filled.
    private struct Draft: Sendable {
        var sources: [Source] = []
        var rows: [TableRow] = []
        var learners: [(learner: Int64, count: Int)] = []

        func milliseconds(_ position: Int) -> Int64 {
            sources[Int(rows[position].table)].milliseconds[Int(rows[position].row)]
        }

        /// Encodes one block, or several if one would exceed ``BlockLimits``.
        func encoded(_ encoder: BlockEncoder) -> [EncodedDraft] {
            let (rows, events) = Source.packed(rows, of: sources)
            return encoded(rows, events, encoder)
        }

        private func encoded(
            _ rows: [TableRow],
            _ events: [PackedEvents],
            _ encoder: BlockEncoder
        ) -> [EncodedDraft] {
            guard rows.count > 1, !BlockLimits.isEnough(for: rows, of: events) else {
                return [(self, encoder.encode(rows, of: events, learners: learners))]
            }
            let half = rows.count / 2
            return [0..<half, half..<rows.count].flatMap { part($0).encoded(Array(rows[$0]), events, encoder) }
        }

        private func part(_ range: Range<Int>) -> Draft {
            var part = Draft(sources: sources, rows: Array(rows[range]))
            var start = 0
            for (learner, count) in learners {
                let own = (start..<start + count).clamped(to: range)
                if !own.isEmpty { part.learners.append((learner, own.count)) }
                start += count
            }
            return part
        }
    }

    private typealias EncodedDraft = (draft: Draft, data: [UInt8])

    private let options: StoreOptions
    private let receive: ([NewBlock]) throws -> Void
    private let encoding: OrderedPipeline<Draft, [EncodedDraft]>
    private var draft = Draft()
    private var textBytes = 0
    /// The index of each source in the draft, by the source's key.
    private var positions: [Int64: Int32] = [:]
    private var last: (key: Int64, position: Int32, countsText: Bool)?

    /// - Parameters:
    ///   - level: zstd's compression level; nil for the level of new blocks.
    ///   - receive: receives the blocks in order, on the thread that appends.
    init(_ options: StoreOptions, level: Int32? = nil, receive: @escaping ([NewBlock]) throws -> Void) {
        (self.options, self.receive) = (options, receive)
        let level = level ?? options.compressionLevel
        encoding = OrderedPipeline(limit: Threads.processors * 2) {
            let encoder = BlockEncoder(level: level)
            return { $0.encoded(encoder) }
        }
    }

    /// Appends rows of a learner, in the learner's order.
    /// - Parameter key: identifies the source within this writer.
    mutating func append(
        _ source: Source,
        _ rows: Range<Int>,
        key: Int64 = 0,
        of learner: Int64
    ) throws {
        var rest = rows
        while !rest.isEmpty {
            let room = options.eventsPerBlock - draft.rows.count
            guard room > 0, textBytes < options.textPerBlock else {
                try flush()
                continue
            }
            if last?.key != key { begin(source, key) }
            let (_, position, countsText) = last!
            // If texts may fill the block, the texts are counted event by event.
            let some = rest.prefix(countsText ? 1 : room)
            if countsText { textBytes += source.textBytes(of: some.lowerBound) }
            for row in some { draft.rows.append(TableRow(table: position, row: Int32(row))) }
            if draft.learners.last?.learner == learner {
                draft.learners[draft.learners.count - 1].count += some.count
            } else {
                draft.learners.append((learner, some.count))
            }
            rest = some.upperBound..<rest.upperBound
        }
    }

    mutating func finish() throws {
        try flush()
        try encoding.finish(receive: emit)
    }

    private mutating func begin(_ source: Source, _ key: Int64) {
        let position = positions[key] ?? Int32(draft.sources.count)
        if Int(position) == draft.sources.count {
            positions[key] = position
            draft.sources.append(source)
        }
        // If texts are shorter, a block always reaches the limit of events before the limit of text.
        let limit = options.textPerBlock / options.eventsPerBlock / 2
        last = (key, position, source.hasTexts(longerThan: limit))
    }

    private mutating func flush() throws {
        guard !draft.rows.isEmpty else { return }
        let full = draft
        draft = Draft()
        textBytes = 0
        positions.removeAll(keepingCapacity: true)
        last = nil
        try encoding.put(full, receive: emit)
    }

    private func emit(_ blocks: [EncodedDraft]) throws { try receive(blocks.map { newBlock($0, $1) }) }

    private func newBlock(_ draft: Draft, _ data: [UInt8]) -> NewBlock {
        var block = NewBlock(data: data, events: draft.rows.count, runs: [])
        block.runs.reserveCapacity(draft.learners.count)
        var position = 0
        for (learner, count) in draft.learners {
            block.runs.append(
                RunEntry(
                    learner: learner,
                    block: 0,
                    rows: position..<position + count,
                    firstTime: draft.milliseconds(position),
                    lastTime: draft.milliseconds(position + count - 1)
                )
            )
            position += count
        }
        return block
    }
}

extension StoreSession {
    func newGeneration(of partition: Int) throws -> Int64 {
        let generation = try tables.counter(.generation, of: partition) + 1
        try tables.setCounter(.generation, of: partition, generation)
        return generation
    }

    func insert(_ blocks: [NewBlock], in generation: Int64) throws {
        for block in blocks { for run in block.runs { memory.learnersInNewBlocks.insert(run.learner) } }
        if !blocks.isEmpty { try part(Partition.of(generation: generation)).hasNewBlocks = true }
        try tables.insert(blocks, in: generation)
    }

    /// - Parameter generation: the generation of the blocks.
    func blockWriter<Source>(in generation: Int64) -> BlockWriter<Source> {
        BlockWriter(options) { try self.insert($0, in: generation) }
    }
}
