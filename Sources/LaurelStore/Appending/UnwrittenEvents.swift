// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Events of large batches that a transaction has accepted but not written to blocks yet.
///
/// Blocks made of many batches contain longer runs of each learner. Such blocks need not be read, merged and written
/// again.
struct UnwrittenEvents {
    /// A learner's events of one batch, in the learner's order.
    typealias Stretch = LearnerOrder.Run<PackedEvents>

    /// The position of a stretch: the index of its batch, and its rows there.
    private struct BatchSlice {
        var batch: Int32
        var first: Int32
        var end: Int32
    }

    private let dictionary = PackingDictionary()
    private var batches: [PackedEvents] = []
    private var learners: [Int64: [BatchSlice]] = [:]
    /// The partitions with unwritten events.
    private(set) var partitions: Set<Int> = []
    private(set) var count = 0
    private var batchBytes = 0

    /// The approximate size of the events in bytes.
    var bytes: Int { batchBytes + dictionary.byteCount }
    var isEmpty: Bool { count == 0 }

    /// - Parameter groups: the rows to store for each learner, in the learner's order; none is empty. All learners are of
    ///   one partition.
    mutating func append(_ table: EventTable, _ groups: [LearnerRows], of partition: Int) {
        partitions.insert(partition)
        var rows: [TableRow] = []
        rows.reserveCapacity(table.count)
        for group in groups {
            let first = rows.count
            for row in group.rows { rows.append(TableRow(table: 0, row: Int32(row))) }
            let slice = BatchSlice(batch: Int32(batches.count), first: Int32(first), end: Int32(rows.count))
            learners[group.learner, default: []].append(slice)
        }
        let batch = PackedEvents(rows, of: [table], dictionary: dictionary)
        batches.append(batch)
        count += batch.count
        batchBytes += batch.byteCount
    }

    func stretches(of learner: Int64) -> [Stretch] { (learners[learner] ?? []).map(stretch) }

    private func stretch(_ slice: BatchSlice) -> Stretch {
        Stretch(events: batches[Int(slice.batch)], rows: Int(slice.first)..<Int(slice.end))
    }

    /// Writes the events of some learners to blocks.
    /// - Returns: the number of events.
    func write(_ some: [Int64], to writer: inout BlockWriter<PackedEvents>) throws -> Int {
        var count = 0
        for learner in some {
            let positions = learners[learner]!
            count += positions.reduce(0) { $0 + Int($1.end - $1.first) }
            for stretch in LearnerOrder.merged(positions.map(stretch)) {
                let batch = Int(positions[stretch.run].batch)
                try writer.append(batches[batch], stretch.rows, key: Int64(batch), of: learner)
            }
        }
        return count
    }

    /// The learners with unwritten events, ascending.
    var allLearners: [Int64] { learners.keys.sorted() }
}

extension StoreSession {
    /// Writes the events that are in memory, as one generation of each partition, and the changes of their learners.
    /// Call it before anything reads blocks or runs.
    func writeUnwritten() throws {
        // This frees memory for the writing.
        memory.compared.removeAll()
        try closeLearners()
        guard !memory.unwritten.isEmpty else { return }
        let events = memory.unwritten
        memory.unwritten = UnwrittenEvents()
        for (part, learners) in try byPartition(events.allLearners, \.self) {
            var writer: BlockWriter<PackedEvents> = try blockWriter(in: newGeneration(of: part.partition))
            part.eventsInNewBlocks += try events.write(learners, to: &writer)
            try writer.finish()
        }
    }
}
