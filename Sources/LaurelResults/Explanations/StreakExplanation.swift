// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// A track's streak, day by day.
public struct StreakExplanation: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The language of the track; nil for all languages together.
    public var language: String?
    /// The condition that an event must meet for its day to be active, as written in the rules.
    public var when: String
    /// The reference day: the local day at the requested instant, or the latest active day if that is later.
    public var day: LocalDay
    /// The streak at the reference day, in days.
    public var currentStreak = 0
    /// The longest streak up to the reference day, in days.
    public var longestStreak = 0
    /// The freezes held at the reference day.
    public var streakFreezes = 0
    /// The latest day that broke a streak; nil if no day did. It may be before the first of `days`.
    public var lastBreak: Day?
    /// The listed days, about a month, ascending and without gaps; empty if the streak begins after them.
    public var days: [Day] = []
    /// The rules' settings for freezes and rest days. The JSON leaves them out, so they are nil in a decoded
    /// explanation.
    public var terms: Terms?

    /// Creates a value, for previews and tests.
    public init(learner: String, language: String?, when: String, day: LocalDay) {
        (self.learner, self.language, self.when, self.day) = (learner, language, when, day)
    }

    private enum CodingKeys: CodingKey {
        case learner, language, when, day, currentStreak, longestStreak, streakFreezes, lastBreak, days
    }

    /// The rules' settings for freezes and rest days.
    public struct Terms: Sendable, Hashable {
        /// The number of streak days that earn a freeze; nil if no freeze is earned.
        public var freezeEvery: Int?
        /// The largest number of freezes that can be held.
        public var mostFreezes: Int
        /// The weekdays of rest, 1 Monday … 7 Sunday, ascending.
        public var restDays: [Int]
        /// True if the streak counts weeks instead of days.
        package var isWeekly = false

        /// Creates a value, for previews and tests.
        public init(freezeEvery: Int?, mostFreezes: Int, restDays: [Int]) {
            (self.freezeEvery, self.mostFreezes, self.restDays) = (freezeEvery, mostFreezes, restDays)
        }
    }

    /// The effect of a day on the streak.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// An event met `streak.when`.
        case active
        /// The day is active only because a `streak.repaired` names it.
        case repaired
        /// The learner missed the day, which is a rest day of the rules. The streak is unchanged.
        case restDay
        /// The learner missed the day, but a `streak.frozen` names it. The streak is unchanged.
        case frozen
        /// The learner missed the day, and a held freeze was spent. The streak is unchanged.
        case freezeSpent
        /// The learner missed the day. The streak is 0 after it.
        case missed
        /// The reference day, which is not active yet and not over.
        case open
    }

    /// A day, and its effect on the streak.
    public struct Day: Codable, Sendable, Hashable {
        /// The local day by the learner's clock.
        public var day: LocalDay
        /// The effect of the day on the streak.
        public var outcome: Outcome
        /// The streak after this day, in days.
        public var currentStreak = 0
        /// The longest streak up to this day, in days.
        public var longestStreak = 0
        /// The freezes held after this day.
        public var streakFreezes = 0
        /// The length of the streak that the day broke, in days; nil if it broke no streak.
        public var lost: Int?
        /// True if a freeze was earned on the day.
        public var earnsFreeze = false
        /// The number of the day's events in the track, excluding void events.
        public var events = 0
        /// The number of these events that met `streak.when`.
        public var activeEvents = 0
        /// The number of the day's events that corrections void.
        public var voidEvents = 0
        /// The clocks of the events that met `streak.when`, each once, in the order of the events.
        public var zones: [String] = []
        /// The first event of the day that met `streak.when`. If no event met it, the last event that did not; nil if
        /// there is neither.
        public var event: EventReference?
        /// The condition `streak.when` at that event; nil if there is no event.
        public var when: ExplainedExpression?
        /// The first `streak.repaired` that names the day; nil if none does.
        public var repairedBy: EventReference?
        /// The first `streak.frozen` that names the day; nil if none does.
        public var frozenBy: EventReference?

        /// Creates a value, for previews and tests.
        public init(day: LocalDay, outcome: Outcome) { (self.day, self.outcome) = (day, outcome) }
    }
}
