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
    /// The number of `league.finished` events.
    public var results: Int
    /// The number of results that promote their learner.
    public var promoted: Int
    /// The number of results that demote their learner.
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
