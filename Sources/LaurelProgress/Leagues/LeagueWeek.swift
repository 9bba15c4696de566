// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// A week of a league, with the rules in force on its first day.
package struct LeagueWeek: Sendable {
    package let rule: LeagueRule
    package let days: ClosedRange<LocalDay>
    /// `2026-W06` if weeks start on Monday, otherwise the date of the first day.
    package let name: String
    /// The instant from which the week can be settled, in milliseconds since 1970. By then, the week's last day has
    /// ended everywhere.
    package let settlesAt: Int64

    /// The id of the events that contain results of the week.
    package var eventID: String { "\(rule.name)/\(name)" }

    /// The hours by which the last clock on earth is behind UTC.
    private static let lastClockHours: Int64 = 12

    fileprivate init(_ rule: LeagueRule, _ days: ClosedRange<LocalDay>, _ calendar: RulesCalendar) {
        (self.rule, self.days) = (rule, days)
        name = days.lowerBound.weekName(firstWeekday: calendar.weekStartsOn)
        let end = (Int64(days.upperBound.number) + 1) * 86_400_000 + Int64(calendar.dayStartsAtMinutes) * 60_000
        settlesAt = end + LeagueWeek.lastClockHours * 3_600_000 + rule.settleAfter
    }
}

extension FoldPlan {
    /// The names of all leagues of all versions, in the order of their first version.
    package var leagueNames: [String] {
        var names: [String] = []
        for rule in versions.flatMap(\.rules.leagues) where !names.contains(rule.name) { names.append(rule.name) }
        return names
    }

    /// The week that contains a day; nil if the rules of its first day lack the league.
    package func leagueWeek(_ league: String, containing day: LocalDay) -> LeagueWeek? {
        let weeks = StreakWeeks(versions.map { ($0.from, $0.rules.calendar.weekStartsOn) })
        return week(league, weeks.number(of: day.number), weeks)
    }

    /// The weeks that can be settled at an instant, ascending. Weeks whose rules lack the league are left out.
    /// - Parameter first: a day of the first week.
    package func leagueWeeks(_ league: String, from first: LocalDay, settledBy instant: Int64) -> [LeagueWeek] {
        let weeks = StreakWeeks(versions.map { ($0.from, $0.rules.calendar.weekStartsOn) })
        let last = weeks.number(of: LocalDay(containing: instant).number)
        let start = weeks.number(of: first.number)
        guard start <= last else { return [] }
        return (start...last).compactMap { week(league, $0, weeks) }.filter { $0.settlesAt <= instant }
    }

    /// The first day on or after which a week must begin to be settled. It is the first day of the version that brought
    /// the league; nil if that version has no first day.
    package func firstDay(of league: String) -> LocalDay? {
        versions.first { $0.rules.leagues.contains { $0.name == league } }?.from
    }

    /// The first week that begins on or after a day.
    package func firstLeagueWeekStart(from day: LocalDay) -> LocalDay {
        let weeks = StreakWeeks(versions.map { ($0.from, $0.rules.calendar.weekStartsOn) })
        let number = weeks.number(of: day.number)
        let start = weeks.firstDay(of: number)
        return LocalDay(number: start == day.number ? start : weeks.firstDay(of: number + 1))
    }

    private func week(_ league: String, _ number: Int32, _ weeks: StreakWeeks) -> LeagueWeek? {
        let first = LocalDay(number: weeks.firstDay(of: number))
        let rules = version(on: first).rules
        guard let rule = rules.leagues.first(where: { $0.name == league }) else { return nil }
        return LeagueWeek(rule, first...LocalDay(number: weeks.firstDay(of: number + 1) - 1), rules.calendar)
    }
}
