// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// A window of a goal.
struct GoalWindow: Sendable, Equatable {
    /// The number of the window's first day.
    var first: Int32
    /// The season's name; nil for a day or a week.
    var season: String?
}

extension VersionPlan {
    /// The present window of a goal; nil for a goal of a season on a day in no season.
    func goalWindow(_ window: Window, _ keys: WindowKeys) -> GoalWindow? {
        guard window == .season else { return GoalWindow(first: keys[window]) }
        guard keys.isInSeason else { return nil }
        let season = rules.seasons[Int(keys.season)]
        return GoalWindow(first: season.days.lowerBound.number, season: season.name)
    }

    /// For each goal, true if the goal counts for a learner in the present windows. A goal counts if it has no pool, or
    /// if its pool draws it.
    func drawnGoals(of learner: String, in keys: WindowKeys) -> [Bool] {
        rules.drawnGoals(of: learner) { window in goalWindow(window, keys).map { name(of: $0, window) } }
    }

    /// The name of a window: the date of a day, the name of a week, or the name of a season.
    func name(of present: GoalWindow, _ window: Window) -> String {
        let first = LocalDay(number: present.first)
        return present.season ?? (window == .week ? first.weekName(firstWeekday: weekStartsOn) : first.description)
    }
}
