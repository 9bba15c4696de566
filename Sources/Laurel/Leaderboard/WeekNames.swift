// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// The error for a text that names no week.
package struct WeekNameError: Error, CustomStringConvertible {
    package let description: String
}

extension ProgressEngine {
    /// The local day of an instant without a learner, by the offset written in the instant. If there is none, the
    /// rules' time zone decides.
    package func localDay(of instant: Timestamp) -> LocalDay {
        var clock = plan.version(at: instant).clock
        return clock.localTime(of: instant).day
    }

    /// The first day of a week.
    package func weekStart(_ day: LocalDay) -> LocalDay {
        day.weekStart(firstWeekday: plan.version(on: day).rules.calendar.weekStartsOn)
    }

    /// The name of a week: `2026-W06` if weeks start on Monday, otherwise its first date.
    package func weekName(_ day: LocalDay) -> String {
        day.weekName(firstWeekday: plan.version(on: day).rules.calendar.weekStartsOn)
    }

    /// The first day of the week that a text names: `this`, `last`, a date in the week, or an ISO 8601 week.
    /// - Parameters:
    ///   - instant: the instant for `this` and `last`.
    ///   - learner: the learner whose clock decides; nil for the rules' clock.
    /// - Throws: ``WeekNameError``, and errors of reading.
    package func week(named name: String, at instant: Timestamp, for learner: String? = nil) throws -> LocalDay {
        switch name {
        case "this": return weekStart(try localDay(of: instant, for: learner))
        case "last": return weekStart(LocalDay(number: try localDay(of: instant, for: learner).number - 7))
        default: break
        }
        if let day = LocalDay(parsing: name.utf8) { return weekStart(day) }
        guard LocalDay.isISOWeekName(name.utf8) else {
            throw WeekNameError(description: "names no week: give a date in it, 2026-W06, this or last")
        }
        guard plan.version(at: instant).rules.calendar.weekStartsOn == 1 else {
            throw WeekNameError(
                description: "is a week from Monday on, but under these rules weeks start on another day:"
                    + " name it by a date in it"
            )
        }
        guard let start = LocalDay(startOfISOWeek: name.utf8) else {
            throw WeekNameError(description: "does not exist: years have 52 or 53 weeks, which count from W01")
        }
        return start
    }
}
