// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// The part of a learner's state that decides a group's streak and goals, as of an instant. The learner may have left
/// the group.
package struct GroupMember: Sendable {
    package var id: String
    package var displayName: String?
    package var membership: Memberships.Membership
    /// The learner's local day at the instant.
    package var today: LocalDay
    /// The active days of the overall track, repaired days included.
    package var active: DaySet
    /// The days of the overall track, ascending.
    package var days: [DayProjection]

    package init(
        id: String,
        displayName: String? = nil,
        _ membership: Memberships.Membership,
        today: LocalDay,
        active: DaySet = DaySet(),
        days: [DayProjection] = []
    ) {
        (self.id, self.displayName, self.membership, self.today) = (id, displayName, membership, today)
        (self.active, self.days) = (active, days)
    }

    /// True if the learner has not left the group.
    package var isPresent: Bool { membership.isOpen }

    /// The sum of a goal's column over the days of a window on which the learner was a member. For minutes, the sum is
    /// in milliseconds.
    func sum(_ column: GroupSum, in window: ClosedRange<LocalDay>) -> Double {
        if column == .activeDays {
            let days = (window.lowerBound.number...window.upperBound.number).map { LocalDay(number: $0) }
            return Double(days.count { active.contains($0) && membership.contains($0) })
        }
        return days.within(window).reduce(0) { membership.contains($1.day) ? $0 + $1.value(column) : $0 }
    }
}

extension DayProjection {
    fileprivate func value(_ column: GroupSum) -> Double {
        switch column {
        case .xp: xp - flaggedXP
        case .minutes: Double(practiceMilliseconds)
        case .lines: Double(lines)
        case .reviews: Double(reviews)
        case .newWords: Double(newWords)
        case .learnedWords: Double(learnedWords)
        case .activeDays: isActive ? 1 : 0
        }
    }
}

extension ProgressReader {
    /// A learner as a present or former member of a group; nil if the learner never joined it.
    /// - Parameter instant: must not be before the last folded event.
    package func member(_ state: LearnerState, id: String, of group: [UInt8], at instant: Timestamp) -> GroupMember? {
        guard let membership = state.memberships.membership(of: group) else { return nil }
        let track = state.tracks[0]
        return GroupMember(
            id: id,
            displayName: state.profile.displayName,
            membership,
            today: localDay(of: instant, track),
            active: track.streak.active,
            days: track.days
        )
    }
}
