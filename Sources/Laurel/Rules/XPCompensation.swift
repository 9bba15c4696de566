// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Finds the learner's tracks that have less XP under other rules. For each track, an `xp.declared` event declares
/// the former XP.
///
/// The declarations have the time and the clock of the learner's last event, and come after that event. If a
/// declaration's id sorts before the id of that event, the declaration's time is a millisecond later. The declarations
/// of languages come first, because their XP also counts in the overall track.
struct XPCompensation {
    let old: ProgressReader
    let new: ProgressReader
    /// The time of the change, in milliseconds since 1970. The ids contain this time, so later declarations sort after
    /// earlier ones.
    let clock: Int64

    /// - Parameters:
    ///   - before: the state under the old rules.
    ///   - after: the state under the new rules, including other preserved values.
    ///   - runs: all events folded into that state.
    func declarations(
        _ before: LearnerState,
        _ after: LearnerState,
        _ learner: LearnerRecord,
        _ runs: [EventRun]
    ) -> [Event] {
        let losing = (old.languages(before).map(Optional.some) + [nil]).compactMap { language -> (String?, Double)? in
            let shown = old.xp(before, language: language)
            // A negative XP cannot be declared.
            return shown >= 0 && shown > new.xp(after, language: language) ? (language, shown) : nil
        }
        guard !losing.isEmpty, let last = LastEvent(of: runs) else { return [] }
        let ids = losing.map { XPCompensation.eventID($0.0, clock: clock) }
        let isBehind = ids.allSatisfy {
            last.precedes(source: Array(AchievementGrants.source.utf8), id: Array($0.utf8))
        }
        var time = last.time
        if !isBehind {
            let later = min(time.milliseconds + 1, Timestamp.range.upperBound)
            time = Timestamp(milliseconds: later, offset: time.offset)
        }
        return zip(ids, losing).map { id, losing in
            Event(
                id: id,
                source: AchievementGrants.source,
                type: EventKind.xpDeclared.rawValue,
                subject: String(decoding: learner.subject, as: UTF8.self),
                time: time,
                language: losing.0,
                timezone: last.timezone,
                data: [
                    "total": Int64(exactly: losing.1).map(JSONValue.integer) ?? .double(losing.1),
                    "reason": "kept when the rules changed",
                ]
            )
        }
    }

    /// The id. Ids sort in the order of folding: `keep-xp:TIME:1@LANGUAGE`, then `keep-xp:TIME:2`.
    private static func eventID(_ language: String?, clock: Int64) -> String {
        let digits = String(clock)
        let start = "keep-xp:" + String(repeating: "0", count: max(0, 15 - digits.count)) + digits
        guard let language else { return start + ":2" }
        let id = "\(start):1@\(language)"
        return id.utf8.count <= 128 ? id : "\(start):1@sha256:" + SHA256.hash(Array(language.utf8)).hexadecimal
    }
}

/// The last of some events in the learner's order.
private struct LastEvent {
    let time: Timestamp
    let timezone: String?
    private let source: [UInt8]
    private let id: [UInt8]

    init?(of runs: [EventRun]) {
        var last: (table: EventTable, row: Int)?
        for run in runs {
            for row in run.rows {
                guard let known = last else {
                    last = (run.table, row)
                    continue
                }
                let (one, other) = (known.table.milliseconds[known.row], run.table.milliseconds[row])
                let isLater =
                    one == other
                    ? LastEvent.precedes(LastEvent.name(known.table, known.row), LastEvent.name(run.table, row))
                    : one < other
                if isLater { last = (run.table, row) }
            }
        }
        guard let (table, row) = last else { return nil }
        let zone = table.timezone[row]
        time = table.timestamp(row)
        timezone = zone == 0 ? nil : table.texts.string(zone)
        (source, id) = LastEvent.name(table, row)
    }

    func precedes(source: [UInt8], id: [UInt8]) -> Bool { LastEvent.precedes((self.source, self.id), (source, id)) }

    private static func name(_ table: EventTable, _ row: Int) -> (source: [UInt8], id: [UInt8]) {
        (Array(table.texts[table.source[row]]), Array(table.identifier(row)))
    }

    private static func precedes(_ one: (source: [UInt8], id: [UInt8]), _ other: (source: [UInt8], id: [UInt8])) -> Bool
    {
        one.source == other.source
            ? one.id.lexicographicallyPrecedes(other.id) : one.source.lexicographicallyPrecedes(other.source)
    }
}
