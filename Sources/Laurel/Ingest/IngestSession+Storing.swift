// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// Stores batches and staged events.
extension IngestSession {
    /// Stores the batch.
    /// - Parameter writing: nil to stage the batch for several transactions.
    func flush(_ writing: IngestTransaction?) throws {
        guard batch.count > 0 else { return }
        if let writing {
            try store(batch.groups { try writing.transaction.learnerIDs(for: $0) }, writing)
            batchInputs = []
        } else {
            try staged.append(batch)
        }
        batch.removeAll()
    }

    /// Stores the staged rows of some subjects.
    func store(_ subjects: [StagedShare.Subject], _ writing: IngestTransaction) throws {
        guard !subjects.isEmpty else { return }
        let rows = StagedRows(staged, of: subjects)
        let learners = try writing.transaction.learnerIDs(for: subjects.map(\.subject))
        batch = PendingEvents(rows)
        let groups = zip(learners, rows.groups).map { LearnerRows(learner: $0, rows: Array($1)) }
        try store(groups.sorted { $0.learner < $1.learner }, writing)
        batch.removeAll()
    }

    /// Stores the batch.
    /// - Parameter groups: the rows by learner; learners ascending.
    private func store(_ groups: [LearnerRows], _ writing: IngestTransaction) throws {
        let result = try append(groups, writing)
        var conflicts: [Int] = []
        for row in 0..<batch.count {
            switch result.outcomes[row] {
            case .stored:
                report.stored += 1
                count(.stored, row)
            case .duplicate:
                report.duplicates += 1
                count(.duplicates, row)
            case .conflict where batch.adapted(row)?.keepsStored == true:
                report.duplicates += 1
                count(.duplicates, row)
            case .conflict:
                count(.conflicts, row)
                conflicts.append(row)
            case .skipped: break
            }
        }
        for (arrival, row) in conflicts.map({ (batch.arrival($0), $0) }).sorted(by: <) {
            try quarantineConflict(row, arrival, writing.transaction)
        }
        if format != nil {
            for group in groups {
                for row in group.rows {
                    guard let adapted = batch.adapted(row) else { continue }
                    let isNew = result.outcomes[row] == .stored
                    supersession.note(adapted, batch.table, row, of: group.learner, isNew: isNew)
                }
            }
        }
        storedInTransaction += batch.count
    }

    private func count(_ number: IngestReport.Count, _ row: Int) {
        // Only some formats have kinds of records.
        if !report.kinds.isEmpty, let adapted = batch.adapted(row) { report.count(number, of: adapted.kind) }
    }

    /// - Parameter arrival: the row's position in the order of arrival.
    private func quarantineConflict(_ row: Int, _ arrival: Int, _ transaction: any StoreTransaction) throws {
        let position = batchInputs.indices.partitioningIndex { batchInputs[$0].firstRow > arrival } - 1
        let file = batchInputs.indices.contains(position) ? batchInputs[position].name : nil
        let line = try batch.refused(row, batch.table.conflict(of: row), file: file, clock: options.clock)
        report.conflicts += 1
        report.note(.init(file: file ?? "", line: line.record.line ?? 0, message: line.record.message))
        noteKept(try transaction.quarantine(line.record, bytes: line.bytes))
    }
}
