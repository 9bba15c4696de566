// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The settlement of one week of a league.
public struct LeagueSettlement: Codable, Sendable, Hashable {
    /// The league's name in the rules.
    public var league: String
    /// The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day.
    public var week: String
    /// The instant of the settlement, which is the time of its events.
    public var settledAt: Date
    /// True if the week was settled before, and late events improved results.
    public var isAmendment: Bool
    /// The number of `league.finished` events, and how many of them promote and demote their learner.
    public var results: Int
    public var promoted: Int
    public var demoted: Int

    /// Creates a value, for previews and tests.
    public init(
        league: String,
        week: String,
        settledAt: Date,
        isAmendment: Bool,
        results: Int,
        promoted: Int,
        demoted: Int
    ) {
        (self.league, self.week, self.settledAt, self.isAmendment) = (league, week, settledAt, isAmendment)
        (self.results, self.promoted, self.demoted) = (results, promoted, demoted)
    }
}
