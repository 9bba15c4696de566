// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// Ingests inputs as ``ingest(_:options:observe:)`` describes.
    func ingestAll(
        _ inputs: [IngestInput],
        options: IngestOptions,
        observe: (IngestProgress) -> Void = { _ in }
    ) throws -> IngestReport {
        let session = try IngestSession(store, options, tools: tools(for: plan))
        let reader = IngestReader(inputs, known: options.isStrict ? try knownNames() : cachedNames, session)
        defer { reader.stop() }
        repeat {
            // The lock must not be held while a pipe pauses.
            reader.waitForInput()
            if store.partitions > 1 {
                try storeStaged(reader, session, observe)
            } else {
                try write(in: [0], session) { try reader.fill($0, observe: observe) }
            }
        } while !reader.isAtEnd
        for merge in reader.merges { try mergeAgain(merge) }
        for copy in reader.copies { try settle(copy, now: options.clock) }
        if let tools = session.spareTools { toolCache.release(tools) }
        var report = session.report
        try reportUnknownNames(reader.unknownNames, in: &report)
        return report
    }

    /// Stages the available input, which needs no lock. Then stores it, with some partitions in each transaction.
    private func storeStaged(
        _ reader: IngestReader,
        _ session: IngestSession,
        _ observe: (IngestProgress) -> Void
    ) throws {
        let staged = StagedEvents(for: session)
        try reader.fill(staged, observe: observe)
        let shares = staged.shares
        // A store without rules gets its rules with the first ingest, even if that has no events.
        if shares.isEmpty { try write(in: [0]) { _, _ in } }
        let transactions = IngestTransactions(shares, ofAtMost: store.eventsPerTransaction)
        // The first transaction gives a new store its rules.
        if let first = transactions.first { try write(first, of: staged, session) }
        if transactions.rest.count > 1, session.sharesMayMix {
            try writeTogether(transactions.rest, of: staged, session)
        } else {
            for shares in transactions.rest.joined() { try write(shares, of: staged, session) }
        }
    }

    private func write(_ shares: [StagedShare], of staged: StagedEvents, _ session: IngestSession) throws {
        let announces = staged.stock.count <= Announcer.mostEvents
        try write(in: shares.map(\.partition), session, announces: announces) { try staged.fill($0, with: shares) }
    }

    /// Fills a transaction and commits it. The transaction is durable when the method returns.
    private func write(
        in partitions: [Int],
        _ session: IngestSession,
        announces: Bool = true,
        _ fill: (IngestWriter) throws -> Void
    ) throws {
        try write(in: partitions) { transaction, plan in
            let announcer = announces ? try announcer(in: transaction) : nil
            let writing = IngestTransaction(transaction, session.updater(of: plan), announcer)
            let writer = IngestWriter(writing, session)
            try fill(writer)
            try writer.finish()
        }
        session.commit()
    }

    /// Stores staged shares in several concurrent transactions. Each transaction waits until its commit is durable.
    /// - Parameter lanes: the transactions of a lane run one after the other.
    private func writeTogether(
        _ lanes: [[[StagedShare]]],
        of staged: StagedEvents,
        _ session: IngestSession
    ) throws {
        // The staged data do not change meanwhile, so other threads may read them.
        nonisolated(unsafe) let (first, stage) = (session, staged)
        let workers = min(Self.writersPerIngest, lanes.count)
        let writing = OrderedPipeline<[[StagedShare]], IngestReport>(workers: workers, limit: workers * 2) {
            let session = IngestSession(storingFor: first)
            return { transactions in
                for shares in transactions { try self.write(shares, of: stage, session) }
                return session.takeReport()
            }
        }
        func receive(_ report: IngestReport) throws {
            try Cancellation.check()
            session.take(report)
        }
        for transactions in lanes { try writing.put(transactions, receive: receive) }
        try writing.finish(receive: receive)
    }

    /// The number of concurrent transactions of an ingest. While some wait for the disk, others compute. Some
    /// connections must stay free for the service and for other ingests of the process.
    private static var writersPerIngest: Int { min(2 * Threads.processors, 6) }

    /// Stores events that were created in this process.
    package func ingest(_ events: [Event], now: Int64) throws -> IngestReport {
        try ingest(Array(events.map(\.encoded).joined(separator: [UInt8(ascii: "\n")])), now: now)
    }

    /// Stores CloudEvents in memory, as NDJSON or a JSON array.
    package func ingest(_ bytes: [UInt8], now: Int64) throws -> IngestReport {
        try ingestAll([IngestInput(bytes, name: "events")], options: IngestOptions(now: Date(milliseconds: now)))
    }
}
