// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// The streak and the goals of a group as of an instant: docs/numbers.md, "Groups". They are not stored, but computed
/// from the members at each reading.
package struct GroupReading: Sendable {
    /// The streak of a group.
    package struct Streak: Sendable, Equatable {
        package var current = 0
        package var longest = 0
        package var need: GroupNeed
        /// The number of members on the group's day, and the number of those who were active on it.
        package var members: Int
        package var active: Int
        /// True if the group's day counts already.
        package var isReached: Bool { members >= 2 && active >= need.count(of: members) }
    }

    /// A goal in the window of the group's day.
    package struct Goal: Sendable {
        package var rule: GroupGoal
        /// The name of the window: a date, or the name of a week.
        package var window: String
        /// The sum over all learners who were members in the window.
        package var value: Double
        /// The part of each present member, in the order of ``GroupReading/members``.
        package var shares: [Double]
        package var isComplete: Bool { value >= rule.target }
    }

    /// The kind of the group, named by the latest joining that has a `kind`; nil if no joining has one.
    package var kind: String?
    /// The reference day. It is the earliest local day of the present members, or the latest day that counted if that
    /// day is later.
    package var day: LocalDay
    /// The present members, in byte order of their ids.
    package var members: [GroupMember]
    /// The streak; nil if the rules of the group's day have none for the kind.
    package var streak: Streak?
    /// The goals under the rules of the group's day, in file order.
    package var goals: [Goal]
}

extension ProgressReader {
    /// - Parameter group: all learners who ever joined the group, as of the instant.
    /// - Complexity: O(days since the first joining + members · runs of active days).
    package func reading(of group: [GroupMember], at instant: Timestamp) -> GroupReading {
        let present = group.filter(\.isPresent).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let kind = GroupReading.kind(of: group)
        let needs = plan.versions.map { (from: $0.from, need: $0.rules.group(of: kind)?.need) }
        let earliest = present.map(\.today).min() ?? dayWithoutEvents(at: instant)
        let days = GroupDays(of: group, to: max(earliest, group.compactMap(\.active.last).max() ?? earliest))
        let walk = GroupWalk(days, needs, earliest: earliest)
        let version = plan.version(on: walk.day)
        let rule = version.rules.group(of: kind)
        var reading = GroupReading(kind: kind, day: walk.day, members: present, goals: [])
        if let need = rule?.need {
            let counts = days.counts(on: walk.day)
            reading.streak = GroupReading.Streak(
                current: walk.current,
                longest: walk.longest,
                need: need,
                members: counts.members,
                active: counts.active
            )
        }
        let firstWeekday = version.rules.calendar.weekStartsOn
        reading.goals = rule?.goals.map { goal(under: $0, group, present, on: walk.day, firstWeekday) } ?? []
        return reading
    }

    private func goal(
        under rule: GroupGoal,
        _ group: [GroupMember],
        _ present: [GroupMember],
        on day: LocalDay,
        _ firstWeekday: Int
    ) -> GroupReading.Goal {
        let start = rule.isWeekly ? day.weekStart(firstWeekday: firstWeekday) : day
        let window = start...LocalDay(number: start.number + (rule.isWeekly ? 6 : 0))
        /// Minutes are rounded down, once for the group and once for each share.
        func shown(_ sum: Double) -> Double { rule.sum == .minutes ? (sum / 60_000).rounded(.down) : sum }
        return GroupReading.Goal(
            rule: rule,
            window: rule.isWeekly ? start.weekName(firstWeekday: firstWeekday) : start.description,
            value: shown(group.reduce(0) { $0 + $1.sum(rule.sum, in: window) }),
            shares: present.map { shown($0.sum(rule.sum, in: window)) }
        )
    }

    /// The local day of an instant for a learner without events.
    private func dayWithoutEvents(at instant: Timestamp) -> LocalDay {
        localDay(of: instant, LearnerState(version: plan.version(at: instant)).tracks[0])
    }
}

extension GroupReading {
    /// The kind that the latest joining named. If several joinings have the same time, the learner whose id is last in
    /// byte order decides.
    fileprivate static func kind(of group: [GroupMember]) -> String? {
        let named = group.filter { $0.membership.kind != nil }
        let latest = named.max { one, other in
            let (first, second) = (one.membership.kind!.namedAt, other.membership.kind!.namedAt)
            return first == second ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8) : first < second
        }
        return latest?.membership.kind.map { String(decoding: $0.name, as: UTF8.self) }
    }
}

extension RuleSet {
    fileprivate func group(of kind: String?) -> GroupRule? {
        kind.flatMap { kind in groups.first { $0.kind.utf8.elementsEqual(kind.utf8) } }
    }
}

/// The walk over the days of a group that decides its streak.
private struct GroupWalk {
    /// The reference day.
    let day: LocalDay
    private(set) var current = 0
    private(set) var longest = 0

    /// - Parameters:
    ///   - needs: for each version of the rules, its first day, and its need for the group's kind.
    ///   - earliest: the earliest local day of the present members.
    init(_ days: GroupDays, _ needs: [(from: LocalDay?, need: GroupNeed?)], earliest: LocalDay) {
        func counts(_ day: LocalDay, _ members: Int, _ active: Int) -> Bool? {
            let need = needs.last { $0.from.map { $0 <= day } ?? true }?.need
            return need.map { active >= $0.count(of: members) }
        }
        let decided = days.together().compactMap { day, members, active in
            counts(day, members, active).map { (day: day, counts: $0) }
        }
        day = max(earliest, decided.last { $0.counts }?.day ?? earliest)
        for one in decided where one.day <= day {
            if one.counts {
                current += 1
                longest = max(longest, current)
            } else if one.day < day {
                current = 0
            }
        }
    }
}
