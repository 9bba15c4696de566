// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// From what is staged to what is stored.
extension IngestSession {
    /// Stores what is staged.
    /// - Parameter transaction: nil where it goes on to be staged.
    func flush(_ transaction: (any StoreTransaction)?) throws {
        guard let transaction, staged.count > 0 else { return }
        try store(staged.groups { try transaction.learnerIDs(for: $0) }, transaction)
        staged.removeAll()
        stagedInputs = []
    }

    /// Stores some learners' rows of what is staged.
    func store(_ groups: [LearnerRows], _ transaction: any StoreTransaction) throws {
        let result = try append(groups, transaction)
        for row in rows(of: groups) {
            switch result.outcomes[row] {
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
        touch(result.stored, of: groups.reduce(0) { $0 + $1.rows.count })
        stagedInTransaction += staged.count
    }

    /// In the order of arrival. Of a share there are few, and there may be many shares.
    private func rows(of groups: [LearnerRows]) -> [Int] {
        let count = groups.reduce(0) { $0 + $1.rows.count }
        return count == staged.count ? Array(0..<count) : groups.flatMap(\.rows).sorted()
    }

    /// - Parameter count: of the batch's events.
    func touch(_ stored: [LearnerRows], of count: Int) {
        let corrections = staged.corrections
        // A large batch touches many learners, and the texts of a position take memory for each.
        let shared = count > IngestSession.eventsKeptToFold ? nil : EventTableReference(staged.table)
        for group in stored where !group.rows.isEmpty { touch(group, corrections, shared) }
    }

    private func count(_ number: IngestReport.Count, _ row: Int) {
        // Only formats that tell kinds apart have any to count in.
        if !pending.kinds.isEmpty, let adapted = staged.adapted(row) { pending.count(number, of: adapted.kind) }
    }

    private func quarantineConflict(_ row: Int, _ transaction: any StoreTransaction) throws {
        let place = stagedInputs.indices.partitioningIndex { stagedInputs[$0].firstRow > row } - 1
        let file = stagedInputs.indices.contains(place) ? stagedInputs[place].name : nil
        let (record, bytes) = staged.conflict(row, file: file, clock: options.clock)
        pending.conflicts += 1
        pending.note(.init(file: file ?? "", line: record.line ?? 0, message: record.message))
        noteKept(try transaction.quarantine(record, bytes: bytes))
    }

    /// - Parameters:
    ///   - corrections: the types of the table that take something back.
    ///   - shared: the table, unless it is large.
    private func touch(_ group: LearnerRows, _ corrections: [UInt32], _ shared: EventTableReference?) {
        let known = touched[group.learner]
        let kept = known == nil ? shared : nil
        let touch = staged.touch(group, corrections, keepsPosition: shared != nil, in: kept)
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
