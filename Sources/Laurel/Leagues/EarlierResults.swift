// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// A learner's results of one week of a league, which a settlement stored.
struct EarlierResults: Sendable {
    /// The result in force; nil if all are retracted.
    private(set) var inForce: LeagueResults.Result?
    /// The latest result, even if it is retracted. Its room is still the learner's room.
    private(set) var latest: LeagueResults.Result?
    /// True if a result was retracted. Such a learner gets no further result of the week.
    private(set) var isRetracted = false
    private var ids: Set<String> = []

    /// The `source` of results.
    static let source = "laurel/league"

    var isEmpty: Bool { ids.isEmpty }

    /// The id for the next event with a result of the week.
    func nextID(_ week: LeagueWeek) -> String {
        guard ids.contains(week.eventID) else { return week.eventID }
        var number = 2
        while ids.contains("\(week.eventID)/\(number)") { number += 1 }
        return "\(week.eventID)/\(number)"
    }

    /// True if some of the events may be results.
    static func mayBe(_ run: EventRun) -> Bool {
        let types = run.table.types(named: [EventKind.leagueFinished.rawValue])
        return !types.isEmpty && run.rows.contains { types.contains(run.table.type[$0]) }
    }

    mutating func add(_ result: LeagueResults.Result, id: String, isVoid: Bool) {
        ids.insert(id)
        latest = result
        if isVoid { isRetracted = true } else { inForce = result }
    }
}

/// Collects the results of one week from a learner's events.
final class LeagueResultCollector: FoldObserver {
    private let week: LeagueWeek
    private(set) var results = EarlierResults()

    init(_ week: LeagueWeek) { self.week = week }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        if case .leagueFinished = event.kind { add(table, row, isVoid: false) }
    }

    func didSkip(_ table: EventTable, _ row: Int, _ reason: VoidReason) { add(table, row, isVoid: true) }

    private func add(_ table: EventTable, _ row: Int, isVoid: Bool) {
        let id = String(decoding: table.identifier(row), as: UTF8.self)
        guard table.texts.equals(table.source[row], EarlierResults.source),
            id == week.eventID || id.hasPrefix(week.eventID + "/"),
            table.types.equals(table.type[row], EventKind.leagueFinished.rawValue),
            let result = LeagueResults.Result(table, row)
        else { return }
        results.add(result, id: id, isVoid: isVoid)
    }
}
