// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A learner's place in the present week of a league. The rooms are fixed only at the settlement. Until then, each
/// further learner who earns XP in the week may change them.
public struct LeagueStanding: Codable, Sendable, Hashable {
    /// The league's name in the rules.
    public var league: String
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    public var week: String
    /// The learner's tier.
    public var tier: String
    /// All tiers, the lowest first.
    public var tiers: [String]
    /// True unless the learner opted out of leagues.
    public var competes: Bool
    /// The learner's XP of the week, without flagged XP and without adjustments; negative if more was taken than given.
    public var xp: Int
    /// The number of the room in its tier, from 1; nil until the learner has XP in the week.
    public var room: Int?
    /// The learner's rank in the room, from 1; nil until the learner has XP in the week.
    public var rank: Int?
    /// The learners of the room, the first rank first; empty until the learner has XP in the week.
    public var members: [LeagueMember]
    /// The last rank that is promoted; nil in the highest tier, and if no rank is promoted.
    public var promotedThrough: Int?
    /// The first rank that is demoted; nil in the lowest tier, and if no rank is demoted.
    public var demotedFrom: Int?
    /// The end of the week on the learner's own clock.
    public var endsAt: Date
    /// The whole seconds until the end of the week.
    public var secondsLeft: Int
    /// The learner's latest result; nil before the first.
    public var latest: LeagueResult?

    /// Creates a value, for previews and tests.
    public init(
        league: String,
        week: String,
        tier: String,
        tiers: [String],
        competes: Bool,
        xp: Int,
        room: LeagueRoom?,
        rank: Int?,
        promotedThrough: Int?,
        demotedFrom: Int?,
        endsAt: Date,
        secondsLeft: Int,
        latest: LeagueResult?
    ) {
        (self.league, self.week, self.tier, self.tiers) = (league, week, tier, tiers)
        (self.competes, self.xp, self.room, self.rank) = (competes, xp, room?.room, rank)
        (members, self.promotedThrough, self.demotedFrom) = (room?.members ?? [], promotedThrough, demotedFrom)
        (self.endsAt, self.secondsLeft, self.latest) = (endsAt, secondsLeft, latest)
    }

    /// The standing as a reader may see it: other learners have no id.
    /// - Parameter isKnown: returns true if the reader may know a learner.
    public func visible(where isKnown: (_ learner: String) -> Bool) -> LeagueStanding {
        var standing = self
        for index in members.indices where !(members[index].learner.map(isKnown) ?? false) {
            standing.members[index].learner = nil
        }
        return standing
    }
}

/// A learner's settled result in a week of a league.
public struct LeagueResult: Codable, Sendable, Hashable {
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    public var week: String
    /// The tier in that week.
    public var tier: String
    /// The tier for the next week.
    public var next: String
    /// The outcome of the week: `promoted`, `stayed` or `demoted`.
    public var outcome: String
    /// The number of the room in its tier, from 1; nil if the learner did not compete.
    public var room: Int?
    /// The rank in the room, from 1; nil if the learner did not compete.
    public var rank: Int?
    /// The number of learners in the room; nil if the learner did not compete.
    public var of: Int?
    /// The learner's XP of the week that counted; negative if more was taken than given.
    public var xp: Int

    /// Creates a value, for previews and tests.
    public init(week: String, tier: String, next: String, outcome: String, room: Int?, rank: Int?, of: Int?, xp: Int) {
        (self.week, self.tier, self.next, self.outcome) = (week, tier, next, outcome)
        (self.room, self.rank, self.of, self.xp) = (room, rank, of, xp)
    }
}
