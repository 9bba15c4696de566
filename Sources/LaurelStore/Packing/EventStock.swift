// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Events that wait in memory until they are stored, and the lines that contained them. An event takes about 70
/// bytes, a tenth of its size in a table with the lines.
///
/// One thread at a time may append. Other threads may read only after the last append.
package final class EventStock: @unchecked Sendable {
    /// Events of one learner, in the order of arrival.
    package struct Subject {
        package let subject: [UInt8]
        package let partition: Int
        /// The rows of the events in the stock.
        package fileprivate(set) var rows: [Range<Int>] = []
    }

    /// The events of one table, grouped by partition and then by subject.
    private struct Batch {
        let firstRow: Int
        let events: PackedEvents
        /// For each event, its row in the table.
        let tableRows: [UInt32]
        let lines: PackedLines
    }

    private let partition: ([UInt8]) -> Int
    private let dictionary = PackingDictionary()
    private lazy var compressor = Compressor(level: 1)
    private var batches: [Batch] = []
    private var batchBytes = 0
    private var names = TextTable()
    /// The subjects, in the order of their first events.
    package private(set) var subjects: [Subject] = []
    package private(set) var count = 0

    /// The approximate number of bytes for a subject without its name.
    private static let subjectBytes = 192
    /// The size in packed bytes up to which an event counts as one. A larger event counts as several events.
    private static let usualEventBytes = 320

    /// Creates an empty stock.
    /// - Parameter partition: returns the partition in which a subject's events are stored.
    package init(partition: @escaping ([UInt8]) -> Int) { self.partition = partition }

    /// The approximate memory of the stock in bytes.
    package var byteCount: Int {
        batchBytes + dictionary.byteCount + names.byteCount + subjects.count * EventStock.subjectBytes
    }

    /// Adds all rows of a table.
    /// - Parameter original: returns the line of a row, and the line's number.
    package func append(
        _ table: EventTable,
        original: (Int) throws -> (line: Int, bytes: ArraySlice<UInt8>)
    ) rethrows {
        guard table.count > 0 else { return }
        var rows: [Int] = []
        rows.reserveCapacity(table.count)
        for (subject, some) in rowsBySubject(table) {
            let first = count + rows.count
            rows += some
            subjects[subject].rows.append(first..<count + rows.count)
            batchBytes += MemoryLayout<Range<Int>>.stride
        }
        let events = PackedEvents(
            rows.map { TableRow(table: 0, row: Int32($0)) },
            of: [table],
            dictionary: dictionary
        )
        let lines = try PackedLines(rows, original, compressor)
        batches.append(Batch(firstRow: count, events: events, tableRows: rows.map { UInt32($0) }, lines: lines))
        batchBytes += events.byteCount + rows.count * MemoryLayout<UInt32>.stride + lines.byteCount
        count += table.count
    }

    /// The rows of each subject, in the order of arrival; the subjects are ordered by partition.
    private func rowsBySubject(_ table: EventTable) -> [(subject: Int, rows: [Int])] {
        var groups: [(subject: Int, rows: [Int])] = []
        var groupOfText = Array(repeating: -1, count: table.texts.count)
        for row in 0..<table.count {
            let text = Int(table.subject[row])
            if groupOfText[text] < 0 {
                groupOfText[text] = groups.count
                groups.append((number(of: table.texts[table.subject[row]]), []))
            }
            groups[groupOfText[text]].rows.append(row)
        }
        return groups.sorted {
            let (one, other) = (subjects[$0.subject].partition, subjects[$1.subject].partition)
            return one != other ? one < other : $0.subject < $1.subject
        }
    }

    private func number(of subject: ArraySlice<UInt8>) -> Int {
        let number = Int(names.intern(subject)) - 1
        if number == subjects.count {
            let name = Array(subject)
            subjects.append(Subject(subject: name, partition: partition(name)))
        }
        return number
    }

    private func batch(of row: Int) -> Int { batches.indices.partitioningIndex { batches[$0].firstRow > row } - 1 }

    /// The number of events, with each large event counted as several; see ``usualEventBytes``.
    package func size(of rows: Range<Int>) -> Int {
        guard let last = rows.last else { return 0 }
        let batch = batches[batch(of: last)]
        let (first, end) = (rows.lowerBound - batch.firstRow, rows.upperBound - batch.firstRow)
        let bytes =
            (end < batch.events.count ? Int(batch.events.starts[end]) : batch.events.bytes.count)
            - Int(batch.events.starts[first])
        return max(rows.count, bytes / EventStock.usualEventBytes)
    }

    /// The position of a row in the order of arrival.
    package func arrival(of row: Int) -> Int {
        let batch = batches[batch(of: row)]
        return batch.firstRow + Int(batch.tableRows[row - batch.firstRow])
    }

    /// Returns rows as a table, in the given order.
    package func table(_ groups: [(subject: [UInt8], rows: [Range<Int>])]) -> EventTable {
        var unpacker = EventUnpacker(dictionary, isForMany: true)
        unpacker.reserve(events: groups.reduce(0) { $1.rows.reduce($0) { $0 + $1.count } })
        for group in groups {
            let subject = unpacker.subject(group.subject)
            for rows in group.rows {
                let batch = batches[batch(of: rows.lowerBound)]
                for row in rows { unpacker.append(row - batch.firstRow, of: batch.events, subject: subject) }
            }
        }
        return unpacker.table
    }

    /// Reads the lines that the events were read from. Use it from one thread at a time.
    package struct LineReader {
        private let stock: EventStock
        private var reader = PackedLinesReader()

        package init(_ stock: EventStock) { self.stock = stock }

        /// The line of a row, and the line's number.
        package mutating func original(_ row: Int) throws -> (line: Int, bytes: [UInt8]) {
            let number = stock.batch(of: row)
            let batch = stock.batches[number]
            return try reader.line(row - batch.firstRow, of: batch.lines, batch: number)
        }
    }
}
