// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore

/// Quarantines records that are not events.
extension IngestSession {
    func refuse(
        _ refusal: Refusal,
        _ line: Int,
        _ bytes: [UInt8],
        _ writing: IngestTransaction?
    ) throws {
        report.refused += 1
        report.note(.init(file: input!.name, line: line, message: refusal.message))
        let record = quarantined(refusal, line)
        guard let writing else { return staged.append(RefusedLine(record: record, bytes: bytes)) }
        noteKept(try writing.transaction.quarantine(record, bytes: bytes))
    }

    /// - Parameter id: the line's id in quarantine; nil if the line was not kept.
    func noteKept(_ id: Int64?) {
        if id == nil { report.notKept += 1 }
    }

    /// Collects a piece of an oversized line, and quarantines the line at its end.
    func collect(_ record: InputRecord, _ writing: IngestTransaction?) throws {
        if record.part == .begin {
            report.read += 1
            oversized = OversizedLine(number: record.line)
        }
        oversized?.append(Array(chunk.batch.bytes(of: record)))
        if record.part == .end { try refuseOversized(writing?.transaction) }
    }

    /// Quarantines the oversized line, if there is one. Without a transaction, it starts a separate one.
    func refuseOversized(_ transaction: (any StoreTransaction)?) throws {
        guard let line = oversized else { return }
        guard let transaction else {
            return try store.write(in: store.partition(of: line.head)) { try refuseOversized($0) }
        }
        let refusal = Refusal.oversized
        report.refused += 1
        report.note(.init(file: input!.name, line: line.number, message: refusal.message))
        noteKept(try line.quarantine(quarantined(refusal, line.number), in: transaction))
        oversized = nil
    }

    private func quarantined(_ refusal: Refusal, _ line: Int) -> QuarantineRecord {
        QuarantineRecord(refusal, file: input!.name, line: line, clock: options.clock)
    }
}
