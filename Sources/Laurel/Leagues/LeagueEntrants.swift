// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import LaurelWire

/// A learner as a league sees it.
struct LeagueEntrant: Sendable {
    let learner: Int64
    let id: String
    let displayName: String?
    /// The XP of the week that counts.
    let xp: Double
    /// True if the learner opted out of leagues.
    let isOut: Bool
    /// The learner's latest result in the league; nil before the first.
    let latest: LeagueResults.Result?
    /// The learner's results of the week.
    let earlier: EarlierResults
    /// The clock of the learner's latest event.
    let timezone: String?
    let offset: WrittenOffset
    /// The time that decides between equal XP: see ``LeagueTimes``. It is set only if another learner of the room has
    /// the same XP.
    var reachedAt: Int64 = 0

    var competes: Bool { xp > 0 && !isOut }
}

/// Reads learners for a league, as of an instant.
struct LeagueReader {
    let state: any StoreState
    let plan: FoldPlan
    /// The last instant that counts, in milliseconds since 1970.
    let instant: Int64

    /// The number of learners per share. It is small enough to keep all cores busy to the end.
    private static let share = 256

    /// The learners with XP in a week, or with a result in its league.
    /// - Complexity: O(events), on all cores.
    func entrants(of week: LeagueWeek) throws -> [LeagueEntrant] {
        let shares = try state.read { try $0.learnerShares(of: LeagueReader.share) }
        var entrants: [LeagueEntrant] = []
        try shares.mapInParallel { ids in
            try state.read { reader in
                let folder = LearnerFolder(plan: plan, keepsStates: false)
                var found: [LeagueEntrant] = []
                try reader.forEachLearner(ids: ids, fields: plan.fields) { learner, runs in
                    folder.refold(runs, until: instant)
                    let earlier = EarlierResults(of: week, in: runs, folder.state, until: instant)
                    let entrant = LeagueEntrant(learner, folder.state, week, earlier)
                    if entrant.xp > 0 || entrant.latest != nil || !earlier.isEmpty { found.append(entrant) }
                }
                return found
            }
        } receive: {
            entrants += $0
        }
        return entrants
    }

    /// For some learners, the time that decides between equal XP.
    /// - Complexity: O(events of these learners), on all cores.
    func reachTimes(of learners: [Int64], in week: LeagueWeek) throws -> [Int64: Int64] {
        var times: [Int64: Int64] = [:]
        try learners.sorted().shares(of: LeagueReader.share).mapInParallel { ids in
            try state.read { reader in
                let folder = LearnerFolder(plan: plan)
                var found: [(learner: Int64, time: Int64)] = []
                try reader.forEachLearner(of: ids, fields: plan.fields, until: instant) { learner, runs in
                    let times = LeagueTimes(week.days, plan)
                    folder.fold.observer = times
                    folder.refold(runs, until: instant)
                    found.append((learner.id, times.reachedAt))
                }
                return found
            }
        } receive: {
            for (learner, time) in $0 { times[learner] = time }
        }
        return times
    }
}

extension LeagueEntrant {
    init(_ learner: LearnerRecord, _ state: LearnerState, _ week: LeagueWeek, _ earlier: EarlierResults) {
        let clock = state.latestClock
        self.init(
            learner: learner.id,
            id: String(decoding: learner.subject, as: UTF8.self),
            displayName: state.displayName,
            xp: state.leagueXP(on: week.days),
            isOut: state.leagues.isOut,
            latest: state.leagues.result(in: week.rule.name.utf8),
            earlier: earlier,
            timezone: clock.timezone,
            offset: clock.offset
        )
    }
}

extension LeagueReader {
    /// The first day of the latest week with a result in a league; nil if there is no result.
    /// - Complexity: O(events): the types of all events, on all cores. Learners with results are folded.
    func latestResultDay(in league: String) throws -> LocalDay? {
        let shares = try state.read { try $0.learnerShares(of: LeagueReader.share) }
        var latest: LocalDay?
        try shares.mapInParallel { ids in
            try state.read { reader in
                let folder = LearnerFolder(plan: plan, keepsStates: false)
                var found: LocalDay?
                try reader.forEachLearner(ids: ids, fields: plan.fields) { _, runs in
                    guard runs.contains(where: EarlierResults.mayBe) else { return }
                    folder.refold(runs, until: instant)
                    let day = folder.state.leagues.result(in: league.utf8)?.firstDay
                    found = [found, day].compactMap(\.self).max()
                }
                return found
            }
        } receive: {
            latest = [latest, $0].compactMap(\.self).max()
        }
        return latest
    }
}
