// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
import LaurelResults

/// The card on a learner's page with the learner's tier, rank and latest result in each league. Without leagues in the
/// rules, nothing is written.
struct LeaguesCard {
    private let standings: [LeagueStanding]

    init(_ at: LearnerVisit) throws {
        standings = try at.visit.engine.leagues(at: at.now).compactMap { try at.learner.league($0, at: at.now) }
    }

    func write(_ html: inout HTML) {
        guard !standings.isEmpty else { return }
        html.card("Leagues") { card in
            for standing in standings {
                card.element("p", text: place(standing))
                if let latest = standing.latest { card.element("p", ["class": "note"], text: result(latest)) }
            }
        }
    }

    private func place(_ standing: LeagueStanding) -> PageText {
        let (league, tier) = (standing.league, standing.tier)
        guard let rank = standing.rank else {
            return "Tier \(data: tier) of the league \(data: league), without a rank in this week."
        }
        return
            "Tier \(data: tier) of the league \(data: league), rank \(rank) of \(standing.members.count) in this week."
    }

    private func result(_ result: LeagueResult) -> PageText {
        switch result.outcome {
        case "promoted": "The week \(data: result.week) led up to the tier \(data: result.next)."
        case "demoted": "The week \(data: result.week) led down to the tier \(data: result.next)."
        default: "The week \(data: result.week) ended in the same tier, \(data: result.next)."
        }
    }
}
