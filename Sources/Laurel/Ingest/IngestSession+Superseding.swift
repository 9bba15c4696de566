// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelStore

extension IngestSession {
    /// Stores retractions of events that other events supersede. Either event may have been stored earlier.
    func retractSuperseded(_ writing: IngestTransaction) throws {
        guard !supersession.isEmpty else { return }
        // Several events may report one activity. The ingest's report counts the activity once.
        let retractions = try supersession.retractions(in: writing.transaction) { kind in
            report.stored -= 1
            report.duplicates += 1
            report.count(.duplicates, of: kind)
            if report.kinds.indices.contains(kind) { report.kinds[kind].stored -= 1 }
        }
        supersession = Supersession()
        guard !retractions.isEmpty else { return }
        var chunk = DecodedInput(consumedBytes: 0)
        var decoder = EventDecoder()
        for retraction in retractions {
            chunk.append(retraction, decoder: &decoder, clock: nil)
        }
        batch.append(chunk)
        let groups = try batch.groups { try writing.transaction.learnerIDs(for: $0) }
        _ = try append(groups, writing)
        batch.removeAll()
    }
}
