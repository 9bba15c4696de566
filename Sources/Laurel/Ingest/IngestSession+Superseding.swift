// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore

extension IngestSession {
    /// Stores the retractions of events that others of the transaction take the place of, or that give way to stored ones.
    func retractSuperseded(_ transaction: any StoreTransaction) throws {
        guard !supersession.isEmpty else { return }
        // Who reads the report wants to know how many things came over, not how often they were told.
        let retractions = try supersession.retractions(in: transaction) { kind in
            pending.stored -= 1
            pending.duplicates += 1
            pending.count(.duplicates, of: kind)
            if pending.kinds.indices.contains(kind) { pending.kinds[kind].stored -= 1 }
        }
        supersession = Supersession()
        guard !retractions.isEmpty else { return }
        var chunk = DecodedInput(consumedBytes: 0)
        var decoder = EventDecoder()
        for retraction in retractions {
            chunk.append(retraction, decoder: &decoder, clock: nil)
        }
        batch.append(chunk)
        let groups = try batch.groups { try transaction.learnerIDs(for: $0) }
        let result = try append(groups, transaction)
        touch(result.stored)
        batch.removeAll()
    }
}
