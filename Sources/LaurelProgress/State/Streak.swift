// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The rules for missed days of a streak: freezes and rest days. The condition that makes a day active is not included.
package struct StreakTerms: Sendable, Equatable {
    /// The number of streak days that earns a freeze. Each multiple of the number earns another freeze. nil if freezes
    /// are never earned.
    package var freezeEvery: Int?
    /// The maximum number of unused freezes.
    package var freezesHeld: Int
    /// The rest days, as bits 1 << weekday (1 Monday … 7 Sunday).
    package var restDays: UInt8

    package init(freezeEvery: Int?, freezesHeld: Int, restDays: UInt8) {
        self.freezeEvery = freezeEvery
        self.freezesHeld = freezesHeld
        self.restDays = restDays
    }

    func isRestDay(_ day: LocalDay) -> Bool { restDays & (1 << UInt8(day.weekday)) != 0 }
}

/// The streak terms by day. The version in force on a day decides.
package struct StreakSchedule: Sendable {
    /// The terms with their first days, ascending. The first terms apply to all earlier days.
    private let stretches: [(from: Int32, terms: StreakTerms)]

    init(_ versions: [(from: LocalDay?, terms: StreakTerms)]) {
        stretches = versions.map { ($0.from?.number ?? .min, $0.terms) }
    }

    /// Uses the same terms for every day.
    package init(_ terms: StreakTerms) { self.init([(nil, terms)]) }

    /// True if `day` and all later days are rest days.
    func isAlwaysRest(from day: LocalDay) -> Bool {
        let last = stretches[stretches.count - 1]
        return last.from <= day.number && last.terms.restDays & 0xFE == 0xFE
    }

    func terms(on day: LocalDay) -> StreakTerms {
        if stretches.count == 1 { return stretches[0].terms }
        return stretches[stretches.indices.partitioningIndex { stretches[$0].from > day.number } - 1].terms
    }
}

/// The value of a streak at the end of a day.
package struct StreakValue: Sendable, Equatable {
    package var current = 0
    package var longest = 0
    package var freezes = 0

    package init() {}
}

