// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
package import LaurelWire

/// An administrator's event of a learner, such as an adjustment of XP.
package struct Decree: Sendable, Hashable {
    package let source: String
    package let id: String
    package let type: String
    /// The time of the event, in milliseconds since 1970.
    package let time: Int64
    /// The reason that the administrator gave; nil if none was given.
    package let reason: String?
    /// True if a retraction has undone the decree.
    package fileprivate(set) var isRetracted = false
}

extension ProgressEngine {
    /// The decrees of a learner, the newest first.
    /// - Complexity: O(events of the learner).
    package func decrees(of learner: String) throws(EngineError) -> [Decree] {
        try EngineError.translating {
            let history = try history(of: Array(learner.utf8))
            return history.decrees.sorted { ($0.time, $0.id) > ($1.time, $1.id) }
        }
    }

    /// True if a retraction of an event is stored.
    /// - Complexity: O(events of the learner).
    package func isRetracted(_ id: String, from source: String, of learner: String) throws(EngineError) -> Bool {
        try EngineError.translating {
            let subject = Array(learner.utf8)
            return try history(of: subject).retracted.contains(
                EventIdentity(subject: subject, source: Array(source.utf8), id: Array(id.utf8))
            )
        }
    }

    /// The time zone of the learner's latest event. If that event has no time zone, the result is its offset, such as
    /// `+05:30`. The result is nil if the rules' default zone decides.
    package func timeZone(of learner: String) throws(EngineError) -> String? {
        try EngineError.translating {
            try store.read { reader in
                guard let record = try reader.learner(named: Array(learner.utf8)) else { return nil }
                return try reader.overview(of: record.id)?.numbers.timezone
            }
        }
    }

    /// False if the learner's profile leaves the learner out of leaderboards.
    package func isOnLeaderboards(_ learner: String, at date: Date) throws(EngineError) -> Bool {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            return try withState(of: learner, at: instant) { state, _ in state.isOnLeaderboards } ?? true
        }
    }

    /// False if the learner's profile leaves the learner out of leagues.
    package func isInLeagues(_ learner: String, at date: Date) throws(EngineError) -> Bool {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            return try withState(of: learner, at: instant) { state, _ in !state.leagues.isOut } ?? true
        }
    }

    /// The achievements of the rules in force. An achievement per language is listed once for each of `languages`.
    package func grantableAchievements(
        _ languages: [String],
        at instant: Timestamp
    ) -> [(id: String, name: String, language: String?)] {
        plan.version(at: instant).rules.achievements.flatMap { rule in
            let tracks = rule.isPerLanguage ? languages.map(Optional.some) : [nil]
            return tracks.map { (rule.id, rule.name, $0) }
        }
    }

    /// The decrees of a learner, and the identities of all retracted events.
    private func history(of subject: [UInt8]) throws -> (decrees: [Decree], retracted: Set<EventIdentity>) {
        var (decrees, retracted) = ([Decree](), Set<EventIdentity>())
        try store.read { reader in
            guard let record = try reader.learner(named: subject) else { return }
            try reader.forEachStretch(of: record.id, fields: .all) { runs in
                for run in runs {
                    let table = run.table
                    let retraction = table.types(named: [EventKind.eventRetracted.rawValue]).first
                    let administered = AdministeredEvents(table, fields: plan.administeredFields)
                    for row in run.rows {
                        if table.type[row] == retraction {
                            retracted.insert(EventIdentity(retractedBy: row, of: table, subject: subject))
                        } else if administered.reason(table, row) != nil {
                            decrees.append(Decree(table, row))
                        }
                    }
                }
            }
        }
        for index in decrees.indices {
            let (source, id) = (Array(decrees[index].source.utf8), Array(decrees[index].id.utf8))
            let identity = EventIdentity(subject: subject, source: source, id: id)
            decrees[index].isRetracted = retracted.contains(identity)
        }
        return (decrees, retracted)
    }
}

extension Decree {
    fileprivate init(_ table: EventTable, _ row: Int) {
        let reason = table.values(of: row).first { $0.kind == .text && table.fields.equals($0.field, "reason") }
        self.init(
            source: table.texts.string(table.source[row]),
            id: String(decoding: table.identifier(row), as: UTF8.self),
            type: table.types.string(table.type[row]),
            time: table.milliseconds[row],
            reason: reason.map { table.texts.string(UInt32($0.payload)) }
        )
    }
}
