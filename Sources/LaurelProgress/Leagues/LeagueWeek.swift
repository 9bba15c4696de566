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
        let weeks = weeks
        return week(league, weeks.number(of: day.number), weeks)
    }

    /// The weeks that can be settled at an instant, ascending. A week counts if it began on or after the first day of
    /// the version that brought the league. For a version without a first day, the weeks begin with the first run.
    /// - Parameter firstRun: the day of the first settlement's run.
    package func leagueWeeks(_ league: String, firstRun: LocalDay, settledBy instant: Int64) -> [LeagueWeek] {
        let weeks = weeks
        let last = weeks.number(of: LocalDay(containing: instant).number)
        let runWeek = weeks.number(of: firstRun.number)
        let start = min(runWeek, versions.compactMap(\.from).first.map { weeks.number(of: $0.number) } ?? runWeek)
        guard start <= last else { return [] }
        var found: [LeagueWeek] = []
        for number in start...last {
            guard let week = week(league, number, weeks),
                number >= runWeek || isBroughtByDatedVersion(league, on: week.days.lowerBound)
            else { continue }
            // No week is settled before an earlier one.
            guard week.settlesAt <= instant else { break }
            found.append(week)
        }
        return found
    }

    /// True if a version with a first day brought the league that is in force on a day.
    private func isBroughtByDatedVersion(_ league: String, on day: LocalDay) -> Bool {
        let versions = versions[...version(on: day).index].reversed()
        let withLeague = versions.prefix { $0.rules.league(league) != nil }
        return withLeague.last.map { $0.from != nil } ?? false
    }

    private var weeks: StreakWeeks { StreakWeeks(versions.map { ($0.from, $0.rules.calendar.weekStartsOn) }) }

    private func week(_ league: String, _ number: Int32, _ weeks: StreakWeeks) -> LeagueWeek? {
        let first = LocalDay(number: weeks.firstDay(of: number))
        let rules = version(on: first).rules
        guard let rule = rules.league(league) else { return nil }
        return LeagueWeek(rule, first...LocalDay(number: weeks.firstDay(of: number + 1) - 1), rules.calendar)
    }
}