/// A track's active and frozen days, from which the streak is computed day by day.
///
/// The value at the latest active day is cached. Only missed days lie between it and a later reference day, so
/// computing the value there takes one step per missed day, until the streak breaks. A correction before the latest
/// active day recomputes the streak from the first day.
package struct Streak: Sendable {
    package private(set) var active = DaySet()
    package private(set) var frozen = DaySet()
    /// The cached value at the latest active day.
    private var anchor = StreakValue()
    private var memo: (day: LocalDay, value: StreakValue)?

    package init() {}

    /// Creates an empty streak that reuses the memory of `old`, which becomes empty.
    init(inMemoryOf old: inout Streak) {
        swap(&active, &old.active)
        active.removeAll()
        swap(&frozen, &old.frozen)
        frozen.removeAll()
    }

    package init(active: DaySet, frozen: DaySet, schedule: StreakSchedule) {
        self.active = active
        self.frozen = frozen
        walkAgain(schedule)
    }

    package mutating func markActive(_ day: LocalDay, _ schedule: StreakSchedule) {
        guard let latest = active.last else {
            active.insert(day)
            walkAgain(schedule)
            return
        }
        guard active.insert(day) else { return }
        memo = nil
        if day > latest {
            anchor = missed(from: latest, to: day, anchor, schedule)
            arrive(day, &anchor, schedule)
        } else {
            walkAgain(schedule)
        }
    }

    package mutating func freeze(_ day: LocalDay, _ schedule: StreakSchedule) {
        guard frozen.insert(day) else { return }
        memo = nil
        if let latest = active.last, day < latest { walkAgain(schedule) }
    }

    /// The value at a day; at the latest active day if that is later.
    package mutating func value(at day: LocalDay, _ schedule: StreakSchedule) -> StreakValue {
        guard let latest = active.last, day > latest else { return anchor }
        if let memo, memo.day == day { return memo.value }
        let value = missed(from: latest, to: day, anchor, schedule)
        memo = (day, value)
        return value
    }

    /// The last day on which the learner can still continue the streak: the first later day that is not a rest day, not
    /// frozen, and not covered by an unused freeze. nil without a streak, and if every weekday is a rest day.
    /// - Complexity: O(unused freezes + frozen days). If the week has rest days, up to seven times that.
    func end(_ schedule: StreakSchedule) -> LocalDay? {
        guard let latest = active.last, anchor.current > 0 else { return nil }
        var (value, day) = (anchor, LocalDay(number: latest.number + 1))
        // After the first day of the last version and the last frozen day, only freezes and rest days matter.
        while !schedule.isAlwaysRest(from: day) {
            if case .missed = miss(day, &value, schedule) { return day }
            day = LocalDay(number: day.number + 1)
        }
        return nil
    }

    private mutating func walkAgain(_ schedule: StreakSchedule) {
        memo = nil
        anchor = StreakValue()
        var previous: LocalDay?
        for run in active.runs {
            for number in run {
                let day = LocalDay(number: number)
                if let previous, day.number > previous.number + 1 {
                    anchor = missed(from: previous, to: day, anchor, schedule)
                }
                arrive(day, &anchor, schedule)
                previous = day
            }
        }
    }

    private func arrive(_ day: LocalDay, _ value: inout StreakValue, _ schedule: StreakSchedule) {
        let terms = schedule.terms(on: day)
        value.current += 1
        value.longest = max(value.longest, value.current)
        if let every = terms.freezeEvery, value.current % every == 0 {
            value.freezes = max(value.freezes, min(value.freezes + 1, terms.freezesHeld))
        }
    }

    /// The value after the missed days between two days, both excluded.
    private func missed(
        from: LocalDay,
        to: LocalDay,
        _ start: StreakValue,
        _ schedule: StreakSchedule
    ) -> StreakValue {
        var value = start
        var number = from.number + 1
        while number < to.number, value.current > 0 || value.freezes > 0 {
            _ = miss(LocalDay(number: number), &value, schedule)
            number += 1
        }
        return value
    }

    /// Applies a missed day to `value`, and returns the effect.
    private func miss(_ day: LocalDay, _ value: inout StreakValue, _ schedule: StreakSchedule) -> StreakOutcome {
        if schedule.terms(on: day).isRestDay(day) { return .restDay }
        if frozen.contains(day) { return .frozen }
        if value.freezes > 0 {
            value.freezes -= 1
            return .freezeSpent
        }
        let lost = value.current
        value.current = 0
        return .missed(lost: lost)
    }
}

/// The effect of a day on the streak.
package enum StreakOutcome: Sendable, Equatable {
    case active(earnsFreeze: Bool)
    /// Missed without effect: a rest day, or a day named by a `streak.frozen` event.
    case restDay, frozen
    /// Missed, but an unused freeze was spent.
    case freezeSpent
    /// Missed. The value is the length of the streak that ended, in days; 0 if there was no streak.
    case missed(lost: Int)
    /// Not active yet, but the reference day is not over.
    case open
}

extension Streak {
    /// Calls `visit` for each day from the first active day to a reference day, or to the latest active day if that is
    /// later. Without an active day, `visit` is never called.
    /// - Parameter visit: receives each day with the value at its end.
    /// - Complexity: O(days since the first active day).
    package func walk(
        to reference: LocalDay,
        _ schedule: StreakSchedule,
        _ visit: (LocalDay, StreakOutcome, StreakValue) -> Void
    ) {
        guard let first = active.first, let last = active.last else { return }
        let reference = max(reference, last)
        var value = StreakValue()
        for number in first.number...reference.number {
            let day = LocalDay(number: number)
            let outcome: StreakOutcome
            if active.contains(day) {
                let held = value.freezes
                arrive(day, &value, schedule)
                outcome = .active(earnsFreeze: value.freezes > held)
            } else {
                outcome = day == reference ? .open : miss(day, &value, schedule)
            }
            visit(day, outcome, value)
        }
    }
}
