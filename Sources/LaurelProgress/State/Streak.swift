// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The rules of streaks, without the condition that makes a day active.
package struct StreakTerms: Sendable, Equatable {
    /// The streak length that earns a freeze, each time that the streak reaches a multiple of it; nil if freezes are
    /// never earned.
    package var freezeEvery: Int?
    /// The number of freezes that can be held at once.
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

/// The terms of each day: those of the version in force on it.
package struct StreakSchedule: Sendable {
    /// The terms with their first days, ascending; the first has none.
    private let stretches: [(from: Int32, terms: StreakTerms)]

    init(_ versions: [(from: LocalDay?, terms: StreakTerms)]) {
        stretches = versions.map { ($0.from?.number ?? .min, $0.terms) }
    }

    /// The same terms for every day.
    package init(_ terms: StreakTerms) { self.init([(nil, terms)]) }

    /// True if each day from one on is a rest day.
    func isAlwaysRest(from day: LocalDay) -> Bool {
        let last = stretches[stretches.count - 1]
        return last.from <= day.number && last.terms.restDays & 0xFE == 0xFE
    }

    func terms(on day: LocalDay) -> StreakTerms {
        if stretches.count == 1 { return stretches[0].terms }
        return stretches[stretches.indices.partitioningIndex { stretches[$0].from > day.number } - 1].terms
    }
}

/// The value of a streak after some day.
package struct StreakValue: Sendable, Equatable {
    package var current = 0
    package var longest = 0
    package var freezes = 0

    package init() {}
}

/// A track's active and frozen days, from which the streak is computed day by day.
///
/// The value at the latest active day is cached. Only missed days lie between it and a reference day, so a later value
/// costs the days between, and nothing once the streak has broken. A correction before the latest active day recomputes
/// from the first day.
package struct Streak: Sendable {
    package private(set) var active = DaySet()
    package private(set) var frozen = DaySet()
    /// The cached value at the latest active day.
    private var anchor = StreakValue()
    private var memo: (day: LocalDay, value: StreakValue)?

    package init() {}

    /// A new streak in the memory of another, which becomes empty.
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

    /// The value at a day, or at the latest active day if that is later.
    package mutating func value(at day: LocalDay, _ schedule: StreakSchedule) -> StreakValue {
        guard let latest = active.last, day > latest else { return anchor }
        if let memo, memo.day == day { return memo.value }
        let value = missed(from: latest, to: day, anchor, schedule)
        memo = (day, value)
        return value
    }

    /// The day by whose end a further active day is needed, so that the streak goes on: it is neither a rest day nor
    /// frozen, and no freeze is left for it. nil without a streak, and if each weekday is a rest day.
    /// - Complexity: O(held freezes + frozen days), at most seven times.
    func end(_ schedule: StreakSchedule) -> LocalDay? {
        guard let latest = active.last, anchor.current > 0 else { return nil }
        var (value, day) = (anchor, LocalDay(number: latest.number + 1))
        // Behind the last version's first day and the last frozen day, only freezes and rest days are left.
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

    /// The value after the missed days strictly between two days.
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

    /// Applies a missed day that is over.
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
    /// Missed, but a rest day, or named by `streak.frozen`: no effect.
    case restDay, frozen
    /// Missed; a held freeze was spent.
    case freezeSpent
    /// Missed. The value is the length of the streak that ended; 0 if there was none.
    case missed(lost: Int)
    /// Not active yet: the reference day is not over.
    case open
}

extension Streak {
    /// Visits the days up to a reference day, or to the latest active day if that is later. Without an active day
    /// nothing is visited.
    /// - Parameter visit: receives each day with the value after it.
    /// - Complexity: O(days since the first active one).
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
