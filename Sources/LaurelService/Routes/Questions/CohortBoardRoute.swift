// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

extension Route {
    fileprivate static let weekOfCohort = Parameter("week", .text, "A date in the week, 2026-W06, this or last.")
    fileprivate static let allTimeOfCohort = Parameter("all-time", .flag, "The XP of all time.")
    fileprivate static let aroundOfCohort = Parameter(
        "around",
        .flag,
        "The rows around the learner, not the first rows."
    )
    fileprivate static let limitOfCohort = Parameter("limit", .number(1...100), "The number of rows; 25 by default.")

    /// The routes that show a learner's cohort to a caller with that learner's token. The answer has no ids, no times
    /// and nothing about learners of other cohorts. The routes have no parameter `at`, because the cohort had other
    /// learners at earlier times.
    static let cohortBoardRoutes = [
        Route(
            "GET",
            "/v1/learners/{id}/leaderboard",
            "The leaderboard of the learner's cohort, with the names that learners chose for others to see.",
            access: .learner,
            parameters: [weekOfCohort, allTimeOfCohort, aroundOfCohort, .language, limitOfCohort],
            answer: .json(CohortBoard.self),
            action: .question { JSONAnswer.response(try JSONAnswer.encode(try CohortBoard($0.engine, $1))) }
        )
    ]
}

/// The leaderboard of a learner's cohort, for the learner.
private struct CohortBoard: Codable {
    /// The learner's cohort; nil if no event gave one. Then there are no rows.
    var cohort: String?
    /// The number of learners on the board.
    var participants = 0
    /// The rows asked for, the highest rank first.
    var rows: [Row] = []

    /// A learner on the board of a cohort.
    struct Row: Codable {
        /// The rank, from 1. Learners with equal XP share a rank, and the ranks after it are skipped: 1, 2, 2, 4.
        var rank: Int
        /// The name that others see; nil if no event gave one.
        var displayName: String?
        /// The XP of the requested track and period.
        var xp: Int
        /// True in the row of the learner who asks.
        var isOwn: Bool
    }

    init(_ engine: ProgressEngine, _ request: ServiceRequest) throws {
        let (query, learner) = (request.query, request.path("id"))
        guard !query.flag(Route.allTimeOfCohort) || !query.has(Route.weekOfCohort) else {
            throw Problem.badRequest("week and all-time exclude each other")
        }
        cohort = try engine.cohorts(of: [learner])[0]
        guard let cohort else { return }
        let period: LeaderboardPeriod =
            query.flag(Route.allTimeOfCohort)
            ? .allTime : .week(of: try engine.week(named: query.text(Route.weekOfCohort) ?? "this", at: nil))
        let count = query.number(Route.limitOfCohort) ?? 25
        func board(_ part: LeaderboardPart) throws -> Leaderboard? {
            try engine.leaderboard(period, language: query.text(.language), cohort: cohort, part: part)
        }
        // A learner who is not listed has no neighbours, and gets the first rows.
        let own = query.flag(Route.aroundOfCohort) ? try board(.around(learner: learner, count: count)) : nil
        guard let found = try own?.rows.isEmpty == false ? own : board(.top(count)) else { return }
        participants = found.participants
        rows = found.rows.map { row in
            let isOwn = row.learner.utf8.elementsEqual(learner.utf8)
            return Row(rank: row.rank, displayName: row.displayName, xp: row.xp, isOwn: isOwn)
        }
    }
}
