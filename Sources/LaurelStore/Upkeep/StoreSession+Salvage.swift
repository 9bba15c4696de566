// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads the undamaged events of a damaged store.
///
/// Blocks and records of the tail contain their learner and a checksum. So each can be read alone, without the tables
/// that list where a learner's events are. Damaged blocks and records are skipped, and their events are counted as
/// missing. Any other error ends the salvage, because an incomplete result would look complete.
extension StoreSession {
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage {
        try endAppending()
        var run = SalvageRun()
        run.findLearners(try tables.readableLearners())
        let positions = try tables.readableReferences()
        for block in positions.blocks.sorted() {
            guard let decoded = try tables.ifReadable({ try decodeBlock(block, .all, namingBy: run.subject) }) else {
                continue
            }
            for (learner, rows) in decoded.runs {
                guard let record = run.found(rows.count, of: learner) else { continue }
                try body(record, EventRun(decoded.shared, rows: rows))
            }
        }
        for learner in positions.learners.union(run.learners.keys).sorted() {
            let tail = try salvagedTail(of: learner, run.subject(of: learner))
            guard tail.count > 0, let record = run.found(tail.count, of: learner) else { continue }
            try body(record, EventRun(EventTableReference(tail), rows: 0..<tail.count))
        }
        return run.salvage
    }

    private func decodeBlock(_ id: Int64, _ fields: FieldSelection, namingBy name: (Int64) -> [UInt8]) throws
        -> DecodedBlock
    {
        try withData(ofBlock: id) { data in
            try corruption(ofBlock: id) { try decoder.decode(data, fields: fields, of: nil) { name($0) } }
        }
    }

    /// A learner's undamaged events in the tail. They are read from the pages before the first damaged page and after
    /// the last damaged page. Damaged records are left out.
    private func salvagedTail(of learner: Int64, _ subject: [UInt8]) throws -> EventTable {
        var table = EventTable()
        let subject = subject.withUnsafeBufferPointer { table.intern(text: $0) }
        var seen: Set<TailPosition> = []
        for row in try tables.readableTailRows(of: learner) {
            guard seen.insert(TailPosition(row.key.milliseconds, row.key.sequence)).inserted else { continue }
            let key = row.key
            row.data.withUnsafeBytes { data in
                // A record that cannot be decoded may leave values in the table. So each record is first decoded into a
                // temporary table.
                var trial = EventTable()
                guard (try? TailRecord.decode(data, key: key, subject: 0, into: &trial)) != nil else { return }
                try? TailRecord.decode(data, key: key, subject: subject, into: &table)
            }
        }
        var order = Array(0..<table.count)
        table.sortIntoLearnerOrder(&order)
        return EventTable(gathering: order, of: table)
    }
}

/// The key of one learner's record in the tail.
private struct TailPosition: Hashable {
    let milliseconds: Int64
    let sequence: Int64

    init(_ milliseconds: Int64, _ sequence: Int64) {
        (self.milliseconds, self.sequence) = (milliseconds, sequence)
    }
}

/// The state of a salvage.
private struct SalvageRun {
    struct Learner {
        var subject: [UInt8]
        /// The number of events that the store counts; nil if it cannot be read.
        var counted: Int?
        var found = 0
    }

    private(set) var learners: [Int64: Learner] = [:]
    private var nameless: [Int64: Int] = [:]

    mutating func findLearners(_ found: [(id: Int64, subject: [UInt8], events: Int?)]) {
        for (id, subject, events) in found {
            learners[id] = Learner(subject: subject, counted: events)
        }
    }

    func subject(of learner: Int64) -> [UInt8] { learners[learner]?.subject ?? [] }

    /// Adds to the number of a learner's undamaged events.
    /// - Returns: the learner; nil if the learner's id is lost.
    mutating func found(_ events: Int, of learner: Int64) -> LearnerRecord? {
        guard let known = learners[learner] else {
            nameless[learner, default: 0] += events
            return nil
        }
        learners[learner]!.found += events
        return LearnerRecord(id: learner, subject: known.subject, eventCount: known.counted ?? 0)
    }

    var salvage: Salvage {
        var result = Salvage(events: learners.values.reduce(0) { $0 + $1.found })
        let known = learners.values.sorted { $0.subject.lexicographicallyPrecedes($1.subject) }
        for learner in known where learner.counted != learner.found {
            result.losses.append(
                Salvage.Loss(subject: learner.subject, counted: learner.counted, found: learner.found)
            )
        }
        for (learner, events) in nameless.sorted(by: { $0.key < $1.key }) {
            result.losses.append(Salvage.Loss(subject: nil, counted: events, found: 0, id: learner))
        }
        return result
    }
}
