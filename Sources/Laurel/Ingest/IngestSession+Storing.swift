import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// From what is staged to what is stored.
extension IngestSession {
    func flush(_ transaction: any StoreTransaction) throws {
        guard staged.count > 0 else { return }
        let groups = try staged.groups { try transaction.learnerID(for: $0) }
        let result = try transaction.append(staged.table, groups: groups)
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
        let corrections = staged.table.types(named: EventKind.corrections.map(\.rawValue))
        for group in stored where !group.rows.isEmpty { touch(group, corrections) }
    }

    private func count(_ number: IngestReport.Count, _ row: Int) {
        // Only formats that tell kinds apart have any to count in.
        if !pending.kinds.isEmpty, let adapted = staged.adapted(row) { pending.count(number, of: adapted.kind) }
    }

    private func quarantineConflict(_ row: Int, _ transaction: any StoreTransaction) throws {
        let table = staged.table
        let (line, bytes) = staged.original(row)
        let id = table.identifier(row)
        let message =
            "an event with id “\(String(decoding: id, as: UTF8.self))” of source "
            + "“\(table.texts.string(table.source[row]))” is stored with other content; the stored one stays"
        pending.conflicts += 1
        pending.note(.init(file: input?.name ?? "", line: line, message: message))
        let kept = try transaction.quarantine(
            QuarantineRecord(
                reason: "conflict",
                message: message,
                file: input?.name,
                line: line,
                receivedAt: options.clock,
                eventID: id,
                source: Array(table.texts[table.source[row]]),
                subject: Array(table.texts[table.subject[row]])
            ),
            bytes: bytes
        )
        noteKept(kept)
    }

    /// - Parameter corrections: the types of the table that take something back.
    private func touch(_ group: LearnerRows, _ corrections: [UInt32]) {
        let table = staged.table
        // A large batch touches many learners, and the texts of a position take memory for each.
        let isLarge = staged.count > IngestSession.eventsKeptToFold
        let first = group.rows[0]
        let earliest = isLarge ? EventPosition(before: table.milliseconds[first]) : EventPosition(table, first)
        let corrects = !corrections.isEmpty && group.rows.contains { corrections.contains(table.type[$0]) }
        guard let known = touched[group.learner] else {
            touched[group.learner] = LearnerUpdater.Touch(
                earliest: earliest,
                hasCorrections: corrects,
                count: group.rows.count,
                run: isLarge ? nil : staged.run(of: group).map(LearnerUpdater.KeptRun.init)
            )
            return
        }
        touched[group.learner] = LearnerUpdater.Touch(
            earliest: min(known.earliest, earliest),
            hasCorrections: known.hasCorrections || corrects,
            count: known.count + group.rows.count
        )
    }
}
