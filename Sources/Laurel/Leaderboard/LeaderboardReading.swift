// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
package import LaurelResults
import LaurelRules
import LaurelStore
import LaurelWire

extension ProgressEngine {
    /// Learners by XP, the highest first. Learners without XP, and learners who are left out of leaderboards, are not
    /// listed.
    /// - Returns: nil if ``LeaderboardPart/around(learner:count:)`` names an unknown learner. A known learner without
    ///   XP gives no rows.
    /// - Complexity: O(learners), plus reading the times of events after the instant. Events are read for learners with
    ///   equal XP among the rows, and for learners with events before and after the instant on one day. O(events), on
    ///   all cores, under other rules than the store's.
    package func leaderboard(_ request: LeaderboardRequest) throws -> Leaderboard? {
        try store.readTogether { state in
            try state.read { reader in
                let plan = try plan(for: reader)
                let fold = StandingFold(state: state, plan: plan, terms: BoardTerms(request, plan))
                return try leaderboard(request, fold, reader)
            }
        }
    }

    private func leaderboard(
        _ request: LeaderboardRequest,
        _ fold: StandingFold,
        _ reader: any StoreReader
    ) throws -> Leaderboard? {
        var board = Board(standings: try standings(request, fold, reader), fold: fold, reader: reader)
        let shown: Range<Int>
        switch request.part {
        case .top(let limit): shown = 0..<min(limit ?? .max, board.standings.count)
        case .around(let id, let count):
            guard let learner = try reader.learner(named: Array(id.utf8)) else { return nil }
            shown = try board.neighbourhood(of: learner.id, count)
        }
        return Leaderboard(participants: board.standings.count, rows: try board.rows(shown))
    }

    /// All learners with XP, highest first.
    private func standings(
        _ request: LeaderboardRequest,
        _ fold: StandingFold,
        _ reader: any StoreReader
    ) throws -> [Standing] {
        let terms = fold.terms
        // The tables show each learner as of the latest event. So for a learner with events after the instant, they
        // may differ from the state at the instant.
        let late = try holdsProgress(reader) ? reader.learners(where: .eventsAfter(terms.instant)) : nil
        let (folded, validUpTo) = try late.map(fold.reach) ?? (nil, [:])
        var standings = folded == [] ? [] : try fold.standings(of: folded, reader)
        standings.removeAll { $0.details?.isOnLeaderboards == false }
        if let cohort = request.cohort {
            standings = standings.filter { $0.details?.cohort?.utf8.elementsEqual(cohort.utf8) ?? false }
        }
        let leftOut = late == nil ? [] : Set(try reader.learners(where: .offLeaderboards))
        if let late {
            let late = Set(late)
            try reader.forEachXP(language: terms.language, days: terms.days, cohort: request.cohort) { learner, xp in
                if !late.contains(learner), !leftOut.contains(learner) {
                    standings.append(Standing(learner: learner, xp: xp))
                }
            }
        }
        for (last, learners) in validUpTo {
            guard let first = terms.days?.lowerBound, first <= last else { continue }
            try reader.forEachXP(language: terms.language, days: first...last, cohort: request.cohort) { learner, xp in
                if learners.contains(learner), !leftOut.contains(learner) {
                    standings.append(Standing(learner: learner, xp: xp))
                }
            }
        }
        return standings.filter { $0.xp != 0 }
            .sorted { $0.xp != $1.xp ? $0.xp > $1.xp : $0.learner < $1.learner }
    }
}

extension BoardTerms {
    init(_ request: LeaderboardRequest, _ plan: FoldPlan) {
        language = request.language?.canonicalLanguageTag
        days = request.week.map { day in
            let first = day.weekStart(firstWeekday: plan.version(on: day).rules.calendar.weekStartsOn)
            return first...LocalDay(number: first.number + 6)
        }
        instant = request.instant.milliseconds
    }
}

/// Standings, highest first. Learners with equal XP are sorted only where `order` was called.
private struct Board {
    private(set) var standings: [Standing]
    let fold: StandingFold
    let reader: any StoreReader

    /// The positions of `count` learners around a learner, or of all if the board has fewer; empty if the learner has
    /// no XP.
    mutating func neighbourhood(of learner: Int64, _ count: Int) throws -> Range<Int> {
        guard let somewhere = standings.firstIndex(where: { $0.learner == learner }) else { return 0..<0 }
        let equals = group(of: somewhere)
        try order(equals)
        let position = equals.first { standings[$0].learner == learner } ?? somewhere
        let length = min(count, standings.count)
        let first = min(max(0, position - (length - 1) / 2), standings.count - length)
        return first..<first + length
    }

    mutating func rows(_ shown: Range<Int>) throws -> [Leaderboard.Row] {
        guard !shown.isEmpty else { return [] }
        let first = group(of: shown.lowerBound).lowerBound
        try order(first..<group(of: shown.upperBound - 1).upperBound)
        var rank = first + 1
        return try shown.map { position in
            if position > shown.lowerBound, standings[position].xp != standings[position - 1].xp { rank = position + 1 }
            return try row(standings[position], rank)
        }
    }

    private func row(_ standing: Standing, _ rank: Int) throws -> Leaderboard.Row {
        var row = Leaderboard.Row(rank: rank, learner: "", xp: Int(whole: standing.xp))
        if let details = standing.details {
            row.learner = String(decoding: details.subject, as: UTF8.self)
            row.displayName = details.displayName
            row.cohort = details.cohort
            row.reachedAt = Date(milliseconds: details.reachedAt)
        } else if let overview = try reader.overview(of: standing.learner) {
            row.learner = String(decoding: overview.learner.subject, as: UTF8.self)
            row.displayName = overview.displayName
            row.cohort = overview.cohort
        }
        return row
    }

    /// The positions of all learners with the same XP as the learner at a position.
    private func group(of position: Int) -> Range<Int> {
        let xp = standings[position].xp
        let first = (0..<position).partitioningIndex { standings[$0].xp <= xp }
        return first..<(position..<standings.count).partitioningIndex { standings[$0].xp < xp }
    }

    /// Sorts learners with equal XP by the time at which they reached it.
    /// - Parameter positions: positions that cover whole groups of equal XP.
    private mutating func order(_ positions: Range<Int>) throws {
        var groups: [Range<Int>] = []
        var position = positions.lowerBound
        while position < positions.upperBound {
            let group = group(of: position)
            if group.count > 1 { groups.append(group) }
            position = group.upperBound
        }
        try addDetails(groups.flatMap { group in group.filter { standings[$0].details == nil } })
        for group in groups { standings[group].sort(by: Standing.reachedEarlier) }
    }

    /// Computes the missing details of the learners at some positions.
    private mutating func addDetails(_ positions: [Int]) throws {
        guard !positions.isEmpty else { return }
        let learners = positions.map { standings[$0].learner }.sorted()
        let detailsByLearner = Dictionary(
            try fold.standings(of: learners, reader).map { ($0.learner, $0.details) },
            uniquingKeysWith: { first, _ in first }
        )
        for position in positions { standings[position].details = detailsByLearner[standings[position].learner] ?? nil }
    }
}
