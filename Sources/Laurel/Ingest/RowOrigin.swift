// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Where some decoded events came from. They are counted from 0.
protocol RowOrigin {
    /// A row's line and its number.
    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>)
    /// What an adapter said of a row; nil if none made it.
    func adapted(_ row: Int) -> AdaptedRow?
    /// When a row came, among these or all that are staged.
    func arrival(_ row: Int) -> Int
}

/// Those of a stretch of an input that is at hand.
struct DecodedRows: RowOrigin {
    let batch: InputBatch
    let recordOfRow: [Int32]
    let adapted: [AdaptedRow]

    func original(_ row: Int) -> (line: Int, bytes: ArraySlice<UInt8>) {
        let record = batch.records[Int(recordOfRow[row])]
        return (record.line, batch.bytes(of: record))
    }

    func adapted(_ row: Int) -> AdaptedRow? { adapted.isEmpty ? nil : adapted[Int(recordOfRow[row])] }

    func arrival(_ row: Int) -> Int { row }
}

/// Those that were staged, some subjects' of them taken out again. Used by one thread at a time.
final class StagedRows: RowOrigin {
    let table: EventTable
    /// The rows of each subject, in the order given.
    let groups: [Range<Int>]
    private let staged: StagedEvents
    private var lines: EventStock.LineReader
    /// Stretches of the stock, and the first row of each.
    private var stretches: [(firstRow: Int, rows: Range<Int>)] = []

    init(_ staged: StagedEvents, of subjects: [StagedShare.Subject]) {
        self.staged = staged
        lines = EventStock.LineReader(staged.stock)
        table = staged.stock.table(subjects.map { ($0.subject, $0.rows) })
        var end = 0
        var groups: [Range<Int>] = []
        for subject in subjects {
            let first = end
            for rows in subject.rows {
                stretches.append((end, rows))
                end += rows.count
            }
            groups.append(first..<end)
        }
        self.groups = groups
    }

    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>) {
        let (line, bytes) = try lines.original(staged(row))
        return (line, bytes[...])
    }

    func adapted(_ row: Int) -> AdaptedRow? { staged.adapted.isEmpty ? nil : staged.adapted[arrival(row)] }

    func arrival(_ row: Int) -> Int { staged.stock.arrival(of: staged(row)) }

    /// The stock's number of a row.
    private func staged(_ row: Int) -> Int {
        let (firstRow, rows) = stretches[stretches.indices.partitioningIndex { stretches[$0].firstRow > row } - 1]
        return rows.lowerBound + row - firstRow
    }
}
