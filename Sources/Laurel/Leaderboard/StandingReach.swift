// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Finds the days for which the tables are valid at an earlier instant. The tables show each learner as of the latest
/// event, which may be later.
///
/// A day's row depends only on events up to the end of that day. So all days before the first event after the instant
/// have valid rows. If no event up to the instant is on the same day as that first event, these rows contain all XP.
///
/// The tables are not valid if a later event changes earlier events, or the learner's profile. Not thread-safe.
struct StandingReach {
    private let instant: Int64
    private var clock: LocalClock

    /// Types of events that change other events or the learner's profile.
    private static let retelling = EventKind.corrections.map(\.rawValue) + [EventKind.learnerUpdated.rawValue]
    /// A duration in milliseconds that is longer than the difference between two local dates at one instant. Time zones
    /// differ by less than two days, and starts of the day by less than two more days.
    private static let margin: Int64 = 5 * 86_400_000

    /// - Parameter clock: the clock that decides the local days.
    init(instant: Int64, clock: LocalClock) { (self.instant, self.clock) = (instant, clock) }

    /// The last day for which the tables show the state at the instant; nil if the events must be folded. At the
    /// instant, no later day had XP.
    /// - Parameter runs: all events of a learner.
    mutating func lastDay(_ runs: [EventRun]) -> LocalDay? {
        var first = LocalDay(containing: instant).number + 2
        for run in runs {
            let table = run.table
            let later = StandingReach.rows(run, table, after: instant)
            let retelling = table.types(named: StandingReach.retelling)
            if !retelling.isEmpty, later.contains(where: { retelling.contains(table.type[$0]) }) { return nil }
            let end = StandingReach.rows(run, table, after: instant + StandingReach.margin).lowerBound
            for row in later.lowerBound..<end { first = min(first, clock.localTime(of: row, in: table).day.number) }
        }
        for run in runs {
            let table = run.table
            let near = StandingReach.rows(run, table, after: instant - StandingReach.margin).lowerBound
            let end = StandingReach.rows(run, table, after: instant).lowerBound
            for row in (near..<end).reversed() where clock.localTime(of: row, in: table).day.number >= first {
                return nil
            }
        }
        return LocalDay(number: first - 1)
    }

    private static func rows(_ run: EventRun, _ table: EventTable, after instant: Int64) -> Range<Int> {
        run.rows.partitioningIndex { table.milliseconds[$0] > instant }..<run.rows.upperBound
    }
}

extension StandingFold {
    /// Groups learners by the last day for which the tables are valid.
    /// - Parameter learners: learners with events after the instant, ascending.
    /// - Returns: the learners to fold, and the other learners grouped by the last valid day.
    /// - Complexity: reads the times of their events, on all cores.
    func reach(of learners: [Int64]) throws -> (folded: [Int64], validUpTo: [LocalDay: Set<Int64>]) {
        guard let days = terms.days, plan.versions.count == 1, !learners.isEmpty else { return (learners, [:]) }
        let clock = plan.latest.clock
        var folded: [Int64] = []
        var valid: [LocalDay: Set<Int64>] = [:]
        try scan.shares(of: learners).mapInParallel { [state, terms] share in
            var reach = StandingReach(instant: terms.instant, clock: clock)
            var found: [(learner: Int64, day: LocalDay?)] = []
            try state.read { reader in
                try share.forEachLearner(reader, fields: .none, until: nil) { found.append(($0.id, reach.lastDay($1))) }
            }
            return found
        } receive: { found in
            for (learner, day) in found {
                if let day {
                    valid[min(day, days.upperBound), default: []].insert(learner)
                } else {
                    folded.append(learner)
                }
            }
        }
        return (folded, valid)
    }
}
