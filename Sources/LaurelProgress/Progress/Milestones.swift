// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// The streak, goals and balances of a learner. Messages compare them before and after a change.
package struct Milestones: Sendable {
    /// A goal and its completions.
    package struct Goal: Sendable {
        package var id: String
        /// The window: `day`, `week` or `season`.
        package var every: String
        /// The number of completions in all windows.
        package var times: Int
        /// The last few completions, ascending.
        var latest: [GoalState.Completion]
    }

    /// A balance as of the last event.
    package struct Balance: Sendable {
        package var currency: String
        package var amount: Double
        /// The balance of a learner without events.
        package var start: Double
        /// The next refill, in milliseconds since 1970; nil while nothing refills.
        package var nextRefill: Int64?
    }

    /// The overall streak.
    package var streak: StreakMilestone
    package var goals: [Goal]
    package var balances: [Balance]
    /// The latest result of each league.
    package var leagues: [LeagueResults.Result]
}

extension Milestones {
    /// The results in leagues since an earlier state. A result is new if its week is later than that of the earlier
    /// result, or if it has a better outcome of the same week. So the retraction of a result is not a new result.
    /// - Parameter old: the earlier state; nil for a learner without events.
    package func results(since old: Milestones?) -> [LeagueResults.Result] {
        leagues.filter { result in
            guard let known = old?.leagues.first(where: { $0.league == result.league }) else { return true }
            guard let day = result.firstDay, let before = known.firstDay else { return false }
            return day == before ? result.outcome > known.outcome : day > before
        }
    }
}

extension Milestones.Goal {
    /// The completions since an earlier state of the goal, ascending. Each has its number, counted from 1, and its time
    /// in milliseconds since 1970. If there are more than the last few completions, only these are returned.
    /// - Parameter old: the earlier state of the goal; nil if the goal was never completed.
    package func completions(since old: Milestones.Goal?) -> [(number: Int, at: Int64)] {
        let new = latest.indices.filter { index in
            !(old?.latest.contains { $0.isIn(latest[index].window) } ?? false)
        }
        return new.suffix(max(0, times - (old?.times ?? 0))).map { (times - (latest.count - 1 - $0), latest[$0].at) }
    }
}

/// A streak whose start and freezes are computed only when they are read.
package struct StreakMilestone: Sendable {
    private let streak: Streak
    private let schedule: StreakSchedule
    /// The day as of which freezes are counted; nil without events, and under rules without a streak.
    private let day: LocalDay?

    init(_ track: TrackState) {
        (streak, schedule) = (track.streak, track.plan.streakTerms)
        day = track.plan.hasStreak ? [track.lastDay, track.streak.active.last].compactMap(\.self).max() : nil
    }

    /// The first day of the streak as of its latest active day; nil without an active day. Under a weekly streak, the
    /// first day of the week.
    /// - Complexity: O(days since the first active day).
    package var start: LocalDay? {
        guard let last = streak.active.last, day != nil else { return nil }
        var found: LocalDay?
        streak.walk(to: last, schedule) { day, outcome, value in
            if case .active = outcome, value.current == 1 { found = day }
        }
        return found
    }

    /// The number of unused freezes.
    package var freezes: Int {
        var streak = streak
        return day.map { streak.value(at: $0, schedule).freezes } ?? 0
    }

    /// The number of freezes that were ever earned or granted. Freezes that a streak begins with do not count.
    /// - Complexity: O(days since the first active day).
    package var freezesGained: Int {
        guard let day else { return 0 }
        return freezes + streak.freezesSpent(to: day, schedule) - streak.freezesAtStart(asOf: day, schedule)
    }

    /// True if active days, frozen days and grants are the same.
    package func hasSameDays(as other: StreakMilestone) -> Bool { streak.days == other.streak.days }
}

extension Streak {
    fileprivate func freezesSpent(to day: LocalDay, _ schedule: StreakSchedule) -> Int {
        var spent = 0
        walk(to: day, schedule) { _, outcome, _ in if outcome == .freezeSpent { spent += 1 } }
        return spent
    }

    /// The freezes that a streak begins with.
    /// - Parameter day: the day whose terms apply as long as there is no active day.
    fileprivate func freezesAtStart(asOf day: LocalDay, _ schedule: StreakSchedule) -> Int {
        let terms = schedule.terms(in: schedule.period(of: active.first ?? day))
        return min(terms.freezesAtStart, terms.freezesHeld)
    }
}

extension ProgressReader {
    package func milestones(_ state: LearnerState) -> Milestones {
        let plan = state.plan
        return Milestones(
            streak: StreakMilestone(state.tracks[0]),
            goals: zip(plan.rules.goals, state.goals).map { rule, goal in
                Milestones.Goal(id: rule.id, every: rule.every.name, times: goal.times, latest: Array(goal.latest))
            },
            balances: zip(plan.rules.currencies, zip(state.balances, plan.currencies)).map { rule, balance in
                Milestones.Balance(
                    currency: rule.name,
                    amount: balance.0.amount,
                    start: balance.1.start,
                    nextRefill: balance.0.nextRefill(balance.1)
                )
            },
            leagues: state.leagues.latest
        )
    }
}
