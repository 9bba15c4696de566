// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// The origin of decoded events: the lines that contained them. The first row is 0.
protocol RowOrigin {
    /// The line of a row, and its number.
    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>)
    /// The name of a row's input.
    func file(_ row: Int) -> String
    /// An adapter's result for a row; nil for CloudEvents.
    func adapted(_ row: Int) -> AdaptedRow?
    /// The position of a row in the order of arrival, among these rows or among all staged rows.
    func arrival(_ row: Int) -> Int
}

/// The origin of the events of a decoded input.
struct DecodedRows: RowOrigin {
    let file: String
    let batch: InputBatch
    let recordOfRow: [Int32]
    let adapted: [AdaptedRow]

    func original(_ row: Int) -> (line: Int, bytes: ArraySlice<UInt8>) {
        let record = batch.records[Int(recordOfRow[row])]
        return (record.line, batch.bytes(of: record))
    }

    func file(_ row: Int) -> String { file }

    func adapted(_ row: Int) -> AdaptedRow? { adapted.isEmpty ? nil : adapted[Int(recordOfRow[row])] }

    func arrival(_ row: Int) -> Int { row }
}

/// The origin of some subjects' staged events. Use it from one thread at a time.
final class StagedRows: RowOrigin {
    let table: EventTable
    private let staged: StagedEvents
    private var lines: EventStock.LineReader
    /// The ranges of staged rows that this object consists of. `firstRow` is the number that the first row of a range
    /// has in this object.
    private var stretches: [(firstRow: Int, rows: Range<Int>)] = []

    init(_ staged: StagedEvents, of subjects: [(subject: [UInt8], rows: [Range<Int>])]) {
        self.staged = staged
        lines = EventStock.LineReader(staged.stock)
        table = staged.stock.table(subjects)
        var end = 0
        for rows in subjects.flatMap(\.rows) {
            stretches.append((end, rows))
            end += rows.count
        }
    }

    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>) {
        let (line, bytes) = try lines.original(staged(row))
        return (line, bytes[...])
    }

    func file(_ row: Int) -> String { staged.file(arrival(row)) }

    func adapted(_ row: Int) -> AdaptedRow? { staged.adapted.isEmpty ? nil : staged.adapted[arrival(row)] }

    func arrival(_ row: Int) -> Int { staged.stock.arrival(of: staged(row)) }

    /// The index of a row among all staged rows.
    private func staged(_ row: Int) -> Int {
        let (firstRow, rows) = stretches[stretches.indices.partitioningIndex { stretches[$0].firstRow > row } - 1]
        return rows.lowerBound + row - firstRow
    }
}
