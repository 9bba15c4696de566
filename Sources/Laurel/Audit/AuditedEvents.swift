// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults

/// Finds events that are noted in the audit log: purchases, events that set numbers directly, and retractions by
/// administrators.
struct AuditedEvents {
    private struct Kind: Hashable {
        var subject: UInt32
        var type: UInt32
    }

    /// The maximum number of entries per request that name a learner. Beyond it, one entry counts the events of a
    /// type.
    private static let mostEntries = 100
    private let table: EventTable
    private let administered: AdministeredEvents
    private let purchase: UInt32?
    private let retraction: UInt32?

    /// - Parameter administered: the administrator's events of the table.
    /// - Returns: nil if the table has no type that is noted.
    init?(_ table: EventTable, _ administered: AdministeredEvents) {
        purchase = table.types(named: ["item.bought"]).first
        retraction = table.types(named: [EventKind.eventRetracted.rawValue]).first
        guard administered.mayHaveAny || purchase != nil || retraction != nil else { return nil }
        (self.table, self.administered) = (table, administered)
    }

    /// The notes about stored events.
    /// - Parameter rows: stored events of one sender.
    func notes(_ rows: [Int], by actor: AuditActor) -> [AuditNote] {
        var counts: [Kind: Int] = [:]
        var kinds: [Kind] = []
        for row in rows where isNoted(row) {
            let kind = Kind(subject: table.subject[row], type: table.type[row])
            if counts[kind] == nil { kinds.append(kind) }
            counts[kind, default: 0] += 1
        }
        var notes = kinds.prefix(Self.mostEntries).map { kind in
            note(kind.type, counts[kind] ?? 0, by: actor, learner: table.texts.string(kind.subject))
        }
        let others = Dictionary(grouping: kinds.dropFirst(Self.mostEntries), by: \.type)
        for (type, kinds) in others.sorted(by: { $0.key < $1.key }) {
            notes.append(note(type, kinds.reduce(0) { $0 + (counts[$1] ?? 0) }, by: actor, learner: nil))
        }
        return notes
    }

    private func isNoted(_ row: Int) -> Bool {
        if table.type[row] == retraction { return SenderCheck.isReserved(table.texts[table.source[row]]) }
        return table.type[row] == purchase || administered.reason(table, row) != nil
    }

    private func note(_ type: UInt32, _ count: Int, by actor: AuditActor, learner: String?) -> AuditNote {
        AuditNote(
            .eventsDecreed,
            by: actor,
            target: table.types.string(type),
            learner: learner,
            details: ["events": "\(count)"]
        )
    }
}
