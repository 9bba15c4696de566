// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
package import LaurelStore

/// Queries for services.
extension ProgressEngine {
    /// The last commit that touched a learner, and the last commit that touched all learners; nil for an unknown
    /// learner.
    package func version(ofLearner id: String) throws(EngineError) -> LearnerVersion? {
        try EngineError.translating { try store.read { try $0.version(ofLearner: Array(id.utf8)) } }
    }

    /// The instant until which answers about a learner stay as they are at `date`, unless an event arrives; nil for an
    /// unknown learner.
    package func holds(_ id: String, from date: Date) throws(EngineError) -> Date? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let end = try withState(of: id, at: instant) { state, plan in
                state.position == nil ? date.milliseconds : ProgressReader(plan: plan).holds(state, from: instant)
            }
            guard let end else { return nil }
            guard end > date.milliseconds else { return date }
            let isAhead = try store.read { reader in
                guard let learner = try reader.learner(named: Array(id.utf8)) else { return false }
                // Events of the next hours may be stored already. An event counts from its time on.
                let runs = try reader.events(
                    of: learner.id,
                    since: date.milliseconds + 1,
                    until: end,
                    fields: .none
                )
                return runs.contains { run in
                    run.rows.contains { date.milliseconds < run.table.milliseconds[$0] }
                }
            }
            return isAhead ? date : Date(milliseconds: end)
        }
    }

    /// The end of the local day that contains an instant, by the clock of the learner's events; nil for an unknown
    /// learner.
    package func endOfDay(of id: String, at date: Date) throws(EngineError) -> Date? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let end: Int64?? = try withState(of: id, at: instant) { state, plan in
                guard state.position != nil else { return nil }
                return ProgressReader(plan: plan).holds(state, from: instant, onlyDays: true)
            }
            return (end ?? nil).map(Date.init(milliseconds:))
        }
    }

    /// The number of writes that can run at the same time.
    package var partitions: Int { store.partitions }

    /// Assigns a task to one of the processes that share the store, for the given number of seconds. Ask again before
    /// that time is over.
    /// - Returns: true if this process must do the task.
    package func hasDuty(_ name: String, seconds: Double) throws(EngineError) -> Bool {
        try EngineError.translating { try store.hasDuty(name, seconds: seconds) }
    }

    /// Jobs that take longer than a request. All processes share them through the store.
    package var jobs: any JobStore { store.jobs }

    /// Does the work that earlier writes have deferred.
    package func runDeferredWork() throws(EngineError) { try EngineError.translating { try store.runDeferredWork() } }

    /// True if writes have left blocks to be merged.
    package func isMergingDue() throws(EngineError) -> Bool { try EngineError.translating { try store.isMergingDue() } }

    /// Merges blocks while other processes read and write.
    /// - Returns: the number of generations of blocks that were merged into other generations.
    @discardableResult
    package func mergeBlocks(_ progress: (Double) -> Void = { _ in }) throws(EngineError) -> Int {
        try EngineError.translating {
            try store.mergeGenerations { share in
                progress(share)
                try Cancellation.check()
            }
        }
    }

    /// The records of a service in the store, by name.
    package func serviceRecords(prefix: String) throws(EngineError) -> [String: String] {
        try serviceRecords(prefixes: [prefix])
    }

    /// The records whose names begin with one of some prefixes, as of one instant.
    package func serviceRecords(prefixes: [String]) throws(EngineError) -> [String: String] {
        try EngineError.translating { try store.read { try Self.records($0, prefixes) } }
    }

    private static func records(_ reader: any StoreReader, _ prefixes: [String]) throws -> [String: String] {
        var records: [String: String] = [:]
        for prefix in prefixes { try records.merge(reader.serviceRecords(prefix: prefix)) { first, _ in first } }
        return records
    }

    /// Sets or removes records by name.
    /// - Parameter records: the new values by name; nil removes a record.
    package func setServiceRecords(_ records: [String: String?]) throws(EngineError) {
        try updateServiceRecords(prefixes: []) { _ in records }
    }

    /// Checks that the store is writable, by a transaction that writes nothing. The check fails if the store was moved,
    /// or if its database no longer exists.
    package func checkIsWritable() throws(EngineError) {
        try EngineError.translating { try store.write(in: 0) { _ in } }
    }

    /// Changes records in one transaction, depending on their values.
    /// - Parameters:
    ///   - prefixes: the prefixes of the names to read.
    ///   - change: called with the records; returns the records to set, or nil for a record to remove. It is called
    ///     again if the transaction must be repeated.
    package func updateServiceRecords(
        prefixes: [String],
        _ change: ([String: String]) throws -> [String: String?]
    ) throws(EngineError) {
        try EngineError.translating {
            let versions = try store.writeAll { transaction in
                let changes = try change(Self.records(transaction, prefixes))
                for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                    try transaction.setServiceRecord(name, value)
                }
                return transaction.versions
            }
            recent.commit(versions: versions)
        }
    }
}
