// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Appends events in a transaction, and then updates what follows from them: the learners' progress, and the messages
/// for webhooks.
final class IngestTransaction {
    let transaction: any StoreTransaction
    let updater: LearnerUpdater
    /// nil if nothing will be announced.
    var announcer: Announcer?
    /// The effects of the events on their learners.
    private(set) var touched: [Int64: LearnerUpdater.Touch] = [:]

    init(_ transaction: any StoreTransaction, _ updater: LearnerUpdater, _ announcer: Announcer?) {
        (self.transaction, self.updater, self.announcer) = (transaction, updater, announcer)
    }

    /// - Parameters:
    ///   - subjects: the subjects, and the rows of each to append, in the order of arrival.
    ///   - kept: the events' table, if it stays in memory until the events are folded; nil if they will be read again.
    func append(
        _ events: PendingEvents,
        _ subjects: [(subject: [UInt8], rows: [Int])],
        kept: EventTableReference?
    ) throws -> (groups: [LearnerRows], outcomes: [AppendResult.Outcome]) {
        let groups = try zip(transaction.learnerIDs(for: subjects.map(\.subject)), subjects)
            .map { LearnerRows(learner: $0, rows: $1.rows) }
            .sorted { $0.learner < $1.learner }
        try announcer?.look(at: groups, transaction, updater)
        let result = try transaction.append(events.table, groups: groups)
        events.touches(result.stored, in: kept) { learner, touch in
            guard let known = touched[learner] else {
                touched[learner] = touch
                return
            }
            touched[learner] = LearnerUpdater.Touch(
                earliest: min(known.earliest, touch.earliest),
                hasCorrections: known.hasCorrections || touch.hasCorrections,
                count: known.count + touch.count
            )
        }
        return (groups, result.outcomes)
    }

    /// Call it once, after the last append. A second update would start from states without the first one's events.
    func finish() throws {
        try updater.update(touched, in: transaction)
        try announcer?.finish(touched.keys, transaction, updater)
        // The end of the transaction needs the memory.
        touched = [:]
    }
}
