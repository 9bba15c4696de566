// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Decoded events that are not stored yet, with the lines they came from.
struct PendingEvents {
    private var copier: TableAppender?
    private var origins: [(firstRow: Int, origin: any RowOrigin)] = []
    /// Of the lines kept.
    private(set) var bytes = 0

    var table: EventTable { copier?.table ?? EventTable() }
    var count: Int { copier?.table.count ?? 0 }

    init() {}

    /// Events that stand in one table already.
    /// - Parameter requests: where they came from, in their order.
    init(_ table: EventTable, of requests: [DecodedRequest]) {
        copier = TableAppender(table)
        for index in requests.indices where !requests[index].chunk.rows.isEmpty {
            note(requests[index].chunk.origin, of: requests[index].chunk.rows.lowerBound)
        }
    }

    /// Events that were staged, taken out again.
    init(_ rows: StagedRows) {
        copier = TableAppender(rows.table)
        origins = [(0, rows)]
    }

    private mutating func note(_ origin: DecodedRows, of firstRow: Int) {
        origins.append((firstRow, origin))
        bytes += origin.batch.byteCount
    }

    mutating func append(_ chunk: DecodedInput) {
        let table = chunk.table
        guard table.count > 0 else { return }
        note(chunk.origin, of: count)
        guard let copier else {
            self.copier = TableAppender(table)
            return
        }
        copier.begin(table)
        for row in 0..<table.count { copier.append(row, of: table) }
    }

    /// A row's line and its number.
    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>) {
        let (origin, place) = origin(of: row)
        return try origin.original(place)
    }

    /// What an adapter said of a row; nil if none made it.
    func adapted(_ row: Int) -> AdaptedRow? {
        let (origin, place) = origin(of: row)
        return origin.adapted(place)
    }

    /// When a row came, among all that are staged.
    func arrival(_ row: Int) -> Int {
        let (origin, place) = origin(of: row)
        return row - place + origin.arrival(place)
    }

    private func origin(of row: Int) -> (origin: any RowOrigin, place: Int) {
        let (firstRow, origin) = origins[origins.indices.partitioningIndex { origins[$0].firstRow > row } - 1]
        return (origin, row - firstRow)
    }

    /// The rows by learner, in the order of arrival; learners ascending.
    /// - Parameters:
    ///   - skipped: rows that are in none.
    ///   - ids: gives the ids of subjects.
    func groups(skipping skipped: [Range<Int>] = [], _ ids: ([[UInt8]]) throws -> [Int64]) rethrows -> [LearnerRows] {
        let table = table
        var rows: [[Int]] = []
        var groupOfSubject = Array(repeating: -1, count: table.texts.count)
        var subjects: [UInt32] = []
        for row in 0..<table.count where !skipped.contains(where: { $0.contains(row) }) {
            let subject = Int(table.subject[row])
            if groupOfSubject[subject] < 0 {
                groupOfSubject[subject] = rows.count
                rows.append([])
                subjects.append(UInt32(subject))
            }
            rows[groupOfSubject[subject]].append(row)
        }
        return try zip(ids(subjects.map { Array(table.texts[$0]) }), rows)
            .map { LearnerRows(learner: $0, rows: $1) }
            .sorted { $0.learner < $1.learner }
    }

    /// A group's rows, where they stand together.
    private func run(of group: LearnerRows, _ shared: EventTableReference) -> EventRun? {
        let (first, last) = (group.rows[0], group.rows[group.rows.count - 1])
        guard last - first + 1 == group.rows.count, group.rows.elementsEqual(first...last) else { return nil }
        return EventRun(shared, rows: first..<last + 1)
    }

    /// What rows that were stored do to their learners.
    /// - Parameters:
    ///   - keepsPosition: whether the first row's place among events of one time is kept, too.
    ///   - kept: the table, where the rows are kept until they are folded; otherwise they are read again. One for all groups: what is
    ///     looked up in it is looked up once.
    ///   - take: told of each learner of whom something was stored.
    func touches(
        _ stored: [LearnerRows],
        keepsPosition: Bool,
        in kept: EventTableReference?,
        _ take: (Int64, LearnerUpdater.Touch) -> Void
    ) {
        // Once: to ask for the table is to copy it.
        let table = table
        let corrections = table.types(named: EventKind.corrections.map(\.rawValue))
        for group in stored {
            guard let first = group.rows.first else { continue }
            let time = table.milliseconds[first]
            let touch = LearnerUpdater.Touch(
                earliest: keepsPosition ? EventPosition(table, first) : EventPosition(before: time),
                hasCorrections: !corrections.isEmpty && group.rows.contains { corrections.contains(table.type[$0]) },
                count: group.rows.count,
                run: kept.flatMap { run(of: group, $0) }.map(LearnerUpdater.KeptRun.init)
            )
            take(group.learner, touch)
        }
    }

    mutating func removeAll() { self = PendingEvents() }
}
