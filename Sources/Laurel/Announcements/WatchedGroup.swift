// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelRules
package import LaurelWire

/// A group's streak and goals as of an instant, for announcements.
package struct WatchedGroup: Sendable {
    /// An announcement of a completed goal.
    package struct CompletedGoal: Sendable {
        package let announcement: Announcement
        /// The goal's window: a date, or the name of a week.
        package let window: String
        /// The name that tells the group's goals apart in the names of records.
        package let part: String
    }

    private let id: String
    private let reading: GroupReading
    /// The instant at which the group's day ends for its last member.
    package let dayEnd: Date

    fileprivate init(id: String, _ reading: GroupReading, dayEnd: Date) {
        (self.id, self.reading, self.dayEnd) = (id, reading, dayEnd)
    }

    /// The group's day.
    package var day: LocalDay { reading.day }
    /// True if the group has a streak that it can lose.
    package var hasStreak: Bool { reading.streak.map { $0.current > 0 } ?? false }
    /// True if a member has practised on a day after the group's day. A goal of that day may be complete when the day
    /// becomes the group's.
    package var isAwaited: Bool { reading.members.contains { $0.days.last.map { $0.day > day } ?? false } }

    /// The announcement that the streak ends at ``dayEnd``; nil if it does not. On a day with fewer than two members, a
    /// streak does not end. If the rules need more members than the group has, practice does not help.
    package var streakAtRisk: Announcement? {
        guard let streak = reading.streak, streak.current > 0, !streak.isReached else { return nil }
        let needed = streak.need.count(of: streak.members)
        guard streak.members >= 2, needed <= streak.members else { return nil }
        return Announcement(
            .groupStreakAtRisk,
            group: id,
            [
                "days": .integer(Int64(streak.current)), "needed": .integer(Int64(needed)),
                "practised": .integer(Int64(streak.active)), "endsAt": .string(Timestamp.utc(dayEnd.milliseconds)),
            ]
        )
    }

    /// The goals that are complete in their present windows.
    package var completedGoals: [CompletedGoal] {
        reading.goals.filter(\.isComplete).map { goal in
            let every = goal.rule.isWeekly ? "week" : "day"
            let announcement = Announcement(
                .groupGoalCompleted,
                group: id,
                [
                    "goal": .string(goal.rule.id), "every": .string(every), "window": .string(goal.window),
                    "target": .double(goal.rule.target),
                ]
            )
            let part = "\(every)/\(Array(goal.rule.id.utf8).hexadecimal)"
            return CompletedGoal(announcement: announcement, window: goal.window, part: part)
        }
    }
}

extension ProgressEngine {
    /// A group for announcements; nil if it has no members at the instant.
    /// - Complexity: as for `group(_:at:timeZone:)`.
    package func watchedGroup(_ id: String, at date: Date) throws(EngineError) -> WatchedGroup? {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: date.milliseconds)
            // The group's day ends when it has ended for all members who still have that day.
            var earliest: (day: LocalDay, end: Int64)?
            let reading = try groupReading(of: id, at: instant) { member, state, reader in
                guard member.isPresent, earliest.map({ member.today <= $0.day }) ?? true else { return }
                let end = reader.holds(state, from: instant, onlyDays: true)
                let known = earliest.flatMap { $0.day == member.today ? $0.end : nil }
                earliest = (member.today, max(end, known ?? end))
            }
            guard let reading, let earliest else { return nil }
            return WatchedGroup(id: id, reading, dayEnd: Date(milliseconds: earliest.end))
        }
    }
}
