// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Appends events in a transaction. Then updates the learners' progress, and writes the messages for webhooks.
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
    ///   - kept: the table, if it stays in memory until the events are folded; nil if they will be read again.
    func append(
        _ table: EventTable,
        _ subjects: [(subject: [UInt8], rows: [Int])],
        kept: EventTableReference?
    ) throws -> (groups: [LearnerRows], outcomes: [AppendResult.Outcome]) {
        let groups = try zip(transaction.learnerIDs(for: subjects.map(\.subject)), subjects)
            .map { LearnerRows(learner: $0, rows: $1.rows) }
            .sorted { $0.learner < $1.learner }
        try announcer?.look(at: groups, transaction, updater)
        let result = try transaction.append(table, groups: groups)
        touch(result.stored, of: table, kept)
        return (groups, result.outcomes)
    }

    /// Notes that stored events of a learner were replaced. The learner is then folded from the first event.
    func noteReplaced(_ events: EventTable, of learner: Int64) {
        guard let first = events.milliseconds.min() else { return }
        let earliest = EventPosition(before: first)
        var touch = touched[learner] ?? LearnerUpdater.Touch(earliest: earliest, hasCorrections: true, count: 0)
        touch.hasCorrections = true
        touch.earliest = min(touch.earliest, earliest)
        touched[learner] = touch
    }

    /// Checks that the transaction holds the partitions of some learners' ids. Otherwise it may not write to these
    /// learners.
    /// - Throws: ``StoreError`` of code `busy`.
    func checkHolds(_ subjects: some Sequence<[UInt8]>, in store: any EventStore) throws {
        let held = Set(transaction.versions.map(\.after.partition))
        guard subjects.allSatisfy({ held.contains(store.partition(of: $0)) }) else {
            throw StoreError(.busy, "learners were merged during the ingest; ingest the same input again")
        }
    }

    /// Updates progress, and writes the messages for webhooks. Call it once, after the last append. A second update
    /// would start from states that lack the events of the first update.
    func finish() throws {
        try updater.update(touched, in: transaction)
        try announcer?.finish(touched.keys, transaction, updater)
        // The end of the transaction needs the memory.
        touched = [:]
    }

    /// Notes the effects of stored rows on their learners. If the table is kept, the learners share it, so that its
    /// names are looked up only once. If it is not kept, the position of the earliest event is only a time, without
    /// source and id, because these texts would take much memory.
    private func touch(_ stored: [LearnerRows], of table: EventTable, _ kept: EventTableReference?) {
        let corrections = table.types(named: EventKind.corrections.map(\.rawValue))
        for group in stored {
            guard let first = group.rows.first else { continue }
            var touch = LearnerUpdater.Touch(
                earliest: kept == nil
                    ? EventPosition(before: table.milliseconds[first]) : EventPosition(table, first),
                hasCorrections: !corrections.isEmpty && group.rows.contains { corrections.contains(table.type[$0]) },
                count: group.rows.count
            )
            if let known = touched[group.learner] {
                touch.earliest = min(known.earliest, touch.earliest)
                touch.hasCorrections = known.hasCorrections || touch.hasCorrections
                touch.count += known.count
            } else {
                touch.run = kept.flatMap { run(of: group, $0) }.map(LearnerUpdater.KeptRun.init)
            }
            touched[group.learner] = touch
        }
    }

    /// A group's rows as a run; nil if the rows are not contiguous.
    private func run(of group: LearnerRows, _ shared: EventTableReference) -> EventRun? {
        let (first, last) = (group.rows[0], group.rows[group.rows.count - 1])
        guard last - first + 1 == group.rows.count, group.rows.elementsEqual(first...last) else { return nil }
        return EventRun(shared, rows: first..<last + 1)
    }
}
