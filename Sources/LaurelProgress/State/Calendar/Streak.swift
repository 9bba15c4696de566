// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The value of a streak at the end of a day.
package struct StreakValue: Sendable, Equatable {
    package var current = 0
    package var longest = 0
    package var freezes = 0

    package init() {}
}

/// The periods that decide a streak, by number: local days, or weeks.
struct StreakPeriods: Sendable, Equatable {
    var active = DaySet()
    /// The periods that have no effect if they are missed.
    var frozen = DaySet()
    var grants = FreezeGrants()

    /// Removes all periods, but does not free the memory.
    mutating func removeAll() {
        active.removeAll()
        frozen.removeAll()
        grants.removeAll()
    }

    /// The same periods by week: each week that contains at least one of the periods' days.
    func byWeek(_ schedule: StreakSchedule) -> StreakPeriods {
        var weeks = StreakPeriods()
        for run in active.runs { weeks.active.insert(schedule.weeks(run)) }
        for run in frozen.runs { weeks.frozen.insert(schedule.weeks(run)) }
        for (day, count) in grants.grants { weeks.grants.add(count, in: schedule.period(of: LocalDay(number: day))) }
        return weeks
    }
}

extension StreakSchedule {
    fileprivate func weeks(_ days: ClosedRange<Int32>) -> ClosedRange<Int32> {
        period(of: LocalDay(number: days.lowerBound))...period(of: LocalDay(number: days.upperBound))
    }
}

/// The active days, frozen days and granted freezes of a track. The streak is computed from them day by day, or week by
/// week.
///
/// The value at the latest active period is cached. Only missed periods lie between this period and a later reference
/// day. Computing the value at that day therefore takes one step per missed period, until the streak breaks. A
/// correction before the latest active period recomputes the streak from the first period.
package struct Streak: Sendable {
    private(set) var days = StreakPeriods()
    /// The periods by week; nil if the streak counts days.
    private var weeks: StreakPeriods?
    /// The cached value at the latest active period.
    private var anchor = StreakValue()
    /// The value before the latest active period. Freezes granted in that period are not included.
    private var approach = StreakValue()
    private var memo: (period: Int32, value: StreakValue)?

    package init() {}

    /// Creates an empty streak that reuses the memory of `old`, which becomes empty.
    init(inMemoryOf old: inout Streak) {
        swap(&days, &old.days)
        days.removeAll()
    }

    init(_ days: StreakPeriods, schedule: StreakSchedule) {
        self.days = days
        use(schedule)
    }

    /// The active days.
    package var active: DaySet { days.active }

    /// Recomputes the streak under another schedule.
    mutating func use(_ schedule: StreakSchedule) {
        weeks = schedule.isWeekly ? days.byWeek(schedule) : nil
        walkAgain(schedule)
    }

    package mutating func markActive(_ day: LocalDay, _ schedule: StreakSchedule) {
        let latest = latest(schedule)
        guard days.active.insert(day) else { return }
        let period = schedule.period(of: day)
        if schedule.isWeekly, weeks?.active.insert(LocalDay(number: period)) == false { return }
        memo = nil
        if let latest, period > latest {
            approach = missed(from: latest, to: period, anchor, schedule)
            anchor = approach
            _ = arrive(period, &anchor, schedule)
        } else {
            walkAgain(schedule)
        }
    }

    /// Freezes some days. A frozen day that is missed neither breaks nor extends the streak.
    package mutating func freeze(_ days: ClosedRange<LocalDay>, _ schedule: StreakSchedule) {
        _ = periods(schedule)
        let numbers = days.lowerBound.number...days.upperBound.number
        guard self.days.frozen.insert(numbers) else { return }
        weeks?.frozen.insert(schedule.weeks(numbers))
        memo = nil
        if let latest = active.last, days.lowerBound < latest { walkAgain(schedule) }
    }

    /// Grants freezes. The learner has them from the beginning of a day on, or from the beginning of its week under a
    /// weekly streak.
    package mutating func grant(_ freezes: Int, on day: LocalDay, _ schedule: StreakSchedule) {
        _ = periods(schedule)
        let period = schedule.period(of: day)
        days.grants.add(freezes, in: day.number)
        weeks?.grants.add(freezes, in: period)
        memo = nil
        guard let latest = latest(schedule), period <= latest else { return }
        guard period == latest else { return walkAgain(schedule) }
        anchor = approach
        _ = arrive(latest, &anchor, schedule)
    }

    /// The value at the end of a day, or at the end of the latest active day if that is later.
    package mutating func value(at day: LocalDay, _ schedule: StreakSchedule) -> StreakValue {
        let period = schedule.period(of: day)
        guard let latest = latest(schedule) else {
            var value = StreakValue()
            value.freezes = freezesAtStart(period, granted: periods(schedule).grants.count(before: nil), schedule)
            return value
        }
        guard period > latest else { return anchor }
        if let memo, memo.period == period { return memo.value }
        var value = missed(from: latest, to: period, anchor, schedule)
        grant(in: period, &value, schedule)
        memo = (period, value)
        return value
    }

    /// The last day on which the learner can still continue the streak. The result is nil without a streak, and if
    /// every weekday is a rest day.
    ///
    /// The last day is the first day after the latest active day that is not a rest day, not frozen, and not covered by
    /// an unused freeze. For a weekly streak, it is the last day of the first week that is neither frozen nor covered.
    /// - Complexity: O(unused freezes + frozen days). If the week has rest days, up to seven times that.
    mutating func end(_ schedule: StreakSchedule) -> LocalDay? {
        guard let latest = latest(schedule), anchor.current > 0 else { return nil }
        var (value, period) = (anchor, latest + 1)
        // After the first day of the last version, the last frozen day and the last grant, only freezes and rest days
        // matter.
        while !schedule.isAlwaysRest(from: period) {
            if case .missed = miss(period, &value, schedule) { return schedule.lastDay(ofPeriod: period) }
            period += 1
        }
        return nil
    }

    /// The latest active period. The days are not copied, because the period is read on every day of practice.
    private mutating func latest(_ schedule: StreakSchedule) -> Int32? {
        schedule.isWeekly ? periods(schedule).active.last?.number : days.active.last?.number
    }

    /// The periods that the streak counts: days or weeks. Weeks are computed on first use.
    private mutating func periods(_ schedule: StreakSchedule) -> StreakPeriods {
        guard schedule.isWeekly else { return days }
        if weeks == nil { weeks = days.byWeek(schedule) }
        return weeks ?? days
    }
}

