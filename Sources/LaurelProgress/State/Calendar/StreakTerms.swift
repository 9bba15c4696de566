// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The rules for missed days of a streak: freezes and rest days. The condition that makes a day active is not included.
package struct StreakTerms: Sendable, Equatable {
    /// The number of streak days after which the learner earns a freeze. Each multiple of the number earns another
    /// freeze. nil if freezes are never earned.
    package var freezeEvery: Int?
    /// The maximum number of unused freezes.
    package var freezesHeld: Int
    /// The number of freezes held when the streak's first day begins.
    package var freezesAtStart: Int
    /// The rest days, as bits 1 << weekday (1 Monday … 7 Sunday).
    package var restDays: UInt8

    package init(freezeEvery: Int?, freezesHeld: Int, freezesAtStart: Int = 0, restDays: UInt8) {
        self.freezeEvery = freezeEvery
        self.freezesHeld = freezesHeld
        self.freezesAtStart = freezesAtStart
        self.restDays = restDays
    }

    func isRestDay(_ day: LocalDay) -> Bool { restDays & (1 << UInt8(day.weekday)) != 0 }

    /// The number of freezes after a grant. The grant adds freezes up to the maximum. If earlier terms allowed more
    /// freezes, the learner keeps them.
    func freezes(_ held: Int, granted: Int) -> Int { max(held, min(held + granted, freezesHeld)) }
}

/// The streak terms by day, and the period that the streak counts: a day or a week. The version in force on a day
/// decides its terms. For a week, the version in force on its first day decides.
package struct StreakSchedule: Sendable {
    /// The terms with their first days, ascending. The first terms apply to all earlier days.
    private let stretches: [(from: Int32, terms: StreakTerms)]
    /// The weeks that the streak counts; nil if it counts days.
    private var weeks: StreakWeeks?

    init(_ versions: [(from: LocalDay?, terms: StreakTerms)]) {
        stretches = versions.map { ($0.from?.number ?? .min, $0.terms) }
    }

    /// Creates a schedule with the same terms for every day.
    package init(_ terms: StreakTerms) { self.init([(nil, terms)]) }

    /// The same terms for a streak that counts weeks.
    package func byWeek(_ weeks: StreakWeeks) -> StreakSchedule {
        var schedule = self
        schedule.weeks = weeks
        return schedule
    }

    var isWeekly: Bool { weeks != nil }

    /// The number of the period that contains a day.
    func period(of day: LocalDay) -> Int32 { weeks?.number(of: day.number) ?? day.number }

    func firstDay(ofPeriod number: Int32) -> LocalDay {
        LocalDay(number: weeks?.firstDay(of: number) ?? number)
    }

    func lastDay(ofPeriod number: Int32) -> LocalDay {
        weeks == nil ? LocalDay(number: number) : LocalDay(number: firstDay(ofPeriod: number + 1).number - 1)
    }

    /// The days of the period that contains a day. The period is the day itself, or its week.
    package func days(ofPeriodOf day: LocalDay) -> [LocalDay] {
        let period = period(of: day)
        return (firstDay(ofPeriod: period).number...lastDay(ofPeriod: period).number).map(LocalDay.init(number:))
    }

    /// True if the period is a rest day. A week is never a rest period.
    func isRest(_ period: Int32) -> Bool {
        weeks == nil && terms(in: period).isRestDay(LocalDay(number: period))
    }

    /// True if the period and all later periods are rest days.
    func isAlwaysRest(from period: Int32) -> Bool {
        let last = stretches[stretches.count - 1]
        return weeks == nil && last.from <= period && last.terms.restDays & 0xFE == 0xFE
    }

    func terms(in period: Int32) -> StreakTerms {
        if stretches.count == 1 { return stretches[0].terms }
        let day = firstDay(ofPeriod: period).number
        return stretches[stretches.indices.partitioningIndex { stretches[$0].from > day } - 1].terms
    }
}

/// The weeks of a weekly streak, numbered one after the other. Each day's version of the rules decides whether a week
/// begins on that day. The week lasts until the next week begins.
package struct StreakWeeks: Sendable {
    /// For each version, its first day, the first day of the first week that begins under it, and that week's number.
    private var stretches: [(from: Int32, firstWeek: Int32, number: Int32)] = []

    /// - Parameter versions: ascending by their first day, each with the weekday on which its weeks begin: 1 Monday …
    ///   7 Sunday.
    package init(_ versions: [(from: LocalDay?, firstWeekday: Int)]) {
        for (from, firstWeekday) in versions {
            guard let from else {
                let first = LocalDay(number: 0).weekStart(firstWeekday: firstWeekday)
                stretches.append((.min, first.number, 0))
                continue
            }
            let start = from.weekStart(firstWeekday: firstWeekday).number
            let first = start == from.number ? start : start + 7
            stretches.append((from.number, first, number(of: from.number - 1) + 1))
        }
    }

    /// The number of the week that contains a day.
    package func number(of day: Int32) -> Int32 {
        let stretch = stretches.last { $0.from <= day }!
        let days = day - stretch.firstWeek
        // Rounded down, so that the days before the version's first week belong to the week before.
        return stretch.number + (days >= 0 ? days / 7 : (days - 6) / 7)
    }

    package func firstDay(of week: Int32) -> Int32 {
        let index = stretches.indices.last { index in
            let end = index + 1 < stretches.count ? stretches[index + 1].from : .max
            return index == 0 || (stretches[index].number <= week && stretches[index].firstWeek < end)
        }!
        return stretches[index].firstWeek + 7 * (week - stretches[index].number)
    }
}
