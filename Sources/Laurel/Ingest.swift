package import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Synchronization

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
        let session = try IngestSession(plan: plan, sources: sources, options: options)
        repeat {
            // Whoever writes to a pipe now and then must not keep others from the store meanwhile.
            session.waitForInput()
            try store.write { transaction in
                try applyPendingRules(in: transaction)
                try session.fill(transaction, observe: observe)
            }
            session.commit()
            pendingRules.withLock { $0 = nil }
        } while !session.isAtEnd
        var report = session.report
        try settle(session.totals, &report, now: options.now)
        return report
    }

    /// Stores events that were made in this process.
    package func ingest(_ events: [Event], now: Int64) throws -> IngestReport {
        let bytes = Array(events.map(\.encoded).joined(separator: [UInt8(ascii: "\n")]))
        let session = try IngestSession(
            plan: plan,
            inputs: [MemorySource(bytes, name: "events")],
            options: IngestOptions(now: now)
        )
        try store.write { transaction in
            try applyPendingRules(in: transaction)
            while !session.isAtEnd { try session.fill(transaction, observe: { _ in }) }
        }
        session.commit()
        pendingRules.withLock { $0 = nil }
        return session.report
    }

    /// Makes the plan's rules the store's; progress that others computed is rebuilt.
    func applyPendingRules(in transaction: any StoreTransaction) throws {
        guard let record = pendingRules.withLock({ $0 }) else { return }
        let hadRules = try transaction.rules() != nil
        try transaction.setRules(record)
        if hadRules { try LearnerUpdater(plan: plan).rebuildAll(in: transaction) }
    }
}
