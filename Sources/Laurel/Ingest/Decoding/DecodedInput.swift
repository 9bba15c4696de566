// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents

/// What an adapter said of a record.
struct AdaptedRow: Sendable {
    var kind: Int
    var keepsKnown: Bool
    var claim: SupersedingClaim?
}

/// A stretch of an input, its events decoded.
struct DecodedInput: Sendable {
    /// The records and their bytes.
    private(set) var batch: InputBatch
    /// Those of the records that are events; empty where they were put into a table that others share.
    private(set) var table = EventTable()
    /// The first of them in whichever table.
    private let firstRow: Int
    /// Per row from there on, its index in the batch's records.
    private(set) var recordOfRow: [Int32] = []
    /// Why other records are none, by ascending index. Pieces of a record that is too long to be held are not looked at.
    private(set) var refusals: [(record: Int, refusal: Refusal)] = []
    /// What an adapter said of each record, where one made them.
    private(set) var adapted: [AdaptedRow] = []
    /// The names in its events that are unknown, as far as was looked for them.
    private(set) var unknownNames = UnknownNames()
    /// How much of the input was taken in up to here.
    let consumedBytes: Int64

    /// Fields that an event has on average, about.
    private static let usualValues = 4

    init(consumedBytes: Int64) {
        batch = InputBatch()
        self.consumedBytes = consumedBytes
        firstRow = 0
    }

    /// - Parameter known: nil if names do not matter.
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

    /// - Parameter table: what the events are appended to.
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

    mutating func lookForUnknownNames(_ decoder: EventDecoder, _ known: KnownNames?) {
        lookForUnknownNames(of: table, decoder, known)
    }

    private mutating func lookForUnknownNames(of table: EventTable, _ decoder: EventDecoder, _ known: KnownNames?) {
        guard let known else { return }
        let looksAtFields = decoder.mayHaveMetUnknownField
        guard
            looksAtFields || decoder.hasMetUnknownName || UnknownNames.mayNameAchievements(table)
                || UnknownNames.mayNameLearners(table, rows)
        else { return }
        unknownNames = UnknownNames(of: table, rows: rows, known: known, looksAtFields: looksAtFields) {
            batch.records[Int(recordOfRow[$0 - firstRow])].line
        }
    }

    /// Those of its events in whichever table.
    var rows: Range<Int> { firstRow..<firstRow + recordOfRow.count }

    /// Where its rows came from.
    var origin: DecodedRows { DecodedRows(batch: batch, recordOfRow: recordOfRow, adapted: adapted) }

    /// Whether every record is an event.
    var isClean: Bool { recordOfRow.count == batch.records.count }

    /// Adds a record that an adapter has made an event of, or could not.
    mutating func append(_ record: AdaptedRecord, decoder: inout EventDecoder, clock: Int64?) {
        let index = batch.records.count
        batch.append(record.original, line: record.line)
        adapted.append(AdaptedRow(kind: record.kind, keepsKnown: record.keepsKnown, claim: record.claim))
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
