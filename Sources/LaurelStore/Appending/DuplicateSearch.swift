// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// A search for the stored events that have the identities of a batch's rows.
struct DuplicateSearch {
    let table: EventTable
    /// For each learner, the rows that have not been found among stored events yet, ascending by time.
    private(set) var left: [LearnerRows]
    private(set) var outcomes: [(row: Int, outcome: AppendResult.Outcome)] = []

    init(_ table: EventTable, _ known: [LearnerRows]) {
        self.table = table
        left = known
        for index in left.indices {
            left[index].rows.sort { table.milliseconds[$0] < table.milliseconds[$1] }
        }
    }

    /// The indices in `left` of learners who have rows left.
    var indexes: [Int] { left.indices.filter { !left[$0].rows.isEmpty } }

    func times(_ index: Int) -> LazyMapCollection<[Int], Int64> {
        left[index].rows.lazy.map { [milliseconds = table.milliseconds] in milliseconds[$0] }
    }

    /// A query for the events between the first and the last of a learner's rows. The learner must have rows left.
    func query(_ index: Int) -> EventQuery {
        let (learner, times) = (left[index].learner, times(index))
        return EventQuery(learners: learner...learner, times: times.first!...times.last!)
    }

    /// Returns true if one of a learner's rows lies in a span of time, and outside the span that was searched already.
    func isLeft(_ index: Int, in times: ClosedRange<Int64>, outside done: ClosedRange<Int64>? = nil) -> Bool {
        self.times(index).contains { times.contains($0) && done?.contains($0) != true }
    }

    /// Looks for a learner's rows among stored events of that learner. The events are in the learner's order.
    mutating func search<Rows: RandomAccessCollection<Int>>(_ index: Int, in other: EventTable, _ rows: Rows)
    where Rows.Indices == Range<Int> {
        settle(index) { [table] row in
            guard let match = other.row(in: rows, sameIdentityAndTimeAs: row, of: table) else { return nil }
            return other.hasSameContent(match, table, row) ? .duplicate : .conflict
        }
    }

    /// Looks for a learner's rows among packed events of that learner.
    mutating func search(_ index: Int, in events: PackedEvents, _ rows: Range<Int>) {
        let same = events.rows(rows, at: times(index))
        if !same.isEmpty { search(index, in: events.table(same), 0..<same.count) }
    }

    /// Does the same as ``search(_:in:_:)``, but compares rows byte by byte first. That finds unchanged events quickly.
    /// - Parameter packed: all rows that are left, packed with the dictionary of the events.
    mutating func search(_ index: Int, in events: PackedEvents, _ rows: Range<Int>, packed: PackedRows) {
        settle(index) { [table] row in
            let own = packed.index(of: row)
            let same = events.rows(rows, at: table.milliseconds[row])
            return same.contains { events.isWritten($0, as: packed.events, own) } ? .duplicate : nil
        }
        search(index, in: events, rows)
    }

    /// Marks some of a learner's rows as stored with other content. The learner's other rows are not stored.
    mutating func markConflicts(_ index: Int, _ rows: [Int]) {
        outcomes += rows.map { ($0, .conflict) }
        left[index].rows = []
    }

    private mutating func settle(_ index: Int, _ outcome: (Int) -> AppendResult.Outcome?) {
        guard !left[index].rows.isEmpty else { return }
        var rows: [Int] = []
        for row in left[index].rows {
            if let outcome = outcome(row) { outcomes.append((row, outcome)) } else { rows.append(row) }
        }
        left[index].rows = rows
    }

    func packed(_ dictionary: PackingDictionary) -> PackedRows {
        PackedRows(left.flatMap(\.rows), of: table, dictionary: dictionary)
    }
}

/// Some rows of a table, packed.
struct PackedRows {
    let events: PackedEvents
    private var indexes: [Int32]

    fileprivate init(_ rows: [Int], of table: EventTable, dictionary: PackingDictionary) {
        events = PackedEvents(
            rows.map { TableRow(table: 0, row: Int32($0)) },
            of: [table],
            dictionary: dictionary
        )
        indexes = Array(repeating: -1, count: table.count)
        for (index, row) in rows.enumerated() { indexes[row] = Int32(index) }
    }

    /// The index in `events` of a row of the table. The row must be among the packed ones.
    func index(of row: Int) -> Int { Int(indexes[row]) }
}

extension EventTable {
    /// Finds, among rows in a learner's order, the row with the same time, source and id as a row of another table.
    /// - Complexity: O(log n), plus the number of rows at that time.
    fileprivate func row<Rows: RandomAccessCollection<Int>>(
        in rows: Rows,
        sameIdentityAndTimeAs row: Int,
        of other: EventTable
    ) -> Int? where Rows.Indices == Range<Int> {
        let time = other.milliseconds[row]
        let first = rows.indices.partitioningIndex { milliseconds[rows[$0]] >= time }
        let same = rows[first...].prefix { milliseconds[$0] == time }
        return same.first { hasSameIdentity($0, other, row) }
    }
}
