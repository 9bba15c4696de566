// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Decoded events that are not stored yet, and the lines that contain them.
struct PendingEvents {
    private var copier: TableAppender?
    private var origins: [(firstRow: Int, origin: any RowOrigin)] = []
    /// The bytes of the kept lines.
    private(set) var bytes = 0

    var table: EventTable { copier?.table ?? EventTable() }
    var count: Int { copier?.table.count ?? 0 }

    init() {}

    /// Creates pending events from a shared table.
    /// - Parameter requests: the requests of the events, in their order.
    init(_ table: EventTable, of requests: [DecodedRequest]) {
        copier = TableAppender(table)
        for index in requests.indices where !requests[index].chunk.rows.isEmpty {
            let chunk = requests[index].chunk
            note(chunk.origin(in: requests[index].request.name), of: chunk.rows.lowerBound)
        }
    }

    /// Creates pending events from staged rows.
    init(_ rows: StagedRows) {
        copier = TableAppender(rows.table)
        origins = [(0, rows)]
    }

    private mutating func note(_ origin: DecodedRows, of firstRow: Int) {
        origins.append((firstRow, origin))
        bytes += origin.batch.byteCount
    }

    /// - Parameter file: the name of the chunk's input.
    mutating func append(_ chunk: DecodedInput, of file: String) {
        let table = chunk.table
        guard table.count > 0 else { return }
        note(chunk.origin(in: file), of: count)
        guard let copier else {
            self.copier = TableAppender(table)
            return
        }
        copier.begin(table)
        for row in 0..<table.count { copier.append(row, of: table) }
    }

    /// The line of a row, and its number.
    func original(_ row: Int) throws -> (line: Int, bytes: ArraySlice<UInt8>) {
        let (origin, position) = origin(of: row)
        return try origin.original(position)
    }

    /// The name of a row's input.
    func file(_ row: Int) -> String {
        let (origin, position) = origin(of: row)
        return origin.file(position)
    }

    /// An adapter's result for a row; nil for CloudEvents.
    func adapted(_ row: Int) -> AdaptedRow? {
        let (origin, position) = origin(of: row)
        return origin.adapted(position)
    }

    /// The position of a row in the order of arrival, among all staged rows.
    func arrival(_ row: Int) -> Int {
        let (origin, position) = origin(of: row)
        return row - position + origin.arrival(position)
    }

    private func origin(of row: Int) -> (origin: any RowOrigin, position: Int) {
        let (firstRow, origin) = origins[origins.indices.partitioningIndex { origins[$0].firstRow > row } - 1]
        return (origin, row - firstRow)
    }

    /// The rows of each subject, in the order of arrival.
    /// - Parameter skipped: rows to leave out.
    func subjects(skipping skipped: [Range<Int>] = []) -> [(subject: [UInt8], rows: [Int])] {
        let table = table
        var groups: [(subject: [UInt8], rows: [Int])] = []
        var groupOfSubject = Array(repeating: -1, count: table.texts.count)
        for row in 0..<table.count where !skipped.contains(where: { $0.contains(row) }) {
            let subject = Int(table.subject[row])
            if groupOfSubject[subject] < 0 {
                groupOfSubject[subject] = groups.count
                groups.append((Array(table.texts[table.subject[row]]), []))
            }
            groups[groupOfSubject[subject]].rows.append(row)
        }
        return groups
    }

    /// Replaces subjects that were merged.
    func renameSubjects(_ names: [[UInt8]: [UInt8]]) { copier?.renameSubjects(names) }

    mutating func removeAll() { self = PendingEvents() }
}