extension Streak {
    private mutating func walkAgain(_ schedule: StreakSchedule) {
        let periods = periods(schedule)
        memo = nil
        anchor = StreakValue()
        guard let first = periods.active.first?.number else { return }
        anchor.freezes = freezesAtStart(first, granted: periods.grants.count(before: first), schedule)
        var previous = first - 1
        for run in periods.active.runs {
            for period in run {
                approach = missed(from: previous, to: period, anchor, schedule)
                anchor = approach
                _ = arrive(period, &anchor, schedule)
                previous = period
            }
        }
    }

    /// The freezes that the learner has at the beginning of the streak's first period.
    /// - Parameter granted: the number of freezes granted before that period.
    private func freezesAtStart(_ period: Int32, granted: Int, _ schedule: StreakSchedule) -> Int {
        let terms = schedule.terms(in: period)
        return terms.freezes(min(terms.freezesAtStart, terms.freezesHeld), granted: granted)
    }

    /// Adds the freezes granted in a period.
    private func grant(in period: Int32, _ value: inout StreakValue, _ schedule: StreakSchedule) {
        // Most learners have no granted freezes. Then neither days nor weeks are copied.
        guard !days.grants.isEmpty else { return }
        let granted = (weeks ?? days).grants.count(in: period)
        if granted > 0 { value.freezes = schedule.terms(in: period).freezes(value.freezes, granted: granted) }
    }

    /// Applies an active period to `value`. Returns true if the learner earns a freeze in the period.
    private func arrive(_ period: Int32, _ value: inout StreakValue, _ schedule: StreakSchedule) -> Bool {
        grant(in: period, &value, schedule)
        let terms = schedule.terms(in: period)
        value.current += 1
        value.longest = max(value.longest, value.current)
        guard let every = terms.freezeEvery, value.current % every == 0 else { return false }
        let held = value.freezes
        value.freezes = terms.freezes(held, granted: 1)
        return value.freezes > held
    }

    /// The value after the missed periods between two periods, both excluded.
    private func missed(
        from: Int32,
        to: Int32,
        _ start: StreakValue,
        _ schedule: StreakSchedule
    ) -> StreakValue {
        var value = start
        var period = from + 1
        while period < to {
            if value.current == 0, value.freezes == 0 {
                // Without a streak and freezes, missed periods have no effect until the next grant.
                guard !days.grants.isEmpty, let next = (weeks ?? days).grants.next(from: period), next < to else {
                    break
                }
                period = next
            }
            _ = miss(period, &value, schedule)
            period += 1
        }
        return value
    }

    /// Applies a missed period to `value`, and returns the effect.
    private func miss(_ period: Int32, _ value: inout StreakValue, _ schedule: StreakSchedule) -> StreakOutcome {
        grant(in: period, &value, schedule)
        if schedule.isRest(period) { return .restDay }
        if !days.frozen.runs.isEmpty, (weeks ?? days).frozen.contains(LocalDay(number: period)) { return .frozen }
        if value.freezes > 0 {
            value.freezes -= 1
            return .freezeSpent
        }
        let lost = value.current
        value.current = 0
        return .missed(lost: lost)
    }
}

/// The effect of a day, or of a week, on the streak.
package enum StreakOutcome: Sendable, Equatable {
    case active(earnsFreeze: Bool)
    /// The day was missed without effect. It is a rest day, or a day in a `streak.frozen` or `streak.paused` event.
    case restDay, frozen
    /// The day was missed, but an unused freeze was spent.
    case freezeSpent
    /// The day was missed. The value is the length of the streak that ended, in days; 0 if there was no streak.
    case missed(lost: Int)
    /// The day is not active yet, but the reference day is not over.
    case open
}

extension Streak {
    /// Calls `visit` for each day from the first active day to a reference day, or to the latest active day if that is
    /// later. For a weekly streak, `visit` is called only for the first day of each week. Without an active day,
    /// `visit` is never called.
    /// - Parameter visit: receives each day with the value at the end of the day, or at the end of its week.
    /// - Complexity: O(days since the first active day).
    package func walk(
        to reference: LocalDay,
        _ schedule: StreakSchedule,
        _ visit: (LocalDay, StreakOutcome, StreakValue) -> Void
    ) {
        var streak = self
        let periods = streak.periods(schedule)
        guard let first = periods.active.first?.number, let last = periods.active.last?.number else { return }
        let reference = max(schedule.period(of: reference), last)
        var value = StreakValue()
        value.freezes = freezesAtStart(first, granted: periods.grants.count(before: first), schedule)
        for period in first...reference {
            let outcome: StreakOutcome
            if periods.active.contains(LocalDay(number: period)) {
                outcome = .active(earnsFreeze: streak.arrive(period, &value, schedule))
            } else if period == reference {
                streak.grant(in: period, &value, schedule)
                outcome = .open
            } else {
                outcome = streak.miss(period, &value, schedule)
            }
            visit(schedule.firstDay(ofPeriod: period), outcome, value)
        }
    }
}
