// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// A learner's results of one week of a league, which a settlement stored.
struct EarlierResults: Sendable {
    /// The result in force; nil if all are retracted.
    private(set) var inForce: LeagueResults.Result?
    /// The latest result, even if it is retracted. Its tier and room are still the learner's.
    private(set) var latest: LeagueResults.Result?
    /// True if a result was retracted. Such a learner gets no further result of the week.
    private(set) var isRetracted = false
    private var ids: Set<String> = []

    /// The `source` of results.
    static let source = "laurel/league"

    var isEmpty: Bool { ids.isEmpty }

    /// - Parameters:
    ///   - runs: the learner's events.
    ///   - state: the learner's state after these events.
    ///   - instant: the last instant that counts, in milliseconds since 1970.
    init(of week: LeagueWeek, in runs: [EventRun], _ state: LearnerState, until instant: Int64) {
        var found: [(id: [UInt8], result: LeagueResults.Result, isVoid: Bool)] = []
        for run in runs {
            let table = run.table
            for row in EarlierResults.rows(of: run) where table.milliseconds[row] <= instant {
                guard table.texts.equals(table.source[row], EarlierResults.source),
                    let result = LeagueResults.Result(table, row), result.week.elementsEqual(week.name.utf8),
                    result.league.elementsEqual(week.rule.name.utf8)
                else { continue }
                found.append((table.identifier(row), result, state.isRetracted(table, row)))
            }
        }
        // All results of a week have the same time, so their ids decide the order.
        for (id, result, isVoid) in found.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
            ids.insert(String(decoding: id, as: UTF8.self))
            latest = result
            if isVoid { isRetracted = true } else { inForce = result }
        }
    }

    /// The id for the next event with a result of the week.
    func nextID(_ week: LeagueWeek) -> String {
        guard ids.contains(week.eventID) else { return week.eventID }
        var number = 2
        while ids.contains("\(week.eventID)/\(number)") { number += 1 }
        return "\(week.eventID)/\(number)"
    }

    /// The rows of a run that may be results.
    private static func rows(of run: EventRun) -> [Int] {
        let types = run.table.types(named: [EventKind.leagueFinished.rawValue])
        return types.isEmpty ? [] : run.rows.filter { types.contains(run.table.type[$0]) }
    }

    /// True if some of the events may be results.
    static func mayBe(_ run: EventRun) -> Bool { !rows(of: run).isEmpty }
}
