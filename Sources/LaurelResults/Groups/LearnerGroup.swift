// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// A group of learners with its streak and goals, as of an instant.
public struct LearnerGroup: Codable, Sendable, Hashable, Identifiable {
    /// The group's id, as `group.joined` events spell it.
    public var id: String
    /// The kind that the latest joining named; nil if no joining named a kind.
    public var kind: String?
    /// The group's day: the earliest local day of its members, or the latest day that counted for the streak, if that is
    /// later.
    public var day: LocalDay
    /// The members who have not left, in byte order of their ids.
    public var members: [Member]
    /// The common streak; nil if the rules have none for the kind.
    public var streak: Streak?
    /// The goals of the kind, in the order of the rules.
    public var goals: [Goal]

    /// Creates a value, for previews and tests.
    public init(id: String, kind: String?, day: LocalDay, members: [Member], streak: Streak?, goals: [Goal]) {
        (self.id, self.kind, self.day) = (id, kind, day)
        (self.members, self.streak, self.goals) = (members, streak, goals)
    }

    /// A member of a group.
    public struct Member: Codable, Sendable, Hashable {
        /// The learner's id; nil if the caller may not know it.
        public var learner: String?
        /// The name that others see; nil if no event gave one.
        public var displayName: String?
        /// The first day of the present membership; nil if the caller may not know it.
        public var since: LocalDay?
        /// True if the group's day counts for the member's own streak.
        public var practisedToday: Bool
        /// The member's part of each goal, by the goal's id.
        public var shares: NumbersByName

        /// Creates a value, for previews and tests.
        public init(
            learner: String?,
            displayName: String?,
            since: LocalDay?,
            practisedToday: Bool,
            shares: NumbersByName
        ) {
            (self.learner, self.displayName, self.since) = (learner, displayName, since)
            (self.practisedToday, self.shares) = (practisedToday, shares)
        }
    }

    /// The common streak of a group.
    public struct Streak: Codable, Sendable, Hashable {
        /// The number of days in a row that counted. Days with fewer than two members neither count nor end the streak.
        public var current: Int
        /// The longest streak so far.
        public var longest: Int
        /// The members who must practise for a day to count: `all`, `any`, or a number.
        public var need: String
        /// The number of members who must practise for the group's day to count.
        public var needed: Int
        /// The number of members who have practised on the group's day.
        public var practised: Int
        /// True if the group's day counts already.
        public var isReached: Bool

        /// Creates a value, for previews and tests.
        public init(current: Int, longest: Int, need: String, needed: Int, practised: Int, isReached: Bool) {
            (self.current, self.longest, self.need) = (current, longest, need)
            (self.needed, self.practised, self.isReached) = (needed, practised, isReached)
        }
    }

    /// A target that the members reach together.
    public struct Goal: Codable, Sendable, Hashable, Identifiable {
        /// The goal's id, as the rules spell it.
        public var id: String
        /// The window in which the goal begins anew: `day` or `week`.
        public var every: String
        /// The window that contains the group's day: a date, or the name of a week.
        public var window: String
        /// The column that is added up, as the rules spell it.
        public var sum: String
        /// The sum so far, with the parts of learners who have left the group in the window.
        public var value: Double
        /// The sum that completes the goal, above 0.
        public var target: Double
        /// True if the sum has reached the target.
        public var isComplete: Bool

        /// Creates a value, for previews and tests.
        public init(id: String, every: String, window: String, sum: String, value: Double, target: Double) {
            (self.id, self.every, self.window, self.sum) = (id, every, window, sum)
            (self.value, self.target, self.isComplete) = (value, target, value >= target)
        }
    }

    /// The group as a reader may see it: for each member whom the reader may not know, only the display name, the day's
    /// practice and the shares.
    /// - Parameter isKnown: returns true if the reader may know a learner.
    public func visible(where isKnown: (_ learner: String) -> Bool) -> LearnerGroup {
        var group = self
        for index in group.members.indices where !(group.members[index].learner.map(isKnown) ?? false) {
            (group.members[index].learner, group.members[index].since) = (nil, nil)
        }
        return group
    }
}
