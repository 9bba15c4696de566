package import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// Reads events, stores them and brings all progress up to date; durable when it returns.
    ///
    /// What is refused or in conflict goes to quarantine and stops nothing. A large file is taken in several
    /// transactions, each of which stores events together with the progress they cause: after a failure half-way, feeding
    /// the file again completes it.
    /// - Throws: ``StoreError``. Inputs that cannot be read to their end are told in the report.
    /// - Complexity: memory for one batch, whatever the size of the inputs.
    package func ingest(
        _ sources: [IngestSource],
        options: IngestOptions,
        observe: (IngestProgress) -> Void = { _ in }
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
                try session.fill(transaction, observe: observe)
            }
            session.commit()
            rulesAreStored()
        } while !session.isAtEnd
        for copy in session.copies { try settle(copy, now: options.now) }
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
            options: IngestOptions(now: now),
            known: namesAtHand
        )
        defer { session.stop() }
        try store.write { transaction in
            session.use(try planInForce(in: transaction))
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
