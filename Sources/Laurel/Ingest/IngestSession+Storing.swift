// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// From what is staged to what is stored.
extension IngestSession {
    func flush(_ transaction: any StoreTransaction) throws {
        guard staged.count > 0 else { return }
        let groups = try staged.groups { try transaction.learnerIDs(for: $0) }
        let result = try append(groups, transaction)
        for (row, outcome) in result.outcomes.enumerated() {
            switch outcome {
            case .stored:
                pending.stored += 1
                count(.stored, row)
            case .duplicate:
                pending.duplicates += 1
                count(.duplicates, row)
            case .conflict where staged.adapted(row)?.keepsKnown == true:
                pending.duplicates += 1
                count(.duplicates, row)
            case .conflict:
                count(.conflicts, row)
                try quarantineConflict(row, transaction)
            case .skipped: break
            }
        }
        if format != nil {
            for group in groups {
                for row in group.rows {
                    guard let adapted = staged.adapted(row) else { continue }
                    let isNew = result.outcomes[row] == .stored
                    supersession.note(adapted, staged.table, row, of: group.learner, isNew: isNew)
                }
            }
        }
        touch(result.stored)
        stagedInTransaction += staged.count
        staged.removeAll()
    }

    func touch(_ stored: [LearnerRows]) {
        let corrections = staged.corrections
        for group in stored where !group.rows.isEmpty { touch(group, corrections) }
    }

    private func count(_ number: IngestReport.Count, _ row: Int) {
        // Only formats that tell kinds apart have any to count in.
        if !pending.kinds.isEmpty, let adapted = staged.adapted(row) { pending.count(number, of: adapted.kind) }
    }

    private func quarantineConflict(_ row: Int, _ transaction: any StoreTransaction) throws {
        let (record, bytes) = staged.conflict(row, file: input?.name, clock: options.clock)
        pending.conflicts += 1
        pending.note(.init(file: input?.name ?? "", line: record.line ?? 0, message: record.message))
        noteKept(try transaction.quarantine(record, bytes: bytes))
    }

    /// - Parameter corrections: the types of the table that take something back.
    private func touch(_ group: LearnerRows, _ corrections: [UInt32]) {
        // A large batch touches many learners, and the texts of a position take memory for each.
        let isLarge = staged.count > IngestSession.eventsKeptToFold
        let known = touched[group.learner]
        let touch = staged.touch(group, corrections, keepsPosition: !isLarge, keepsRows: !isLarge && known == nil)
        guard let known else {
            touched[group.learner] = touch
            return
        }
        touched[group.learner] = LearnerUpdater.Touch(
            earliest: min(known.earliest, touch.earliest),
            hasCorrections: known.hasCorrections || touch.hasCorrections,
            count: known.count + touch.count
        )
    }
}
