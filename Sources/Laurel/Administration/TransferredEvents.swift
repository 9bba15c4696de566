// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Events of some learners, to be written to another store.
struct TransferredEvents {
    private var copier = TableAppender()
    private(set) var subjects: [[UInt8]] = []
    private var rows: [[Int]] = []
    private var indexes: [Int64: Int] = [:]

    var table: EventTable { copier.table }
    var count: Int { copier.table.count }
    var isEmpty: Bool { subjects.isEmpty }

    mutating func add(_ runs: [EventRun], of learner: LearnerRecord) {
        let index = index(of: learner)
        for run in runs.inLearnerOrder {
            copier.begin(run.table)
            for row in run.rows {
                rows[index].append(copier.table.count)
                copier.append(row, of: run.table)
            }
        }
    }

    private mutating func index(of learner: LearnerRecord) -> Int {
        if let index = indexes[learner.id] { return index }
        indexes[learner.id] = subjects.count
        subjects.append(learner.subject)
        rows.append([])
        return subjects.count - 1
    }

    /// - Parameter ids: the learners' ids in the destination, in the order of the subjects.
    func groups(_ ids: [Int64]) -> [LearnerRows] {
        zip(ids, rows).filter { !$1.isEmpty }.map { LearnerRows(learner: $0, rows: $1) }
            .sorted { $0.learner < $1.learner }
    }

    /// The effects of the stored events on their learners, by learner.
    func touched(_ stored: [LearnerRows]) -> [Int64: LearnerUpdater.Touch] {
        let corrections = table.types(named: EventKind.corrections.map(\.rawValue))
        var touched: [Int64: LearnerUpdater.Touch] = [:]
        for group in stored where !group.rows.isEmpty {
            touched[group.learner] = LearnerUpdater.Touch(
                earliest: EventPosition(before: table.milliseconds[group.rows[0]]),
                hasCorrections: group.rows.contains { corrections.contains(table.type[$0]) },
                count: group.rows.count
            )
        }
        return touched
    }
}
