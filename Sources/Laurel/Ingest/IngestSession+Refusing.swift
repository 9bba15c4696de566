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
        _ transaction: (any StoreTransaction)?
    ) throws {
        pending.refused += 1
        pending.note(.init(file: input!.name, line: line, message: refusal.message))
        let record = quarantined(refusal, line)
        guard let transaction else { return staged.append(RefusedLine(record: record, bytes: bytes)) }
        noteKept(try transaction.quarantine(record, bytes: bytes))
    }

    /// - Parameter id: the line's id in quarantine; nil if the line was not kept.
    func noteKept(_ id: Int64?) {
        if id == nil { pending.notKept += 1 }
    }

    /// Quarantines an oversized line piece by piece. Without a transaction, it starts a separate one.
    func refuseOversized(_ record: InputRecord, _ transaction: (any StoreTransaction)?) throws {
        guard let transaction else {
            let partition = store.partition(of: Array(chunk.batch.bytes(of: record).prefix(1024)))
            return try store.write(in: partition) { try refuseOversized(record, $0) }
        }
        let refusal = Refusal.oversized
        pending.refused += 1
        pending.note(.init(file: input!.name, line: record.line, message: refusal.message))
        var piece: InputRecord? = record
        let id = try transaction.quarantine(quarantined(refusal, record.line)) {
            guard let part = piece else { return nil }
            let bytes = Array(chunk.batch.bytes(of: part))
            piece = part.part == .end ? nil : nextPiece()
            return bytes
        }
        noteKept(id)
    }

    /// The next piece of a record; nil if the input breaks off within the record.
    private func nextPiece() -> InputRecord? {
        while true {
            if let (record, _) = nextRecord() { return record }
            // The error is thrown again, and reported, when the next chunk is read.
            guard case .output(let next)? = try? nextChunk(waits: true) else { return nil }
            begin(next)
        }
    }

    private func quarantined(_ refusal: Refusal, _ line: Int) -> QuarantineRecord {
        QuarantineRecord(refusal, file: input!.name, line: line, clock: options.clock)
    }
}
