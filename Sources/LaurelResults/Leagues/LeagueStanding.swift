// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A learner's place in the present week of a league.
///
/// A room is not fixed before the settlement: with each further learner who earns XP in the week, the rooms of the tier
/// may be divided anew.
public struct LeagueStanding: Codable, Sendable, Hashable {
    /// The league's name in the rules.
    public var league: String
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    public var week: String
    /// The learner's tier, and all tiers, the lowest first.
    public var tier: String
    public var tiers: [String]
    /// True unless the learner opted out of leagues.
    public var competes: Bool
    /// The learner's XP of the week, without flagged XP and without adjustments.
    public var xp: Int
    /// The room, and the learner's rank in it; nil until the learner has XP in the week.
    public var room: Int?
    public var rank: Int?
    /// The learners of the room, the first rank first; empty until the learner has XP in the week.
    public var members: [LeagueMember]
    /// The last rank that is promoted; nil in the highest tier, and if no rank is promoted.
    public var promotedThrough: Int?
    /// The first rank that is demoted; nil in the lowest tier, and if no rank is demoted.
    public var demotedFrom: Int?
    /// The end of the week on the learner's own clock, and the whole seconds until then.
    public var endsAt: Date
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
    public var week: String
    /// The tier in that week, and the tier for the next week.
    public var tier: String
    public var next: String
    /// `promoted`, `stayed` or `demoted`.
    public var outcome: String
    /// The room, the rank in it and the number of its learners; nil if the learner did not compete.
    public var room: Int?
    public var rank: Int?
    public var of: Int?
    public var xp: Int

    /// Creates a value, for previews and tests.
    public init(week: String, tier: String, next: String, outcome: String, room: Int?, rank: Int?, of: Int?, xp: Int) {
        (self.week, self.tier, self.next, self.outcome) = (week, tier, next, outcome)
        (self.room, self.rank, self.of, self.xp) = (room, rank, of, xp)
    }
}
