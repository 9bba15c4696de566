// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
package import LaurelStore

/// What a service asks beside what everyone asks.
extension ProgressEngine {
    /// When a learner, and everybody, was touched last; nil for an unknown one.
    package func version(ofLearner id: String) throws(EngineError) -> LearnerVersion? {
        try EngineError.translating { try store.read { try $0.version(ofLearner: Array(id.utf8)) } }
    }

    /// The instant until which what is answered about a learner as of another stays as it is, while no event comes. nil for an
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
                // Events of the next hours are told already, and count when their time comes.
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

    /// The end of the local day that an instant is in, by the clock that the learner's events tell; nil for an unknown learner.
    package func endOfDay(of id: String, at date: Date) throws(EngineError) -> Date? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            let end: Int64?? = try withState(of: id, at: instant) { state, plan in
                guard state.position != nil else { return nil }
                return ProgressReader(plan: plan).holds(state, from: instant, countsWords: false)
            }
            return (end ?? nil).map(Date.init(milliseconds:))
        }
    }

    /// How many may store events at the same time without one waiting for the other.
    package var partitions: Int { store.partitions }

    /// Whether this process, of all that have the store, does some work for the next seconds; it asks again before they are over.
    package func hasDuty(_ name: String, seconds: Double) throws(EngineError) -> Bool {
        try EngineError.translating { try store.hasDuty(name, seconds: seconds) }
    }

    /// What takes longer than a request, of this process or of all that have the store.
    package var jobs: any JobStore { store.jobs }

    /// Does what writes have left to be done later, where there is any of it.
    package func tidyUp() throws(EngineError) { try EngineError.translating { try store.tidyUp() } }

    /// Whether writes have left blocks to be merged.
    package func isMergingDue() throws(EngineError) -> Bool { try EngineError.translating { try store.isMergingDue() } }

    /// Merges them, while others read and write.
    /// - Returns: how many generations of blocks have become part of others.
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

    /// - Parameter records: nil removes one.
    package func setServiceRecords(_ records: [String: String?]) throws(EngineError) {
        try updateServiceRecords(prefixes: []) { _ in records }
    }

    /// Begins and ends a transaction that writes nothing. It finds a store that was moved, or whose database is gone.
    package func checkIsWritable() throws(EngineError) {
        try EngineError.translating { try store.write(in: 0) { _ in } }
    }

    /// Changes records by what they are, in one transaction.
    /// - Parameters:
    ///   - prefixes: of the names that are read.
    ///   - change: called with the records; returns those to set, or nil for one to remove. It may be called again where the
    ///     transaction has to begin anew.
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
