// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// As ``ingest(_:options:observe:)`` tells.
    func ingestAll(
        _ sources: [IngestSource],
        options: IngestOptions,
        observe: (IngestProgress) -> Void
    ) throws -> IngestReport {
        let session = try IngestSession(
            tools: IngestTools(updater: LearnerUpdater(store: store, plan: plan, recent: recent)),
            inputs: sources.map(IngestInput.init),
            options: options,
            known: options.isStrict ? try knownNames() : namesAtHand
        )
        defer { session.stop() }
        repeat {
            // Whoever writes to a pipe now and then must not keep others from the store meanwhile.
            session.waitForInput()
            try store.write { transaction in
                session.use(try planInForce(in: transaction))
                session.announcer = try announcer(in: transaction)
                try session.fill(transaction, observe: observe)
            }
            session.commit()
            rulesAreStored()
        } while !session.isAtEnd
        for copy in session.copies { try settle(copy, now: options.clock) }
        var report = session.report
        try tell(session.unknownNames, in: &report)
        return report
    }

    /// Stores events that were made in this process.
    package func ingest(_ events: [Event], now: Int64) throws -> IngestReport {
        try ingest(Array(events.map(\.encoded).joined(separator: [UInt8(ascii: "\n")])), now: now)
    }

    /// Stores CloudEvents that are at hand, NDJSON or a JSON array, in one transaction.
    package func ingest(_ bytes: [UInt8], now: Int64) throws -> IngestReport {
        let plan = plan
        let session = try IngestSession(
            tools: spare.take(plan) ?? IngestTools(updater: LearnerUpdater(store: store, plan: plan, recent: recent)),
            inputs: [IngestInput(bytes, name: "events")],
            options: IngestOptions(now: Date(milliseconds: now)),
            known: namesAtHand
        )
        defer { session.stop() }
        try store.write { transaction in
            session.use(try planInForce(in: transaction))
            session.announcer = try announcer(in: transaction)
            while !session.isAtEnd { try session.fill(transaction, observe: { _ in }) }
        }
        session.commit()
        if let tools = session.spareTools { spare.giveBack(tools) }
        rulesAreStored()
        var report = session.report
        try tell(session.unknownNames, in: &report)
        return report
    }
}
