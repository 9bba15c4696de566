// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

extension LeagueRun {
    /// Ingests the results that settlements noted, part by part. A part that was interrupted is ingested again, and its
    /// events are then duplicates.
    func deliver() throws {
        var done = 0
        for prefix in leagues.map(LeagueRecords.parts) {
            while true {
                let parts = try engine.store.read { try $0.serviceRecords(prefix: prefix, before: nil, limit: 16) }
                guard !parts.isEmpty else { break }
                for (name, text) in parts.sorted(by: { $0.key < $1.key }) {
                    try Cancellation.check()
                    let part = try LaurelJSON.decode(LeagueRecords.Part.self, from: Data(text.utf8))
                    try ingest(part)
                    try engine.setServiceRecords([name: nil])
                    done += part.results.count
                    observe(done)
                }
            }
        }
    }

    private func ingest(_ part: LeagueRecords.Part) throws {
        // A result must not bring back a learner who was erased after the settlement.
        let erasures = try engine.serviceRecords(prefix: ServiceRecordName.erasures)
        let events = part.results.filter { result in
            erasures[result.erasure].flatMap(Int64.init).map { $0 < part.decidedAt } ?? true
        }
        guard !events.isEmpty else { return }
        var request = IngestRequest(.lines, Array(events.map(\.event).joined(separator: "\n").utf8))
        (request.name, request.actor) = ("league", actor)
        switch try GroupIngest(engine, now: max(now, Date()).milliseconds, nil).run([request])[0] {
        // A conflicting event is another result with the same id, which then counts. It must not stop the other results.
        case .done: break
        case .nothingStored, .notAllowed, .unreadable:
            throw EngineError(.invalidRequest, "the results of a league could not be stored")
        case .failed(let error): throw error
        }
    }
}
