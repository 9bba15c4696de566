// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// How far the tables, which are as of each learner's last event, tell of learners who have events after an instant, too.
///
/// A day's row depends on events up to the day's last alone. So the rows of all days before the first later event's are as they
/// were at the instant; and where no earlier event is of that day, they are all there was. It is another matter where a later event
/// says something else of earlier ones, or of who the learner is. Not thread-safe.
struct StandingReach {
    private let instant: Int64
    private var clock: LocalClock

    /// Types of events that say something of others, or of the learner.
    private static let retelling = EventKind.corrections.map(\.rawValue) + [EventKind.learnerUpdated.rawValue]
    /// Local dates of one instant lie less than two days apart, and so do those that a day begins at.
    private static let margin: Int64 = 5 * 86_400_000

    /// - Parameter clock: by which days are told.
    init(instant: Int64, clock: LocalClock) { (self.instant, self.clock) = (instant, clock) }

    /// The last day of which the tables tell what was at the instant, after which there was nothing; nil if the events have to
    /// be folded.
    /// - Parameter runs: all of a learner's.
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
    /// Sorts learners by how far the tables tell of them at the instant.
    /// - Parameter learners: who have events after it, ascending.
    /// - Returns: those who have to be folded, and the others by the last day that counts.
    /// - Complexity: reads when their events were, on all cores.
    func reach(of learners: [Int64]) throws -> (folded: [Int64], toldUpTo: [LocalDay: Set<Int64>]) {
        guard let days = terms.days, plan.versions.count == 1, !learners.isEmpty else { return (learners, [:]) }
        let clock = plan.latest.clock
        var folded: [Int64] = []
        var told: [LocalDay: Set<Int64>] = [:]
        try shares(of: learners).mapInParallel { [state, terms] share in
            var reach = StandingReach(instant: terms.instant, clock: clock)
            var found: [(learner: Int64, day: LocalDay?)] = []
            try state.read { reader in
                try share.forEachLearner(reader, fields: .none, until: nil) { found.append(($0.id, reach.lastDay($1))) }
            }
            return found
        } receive: { found in
            for (learner, day) in found {
                if let day {
                    told[min(day, days.upperBound), default: []].insert(learner)
                } else {
                    folded.append(learner)
                }
            }
        }
        return (folded, told)
    }
}
