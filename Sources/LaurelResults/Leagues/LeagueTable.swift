// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A week of a league with all tiers and rooms, as of an instant.
public struct LeagueTable: Codable, Sendable, Hashable {
    /// The league's name in the rules.
    public var league: String
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    public var week: String
    /// The first day of the week.
    public var firstDay: LocalDay
    /// The last day of the week.
    public var lastDay: LocalDay
    /// The instant from which the week can be settled.
    public var settlesAt: Date
    /// True if the week was settled. The rooms then show the stored results. Otherwise they show what a settlement would
    /// give.
    public var isSettled: Bool
    /// The tiers, the lowest first.
    public var tiers: [Tier]

    /// Creates a value, for previews and tests.
    public init(
        league: String,
        week: String,
        firstDay: LocalDay,
        lastDay: LocalDay,
        settlesAt: Date,
        isSettled: Bool,
        tiers: [Tier]
    ) {
        (self.league, self.week, self.firstDay, self.lastDay) = (league, week, firstDay, lastDay)
        (self.settlesAt, self.isSettled, self.tiers) = (settlesAt, isSettled, tiers)
    }

    /// A tier with its rooms.
    public struct Tier: Codable, Sendable, Hashable {
        /// The name of the tier.
        public var tier: String
        /// The rooms, in the order of their numbers.
        public var rooms: [LeagueRoom]

        /// Creates a value, for previews and tests.
        public init(tier: String, rooms: [LeagueRoom]) { (self.tier, self.rooms) = (tier, rooms) }
    }
}

/// A room of a league: learners of one tier who compare their XP of a week.
public struct LeagueRoom: Codable, Sendable, Hashable {
    /// The number of the room in its tier, from 1.
    public var room: Int
    /// The learners, the first rank first.
    public var members: [LeagueMember]

    /// Creates a value, for previews and tests.
    public init(room: Int, members: [LeagueMember]) { (self.room, self.members) = (room, members) }
}

/// A learner in a room of a league.
public struct LeagueMember: Codable, Sendable, Hashable {
    /// The rank in the room, from 1.
    public var rank: Int
    /// The learner's id; nil if the caller may not know it.
    public var learner: String?
    /// The name that others see; nil if no event gave one.
    public var displayName: String?
    /// The XP of the week, without flagged XP and without adjustments.
    public var xp: Int
    /// The result that the rank gives: `promoted`, `stayed` or `demoted`.
    public var outcome: String

    /// Creates a value, for previews and tests.
    public init(rank: Int, learner: String?, displayName: String?, xp: Int, outcome: String) {
        (self.rank, self.learner, self.displayName, self.xp) = (rank, learner, displayName, xp)
        self.outcome = outcome
    }
}
