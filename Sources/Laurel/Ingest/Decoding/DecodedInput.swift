// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents

/// An adapter's result for a record.
struct AdaptedRow: Sendable {
    var kind: Int
    var keepsStored: Bool
    var claim: SupersedingClaim?
}

/// A part of an input, with its decoded events.
struct DecodedInput: Sendable {
    /// The records and their bytes.
    private(set) var batch: InputBatch
    /// The decoded events; empty if they were appended to a shared table.
    private(set) var table = EventTable()
    /// The table's row of the first decoded event.
    private let firstRow: Int
    /// For each row from `firstRow` on, the index of its record in the batch.
    private(set) var recordOfRow: [Int32] = []
    /// The reasons why the other records are not events, by ascending record. An oversized record is not decoded.
    private(set) var refusals: [(record: Int, refusal: Refusal)] = []
    /// The adapter's results, one for each record; empty for CloudEvents.
    private(set) var adapted: [AdaptedRow] = []
    /// The unknown names in the events; empty if names are not checked.
    private(set) var unknownNames = UnknownNames()
    /// The number of input bytes consumed up to the end of this part.
    let consumedBytes: Int64

    /// The approximate number of fields of an event.
    private static let usualValues = 4

    init(consumedBytes: Int64, firstRow: Int = 0) {
        batch = InputBatch()
        self.consumedBytes = consumedBytes
        self.firstRow = firstRow
    }

    /// - Parameter known: the known names; nil if names are not checked.
    init(
        _ batch: InputBatch,
        consumedBytes: Int64,
        decoder: inout EventDecoder,
        clock: Int64,
        known: KnownNames?
    ) {
        var table = EventTable()
        table.reserve(events: batch.records.count, values: batch.records.count * DecodedInput.usualValues)
        self.init(batch, consumedBytes: consumedBytes, into: &table, decoder: &decoder, clock: clock, known: known)
        self.table = table
    }

    /// - Parameter table: the table to append the events to.
    init(
        _ batch: InputBatch,
        consumedBytes: Int64,
        into table: inout EventTable,
        decoder: inout EventDecoder,
        clock: Int64,
        known: KnownNames?
    ) {
        self.batch = batch
        self.consumedBytes = consumedBytes
        firstRow = table.count
        recordOfRow.reserveCapacity(batch.records.count)
        batch.withBytes { bytes in
            decoder.decode(batch.records, of: bytes, into: &table, clock: clock) {
                recordOfRow.append(Int32(truncatingIfNeeded: $0))
            } refused: {
                refusals.append(($0, $1))
            }
        }
        lookForUnknownNames(of: table, decoder, known)
    }

    /// Creates a part of converted records.
    /// - Parameter table: the table to append the events to.
    init(
        _ records: [AdaptedRecord],
        into table: inout EventTable,
        decoder: inout EventDecoder,
        clock: Int64,
        known: KnownNames
    ) {
        self.init(consumedBytes: 0, firstRow: table.count)
        for record in records { append(record, into: &table, decoder: &decoder, clock: clock) }
        lookForUnknownNames(of: table, decoder, known)
    }

    mutating func lookForUnknownNames(_ decoder: EventDecoder, _ known: KnownNames?) {
        lookForUnknownNames(of: table, decoder, known)
    }

    private mutating func lookForUnknownNames(of table: EventTable, _ decoder: EventDecoder, _ known: KnownNames?) {
        guard let known else { return }
        let checksFields = decoder.mayHaveMetUnknownField
        guard
            checksFields || decoder.hasMetUnknownName || UnknownNames.mayNameAchievements(table)
                || UnknownNames.mayNameLearners(table, rows)
        else { return }
        unknownNames = UnknownNames(of: table, rows: rows, known: known, checksFields: checksFields) {
            batch.records[Int(recordOfRow[$0 - firstRow])].line
        }
    }

    /// The table's rows of the decoded events.
    var rows: Range<Int> { firstRow..<firstRow + recordOfRow.count }

    /// The origin of the rows.
    /// - Parameter file: the name of the input.
    func origin(in file: String) -> DecodedRows {
        DecodedRows(file: file, batch: batch, recordOfRow: recordOfRow, adapted: adapted)
    }

    /// True if every record is an event.
    var isClean: Bool { recordOfRow.count == batch.records.count }

    /// Adds an adapter's result: an event, or a reason why there is none.
    mutating func append(_ record: AdaptedRecord, decoder: inout EventDecoder, clock: Int64?) {
        var own = EventTable()
        swap(&own, &table)
        append(record, into: &own, decoder: &decoder, clock: clock)
        swap(&own, &table)
    }

    private mutating func append(
        _ record: AdaptedRecord,
        into table: inout EventTable,
        decoder: inout EventDecoder,
        clock: Int64?
    ) {
        let index = batch.records.count
        batch.append(record.original, line: record.line)
        adapted.append(AdaptedRow(kind: record.kind, keepsStored: record.keepsStored, claim: record.claim))
        switch record.outcome {
        case .refused(let refusal): refusals.append((index, refusal))
        case .event(let json):
            note(json.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }, of: index)
        }
        if let place = record.place, refusals.last?.record == index {
            refusals[refusals.count - 1].refusal.message = "\(place): \(refusals[refusals.count - 1].refusal.message)"
        }
    }

    private mutating func note(_ result: EventDecoder.Result, of index: Int) {
        switch result {
        case .ok: recordOfRow.append(Int32(index))
        case .refused(let refusal): refusals.append((index, refusal))
        }
    }
}
