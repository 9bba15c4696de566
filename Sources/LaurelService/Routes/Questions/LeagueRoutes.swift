// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The routes about leagues. Some learners are unknown to a caller with limited rights. For these learners, the answer
/// contains only the name that they chose, their rank, their XP of the week, and the outcome of the rank.
extension Route {
    private static let league = Parameter("league", .text, "The league's name; the rules' first league by default.")
    private static let dayOfLeague = Parameter("day", .day, "A day of the week; the present week by default.")

    static let leagueRoutes = [
        Route(
            "GET",
            "/v1/learners/{id}/league",
            "The learner's place in the present week of a league, with the learners of the room.",
            access: .learner,
            parameters: [.at, league],
            answer: .json(LeagueStanding.self),
            codes: ["unknown-league"],
            action: .question { service, request in
                JSONAnswer.response(try JSONAnswer.encode(try standing(service.engine, request)))
            }
        ),
        Route(
            "GET",
            "/v1/leagues/{league}",
            "A week of a league: all tiers, rooms and ranks.",
            access: .scopes([.read]),
            parameters: [.at, dayOfLeague],
            answer: .json(LeagueTable.self),
            codes: ["unknown-league"],
            action: .question { service, request in
                let name = request.path("league")
                let day = request.query.day(dayOfLeague)
                let table = try service.engine.league(name, day: day, at: request.at?.date)
                guard let table else { throw Problem.unknownLeague(name) }
                return JSONAnswer.response(try JSONAnswer.encode(table))
            }
        ),
    ]

    /// The learner's place, as the caller may see it.
    private static func standing(_ engine: ProgressEngine, _ request: ServiceRequest) throws -> LeagueStanding {
        try request.requireToday()
        let question = LearnerQuestion(engine, request, now: Date())
        let name = request.query.text(league)
        guard let standing = try question.learner.league(name, at: request.at?.date) else {
            guard try question.learner.isKnown() else { throw Problem.unknownLearner }
            try question.existingProgress()
            throw Problem.unknownLeague(name)
        }
        return standing.visible(
            where: try request.caller.known(among: standing.members.compactMap(\.learner), engine).contains
        )
    }
}

extension Problem {
    /// - Parameter name: the name that the request gave; nil if it gave none.
    static func unknownLeague(_ name: String?) -> Problem {
        let named = name.map { "the rules of this week have no league “\($0.prefix(64))”" }
        return Problem(404, "unknown-league", named ?? "the rules of this week have no league")
    }
}
