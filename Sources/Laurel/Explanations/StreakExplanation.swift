import LaurelEvents
package import LaurelProgress
package import LaurelRules

/// A track's streak, day by day.
package struct StreakExplanation: Sendable {
    package var language: String?
    package var rule: StreakRule
    /// The reference day: the local day of the instant, or the latest active day if that is later.
    package var reference: LocalDay
    /// At the reference day.
    package var value: StreakValue
    /// Ascending, without gaps; empty where the streak had not begun.
    package var days: [StreakDay]
    /// The latest day that ended a streak; it may lie before `days`.
    package var lastBreak: StreakDay?
}

/// A day on the streak's walk.
package struct StreakDay: Sendable {
    package var day: LocalDay
    package var outcome: StreakOutcome
    /// After the day.
    package var value: StreakValue
    package var story: StreakDayStory
}

/// What happened on a day, as far as the streak is concerned.
package struct StreakDayStory: Sendable {
    /// The track's events, without void ones; those of them for which `when` was true; void ones.
    package var events = 0
    package var activeEvents = 0
    package var voidEvents = 0
    /// The first for which `when` was true; else the last one, for which it was not.
    package var event: EventReference?
    /// `when` at that event.
    package var when: ExplainedExpression?
    /// Of the events that made the day active, in the order met.
    package var zones: [String] = []
    /// The first `streak.repaired` and `streak.frozen` that named the day.
    package var repairedBy: EventReference?
    package var frozenBy: EventReference?

    package init() {}
}
