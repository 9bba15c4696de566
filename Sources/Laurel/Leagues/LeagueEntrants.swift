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
    let scan: LearnerScan

    /// The learners with XP in a week, or with a result in its league.
    /// - Complexity: O(events), on all cores.
    func entrants(of week: LeagueWeek) throws -> [LeagueEntrant] {
        try results(of: nil) { learner, runs, folder in
            folder.refold(runs, until: scan.instant)
            let entrant = LeagueEntrant(learner, runs, folder.state, week, until: scan.instant)
            return entrant.xp > 0 || entrant.latest != nil || !entrant.earlier.isEmpty ? entrant : nil
        }
    }

    /// For some learners, the time that decides between equal XP.
    /// - Complexity: O(events of these learners), on all cores.
    func reachTimes(of learners: [Int64], in week: LeagueWeek) throws -> [Int64: Int64] {
        let times = try results(of: learners.sorted()) { learner, runs, folder in
            let times = LeagueTimes(week.days, scan.plan)
            folder.fold.observer = times
            folder.refold(runs, until: scan.instant)
            return (learner.id, times.reachedAt)
        }
        return Dictionary(uniqueKeysWithValues: times)
    }

    /// The first day of the latest week with a result in a league; nil if there is no result.
    /// - Complexity: O(events): the types of all events, on all cores. Learners with results are folded.
    func latestResultDay(in league: String) throws -> LocalDay? {
        try results(of: nil) { _, runs, folder in
            guard runs.contains(where: EarlierResults.mayBe) else { return nil }
            folder.refold(runs, until: scan.instant)
            return folder.state.leagues.result(in: league.utf8)?.firstDay
        }
        .max()
    }

    private func results<Result: Sendable>(
        of learners: [Int64]?,
        _ body: @escaping @Sendable (LearnerRecord, [EventRun], LearnerFolder) throws -> Result?
    ) throws -> [Result] {
        try scan.state.read { try scan.results(of: learners, $0, body) }
    }
}

extension ProgressEngine {
    /// Reads leagues as of an instant, over one state of the store.
    func readLeagues<Result>(
        until milliseconds: Int64,
        _ body: (LeagueReader) throws -> Result
    ) throws -> Result {
        try store.readTogether { state in
            let plan = try state.read { try self.plan(for: $0) }
            return try body(LeagueReader(scan: LearnerScan(state: state, plan: plan, instant: milliseconds)))
        }
    }
}

extension LeagueEntrant {
    fileprivate init(
        _ learner: LearnerRecord,
        _ runs: [EventRun],
        _ state: LearnerState,
        _ week: LeagueWeek,
        until instant: Int64
    ) {
        let clock = state.latestClock
        self.init(
            learner: learner.id,
            id: String(decoding: learner.subject, as: UTF8.self),
            displayName: state.displayName,
            xp: state.leagueXP(on: week.days),
            isOut: state.leagues.isOut,
            latest: state.leagues.result(in: week.rule.name.utf8),
            earlier: EarlierResults(of: week, in: runs, state, until: instant),
            timezone: clock.timezone,
            offset: clock.offset
        )
    }
}
