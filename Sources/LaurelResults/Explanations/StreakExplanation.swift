// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// A track's streak, day by day.
public struct StreakExplanation: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// nil for all languages together.
    public var language: String?
    /// The condition that an event must meet for its day to be active, as written in the rules.
    public var when: String
    /// The reference day: the local day of the instant, or the latest active day if that is later.
    public var day: LocalDay
    /// In days, at the reference day.
    public var currentStreak = 0
    /// The longest there ever was, in days.
    public var longestStreak = 0
    /// Freezes held.
    public var streakFreezes = 0
    /// The latest day that ended a streak; it may lie before `days`.
    public var lastBreak: Day?
    /// Ascending, without gaps; empty if the streak had not begun.
    public var days: [Day] = []
    /// What mends a missed day. It is not in the JSON: nil if the explanation was decoded.
    public var terms: Terms?

    /// Creates one, for previews and tests.
    public init(learner: String, language: String?, when: String, day: LocalDay) {
        (self.learner, self.language, self.when, self.day) = (learner, language, when, day)
    }

    private enum CodingKeys: String, CodingKey {
        case learner = "userId"
        case language, when, day, currentStreak, longestStreak, streakFreezes, lastBreak, days
    }

    /// What the rules say of freezes and of days off.
    public struct Terms: Sendable, Hashable {
        /// How many days of a streak earn a freeze; nil if none are earned.
        public var freezeEvery: Int?
        /// How many freezes can be held.
        public var mostFreezes: Int
        /// 1 Monday … 7 Sunday, ascending.
        public var restDays: [Int]

        /// Creates one, for previews and tests.
        public init(freezeEvery: Int?, mostFreezes: Int, restDays: [Int]) {
            (self.freezeEvery, self.mostFreezes, self.restDays) = (freezeEvery, mostFreezes, restDays)
        }
    }

    /// What a day was to the streak.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// The learner practised.
        case active
        /// Active by `streak.repaired` alone.
        case repaired
        /// Missed, but the rules rest on it.
        case restDay
        /// Missed, but `streak.frozen` names it.
        case frozen
        /// Missed; a freeze that was held took it.
        case freezeSpent
        /// Missed, and what streak there was is over.
        case missed
        /// Missed so far: the reference day is not over.
        case open
    }

    /// A day on the streak's walk, and what happened on it.
    public struct Day: Codable, Sendable, Hashable {
        /// The local day, by the learner's clock.
        public var day: LocalDay
        /// What became of the streak.
        public var outcome: Outcome
        /// In days, after this one.
        public var currentStreak = 0
        /// At its end, in days.
        public var longestStreak = 0
        /// Freezes held after it.
        public var streakFreezes = 0
        /// How long a streak it ended; nil if none.
        public var lost: Int?
        /// Whether a freeze was earned on it.
        public var earnsFreeze = false
        /// The track's events, without void ones; those of them for which `when` was true; void ones.
        public var events = 0
        /// Those that make a day active.
        public var activeEvents = 0
        /// Those that were retracted or discarded.
        public var voidEvents = 0
        /// Of the events that made the day active, in the order met.
        public var zones: [String] = []
        /// The first for which `when` was true; else the last one, for which it was not.
        public var event: EventReference?
        /// `when` at that event.
        public var when: ExplainedExpression?
        /// The first `streak.repaired` and `streak.frozen` that named the day.
        public var repairedBy: EventReference?
        /// The `streak.frozen` that kept it; nil if none did.
        public var frozenBy: EventReference?

        /// Creates one, for previews and tests.
        public init(day: LocalDay, outcome: Outcome) { (self.day, self.outcome) = (day, outcome) }
    }
}
