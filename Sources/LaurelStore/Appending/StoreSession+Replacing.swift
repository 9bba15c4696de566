// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Decides which of two contradicting events arrived first. Only the events of a partition's tail have sequence numbers in
/// the order of arrival.
extension StoreSession {
    private struct TailEvent {
        var key: TailRecord.Key
        var row: Int
    }

    /// The parts of an event's identity besides the learner.
    private struct Identity: Hashable {
        var source: [UInt8]
        var id: [UInt8]

        init(_ table: EventTable, _ row: Int) {
            (source, id) = (Array(table.texts[table.source[row]]), table.identifier(row))
        }
    }

    func replaceLaterArrivals(
        of learner: Int64,
        by rows: [Int],
        of table: EventTable,
        from merged: Int64
    ) throws -> (rows: Set<Int>, replaced: EventTable) {
        let part = try part(of: learner)
        // The sequence numbers of different partitions cannot be compared.
        guard !rows.isEmpty, part.partition == Partition.of(learner: merged) else { return ([], EventTable()) }
        try endAppending()
        let (stored, own) = try (tailEvents(of: learner), tailEvents(of: merged))
        let copier = TableAppender()
        var won = WonRows()
        copier.begin(stored.table)
        for row in rows {
            let identity = Identity(table, row)
            guard let later = stored.events[identity], let event = own.events[identity],
                event.key.sequence < later.key.sequence
            else { continue }
            copier.append(later.row, of: stored.table)
            won.add(row, later.key, of: table)
        }
        guard !won.rows.isEmpty else { return ([], EventTable()) }
        try tables.deleteTail(won.replaced)
        try tables.append(won.tail)
        try tables.count([CountedEvents(learner: learner, events: 0, commit: try touch([learner], of: part))])
        return (won.rows, copier.table)
    }

    /// The rows that replace stored events, the keys of the replaced events, and the new rows of the tail.
    private struct WonRows {
        private(set) var rows: Set<Int> = []
        private(set) var replaced: [TailRecord.Key] = []
        private(set) var tail: [TailRow] = []

        mutating func add(_ row: Int, _ later: TailRecord.Key, of table: EventTable) {
            var key = later
            key.milliseconds = table.milliseconds[row]
            rows.insert(row)
            replaced.append(later)
            tail.append(TailRow(key: key, data: TailRecord.encode(table, row, key: key)))
        }
    }

    private func tailEvents(of learner: Int64) throws -> (table: EventTable, events: [Identity: TailEvent]) {
        var table = EventTable()
        var events: [Identity: TailEvent] = [:]
        try tables.forEachTailRow([EventQuery(learners: learner...learner)]) { key, data in
            try decode(data, key, 0, &table)
            let row = table.count - 1
            events[Identity(table, row)] = TailEvent(key: key, row: row)
        }
        return (table, events)
    }
}
