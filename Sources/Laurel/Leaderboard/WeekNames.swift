// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Why a text names no week.
package struct WeekNameError: Error, CustomStringConvertible {
    package let description: String
}

extension ProgressEngine {
    /// The local day of an instant for nobody in particular: by the offset written in it, else in the rules' timezone.
    package func localDay(of instant: Timestamp) -> LocalDay {
        var clock = plan.version(at: instant).clock
        return clock.localTime(of: instant).day
    }

    /// The first day of a week.
    package func weekStart(_ day: LocalDay) -> LocalDay {
        day.weekStart(firstWeekday: plan.version(on: day).rules.calendar.weekStartsOn)
    }

    /// `2026-W06` where weeks start on Monday, else the first date.
    package func weekName(_ day: LocalDay) -> String {
        day.weekName(firstWeekday: plan.version(on: day).rules.calendar.weekStartsOn)
    }

    /// The first day of the week that a text names: `this`, `last`, a date in the week, or as ISO 8601 does.
    /// - Parameters:
    ///   - instant: what `this` goes by.
    ///   - learner: by whose clock; nil: the rules'.
    /// - Throws: ``WeekNameError``, and what reading throws.
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
