// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelAdapters
import LaurelEvents
package import LaurelResults

/// A file in memory whose records were converted to events. Nothing is stored yet.
package struct ConvertedFile: Sendable {
    /// The event of a record, or the reason why the record gives none.
    package struct Row: Sendable {
        /// The record's number, from 1: the line of a text file, or the row of a query.
        package let line: Int
        /// The event as JSON.
        package let event: [UInt8]
        /// The reason to refuse the record; nil if its event is valid.
        package let problem: String?
    }

    /// The maximum numbers of records and of mistakes to show.
    private static let (mostRows, mostProblems) = (20, 20)
    /// The number of seconds for which SQLite may read a file that came with a request.
    private static let mostSeconds = 20.0

    /// The name of the file, for quarantine.
    private let name: String
    private var records: [AdaptedRecord] = []
    /// The first records.
    package private(set) var rows: [Row] = []
    /// The first records that are refused.
    package private(set) var problems: [Row] = []
    /// The number of valid events.
    package private(set) var events = 0
    /// The parts of the file that give no event.
    package private(set) var leftOut: [IngestReport.LeftOut] = []

    /// Converts the records of a file.
    /// - Parameters:
    ///   - bytes: the file, not compressed.
    ///   - format: the format of the file; nil for CloudEvents.
    ///   - now: the ingest clock: events more than 24 hours ahead of it are refused.
    /// - Throws: ``EngineError`` if the file does not have the format, or cannot be read to its end.
    package init(
        _ bytes: [UInt8],
        name: String,
        format: InputFormat?,
        attributes: FormatAttributes,
        now: Date
    ) throws(EngineError) {
        self.name = name
        var check = EventCheck(clock: now.milliseconds)
        let source = MemorySource(bytes, name: name)
        try EngineError.translating {
            guard let format else {
                var reader = InputReader(source)
                return try readEvents(&reader, &check)
            }
            var options = attributes.options
            options.fileSeconds = options.fileSeconds ?? Self.mostSeconds
            var adapter = try format.kind.adapter(options)
            var reader = InputReader(source, shape: format.kind.shape)
            leftOut = try adapter.read(&reader, path: nil) { add($0, &check) }.map(IngestReport.LeftOut.init)
        }
    }

    /// The number of records.
    package var count: Int { records.count }
    /// The number of records that give no event.
    package var refused: Int { records.count - events }

    /// The request that stores some of the records. Refused records go to quarantine.
    package func request(for range: Range<Int>) -> IngestRequest {
        let part = Array(records[range])
        var request = IngestRequest(.lines, Array(part.map(\.original).joined(separator: [UInt8(ascii: "\n")])))
        request.name = name
        request.converted = part
        return request
    }

    private mutating func readEvents(_ reader: inout InputReader, _ check: inout EventCheck) throws {
        var batch = InputBatch()
        while try reader.next(&batch) {
            for record in batch.records where record.part == .whole || record.part == .begin {
                let bytes = Array(batch.bytes(of: record))
                let outcome = record.part == .whole ? AdaptedRecord.Outcome.event(bytes) : .refused(.oversized)
                add(AdaptedRecord(line: record.line, original: bytes[...], outcome: outcome), &check)
            }
        }
    }

    private mutating func add(_ record: AdaptedRecord, _ check: inout EventCheck) {
        var record = record
        // A slice would keep the memory of the whole batch that contained the record.
        record.original = Array(record.original)[...]
        records.append(record)
        let problem = check.refusal(of: record)?.message
        events += problem == nil ? 1 : 0
        guard rows.count < Self.mostRows || problem != nil && problems.count < Self.mostProblems else { return }
        let event: [UInt8] = if case .event(let json) = record.outcome { json } else { [] }
        let place = record.place.map { "\($0): " } ?? ""
        let row = Row(line: record.line, event: event, problem: problem.map { place + $0 })
        if rows.count < Self.mostRows { rows.append(row) }
        if problem != nil, problems.count < Self.mostProblems { problems.append(row) }
    }
}

/// Finds records whose events are not valid.
struct EventCheck {
    private let clock: Int64
    private var decoder = EventDecoder()
    private var table = EventTable()

    /// - Parameter clock: the ingest clock, in milliseconds since 1970.
    init(clock: Int64) { self.clock = clock }

    /// The reason to refuse a record; nil if its event is valid.
    mutating func refusal(of record: AdaptedRecord) -> Refusal? {
        switch record.outcome {
        case .refused(let refusal): return refusal
        case .event(let json):
            if table.count > 10_000 { table = EventTable() }
            let result = json.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
            if case .refused(let refusal) = result { return refusal }
            return nil
        }
    }
}
