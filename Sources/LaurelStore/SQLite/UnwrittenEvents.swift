internal import LaurelEvents

/// Events of large batches that a transaction has stored but not written yet, in the tables they came in.
///
/// Blocks made of many batches at once hold longer runs of each learner, and need not be read, merged and written again.
struct UnwrittenEvents {
    /// Some of a learner's rows of one table, in the learner's order.
    struct Stretch {
        /// Place of the table in ``tables``.
        var table: Int
        var rows: [Int]
    }

    private(set) var tables: [EventTable] = []
    private var learners: [Int64: [Stretch]] = [:]
    private(set) var count = 0
    /// What the tables take, about, in bytes.
    private(set) var bytes = 0

    var isEmpty: Bool { count == 0 }
    var learnerCount: Int { learners.count }

    /// - Parameter groups: the rows to store of each learner, in the learner's order; none empty.
    mutating func append(_ table: EventTable, _ groups: [LearnerRows]) {
        guard !groups.isEmpty else { return }
        for group in groups {
            learners[group.learner, default: []].append(Stretch(table: tables.count, rows: group.rows))
            count += group.rows.count
        }
        var kept = table
        kept.dropTextIndex()
        tables.append(kept)
        bytes += kept.byteCount
    }

    func stretches(of learner: Int64) -> [Stretch] { learners[learner] ?? [] }

    /// Hands all of it to a writer of blocks.
    func write(to writer: inout BlockWriter) throws {
        for learner in learners.keys.sorted() {
            let stretches = learners[learner]!
            let runs = stretches.map { LearnerOrder.Run(table: tables[$0.table], rows: $0.rows) }
            for stretch in LearnerOrder.merged(runs) {
                let table = stretches[stretch.run].table
                try writer.append(tables[table], stretch.rows, key: Int64(table), of: learner)
            }
        }
    }
}

extension SQLiteSession {
    /// Writes the events kept back so far, as one generation. To be called before anything reads blocks or runs.
    func writeUnwritten() throws {
        guard !unwritten.isEmpty else { return }
        let events = unwritten
        unwritten = UnwrittenEvents()
        // Blocks of long runs are not written again.
        let isFinal = events.count >= events.learnerCount * options.goodRunLength
        var writer = try BlockWriter(self, level: isFinal ? options.mergedCompressionLevel : nil)
        try events.write(to: &writer)
        try writer.finish()
    }
}
