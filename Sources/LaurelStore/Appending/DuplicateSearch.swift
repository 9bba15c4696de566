// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Rows of a batch whose identities are stored, on their way to be found.
struct DuplicateSearch {
    let table: EventTable
    /// Those of each learner that are still to be found, by time.
    private(set) var left: [LearnerRows]
    private(set) var outcomes: [(row: Int, outcome: AppendResult.Outcome)] = []

    init(_ table: EventTable, _ known: [LearnerRows]) {
        self.table = table
        left = known
        for place in left.indices {
            left[place].rows.sort { table.milliseconds[$0] < table.milliseconds[$1] }
        }
    }

    /// The places of learners who have rows left.
    var places: [Int] { left.indices.filter { !left[$0].rows.isEmpty } }

    func times(_ place: Int) -> LazyMapCollection<[Int], Int64> {
        left[place].rows.lazy.map { [milliseconds = table.milliseconds] in milliseconds[$0] }
    }

    /// For events from the first to the last of a learner's rows, of which there are some.
    func query(_ place: Int) -> EventQuery {
        let (learner, times) = (left[place].learner, times(place))
        return EventQuery(learners: learner...learner, times: times.first!...times.last!)
    }

    /// Whether any of a learner's rows is of some span of time, and not of one that was looked through already.
    func isLeft(_ place: Int, in times: ClosedRange<Int64>, outside done: ClosedRange<Int64>? = nil) -> Bool {
        self.times(place).contains { times.contains($0) && done?.contains($0) != true }
    }

    /// Looks for a learner's rows among other events of theirs, which are in the learner's order.
    mutating func look<Rows: RandomAccessCollection<Int>>(_ place: Int, in other: EventTable, _ rows: Rows)
    where Rows.Indices == Range<Int> {
        settle(place) { [table] row in
            guard let match = other.row(in: rows, sameIdentityAndTimeAs: row, of: table) else { return nil }
            return other.hasSameContent(match, table, row) ? .duplicate : .conflict
        }
    }

    /// Looks for a learner's rows among packed events of theirs.
    mutating func look(_ place: Int, in events: PackedEvents, _ rows: Range<Int>) {
        let same = events.rows(rows, at: times(place))
        if !same.isEmpty { look(place, in: events.table(same), 0..<same.count) }
    }

    /// As ``look(_:in:_:)``, first for rows that are written as they were when they were stored, which is soon seen.
    /// - Parameter packed: all rows that are left, with the dictionary of the events.
    mutating func look(_ place: Int, in events: PackedEvents, _ rows: Range<Int>, packed: PackedRows) {
        settle(place) { [table] row in
            let own = packed.place(of: row)
            let same = events.rows(rows, at: table.milliseconds[row])
            return same.contains { events.isWritten($0, as: packed.events, own) } ? .duplicate : nil
        }
        look(place, in: events, rows)
    }

    /// Some of a learner's rows are stored with other content; the rest is not stored.
    mutating func markConflicts(_ place: Int, _ rows: [Int]) {
        outcomes += rows.map { ($0, .conflict) }
        left[place].rows = []
    }

    private mutating func settle(_ place: Int, _ outcome: (Int) -> AppendResult.Outcome?) {
        guard !left[place].rows.isEmpty else { return }
        var rows: [Int] = []
        for row in left[place].rows {
            if let outcome = outcome(row) { outcomes.append((row, outcome)) } else { rows.append(row) }
        }
        left[place].rows = rows
    }

    func packed(_ dictionary: PackingDictionary) -> PackedRows {
        PackedRows(left.flatMap(\.rows), of: table, dictionary: dictionary)
    }
}

/// Some rows of a table, packed.
struct PackedRows {
    let events: PackedEvents
    private var places: [Int32]

    fileprivate init(_ rows: [Int], of table: EventTable, dictionary: PackingDictionary) {
        events = PackedEvents(
            rows.map { TableRow(table: 0, row: Int32($0)) },
            of: [table],
            dictionary: dictionary
        )
        places = Array(repeating: -1, count: table.count)
        for (place, row) in rows.enumerated() { places[row] = Int32(place) }
    }

    /// Where a row of the table is, which must be one of them.
    func place(of row: Int) -> Int { Int(places[row]) }
}

extension EventTable {
    /// Of some rows in a learner's order, the one with the same time, source and id as a row of another table.
    /// - Complexity: O(log n) and the rows of that very time.
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
