// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire

/// The routes about several learners.
extension Route {
    private static let sort = Parameter(
        "sort",
        .choice(LearnerOrder.allCases.map(\.rawValue)),
        "The order; by id by default."
    )
    private static let cursor = Parameter("cursor", .text, "The start of the page, from the Link of the previous page.")
    private static let pageLimit = Parameter(
        "limit",
        .number(1...1000),
        "The number of learners on a page; 100 by default."
    )
    private static let week = Parameter("week", .text, "A date in the week, 2026-W06, this or last.")
    private static let allTime = Parameter("all-time", .flag, "The XP of all time.")
    private static let session = Parameter("session", .text, "By the XP of this session.")
    private static let around = Parameter("around", .text, "This learner's neighbours.")

    static let allLearnersRoutes = [
        Route(
            "GET",
            "/v1/learners",
            "Every learner with the headline numbers, page by page.",
            access: .scopes([.read]),
            parameters: [.at, .cohort, sort, pageLimit, cursor],
            answer: .page(of: LearnerOverview.self),
            action: .question { try learners($0.engine, $1) }
        ),
        Route(
            "GET",
            "/v1/leaderboard",
            "Learners by the XP of a week, of all time or of a session.",
            access: .scopes([.read]),
            parameters: [.at, week, allTime, session, .cohort, .language, around, .limit],
            answer: .json([Leaderboard.Row].self, [SessionLeaderboard.Row].self),
            action: .question { try leaderboard($0.engine, $1) }
        ),
    ]

    private static func learners(_ engine: ProgressEngine, _ request: ServiceRequest) throws -> HTTPResponse {
        let order = request.query.text(sort).flatMap { LearnerOrder(rawValue: $0) } ?? .id
        let limit = request.query.number(pageLimit) ?? 100
        let after = try request.query.text(cursor).map { text in
            guard let bytes = Base64URL.decode(text) else {
                throw Problem.badRequest(
                    "the cursor is not one of this service; take it from the Link of the page before"
                )
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        // One row more than requested shows whether another page follows.
        let found = try engine.learners(
            cohort: request.query.text(.cohort),
            order: order,
            after: after,
            limit: limit + 1,
            at: request.at?.date
        )
        let page = found.prefix(limit)
        var response = JSONAnswer.response(try JSONAnswer.list(page))
        if let last = page.last, found.count > limit {
            let names = [Parameter.at, .cohort, sort, pageLimit]
            let others = names.compactMap { name in
                request.query.text(name).map { "\(name.name)=\(PercentCoding.encode($0))&" }
            }
            let query = others.joined() + "cursor=\(Base64URL.encode(Array(last.id.utf8)))"
            response.headers["Link"] = "</v1/learners?\(query)>; rel=\"next\""
        }
        return response
    }

    private static func leaderboard(_ engine: ProgressEngine, _ request: ServiceRequest) throws -> HTTPResponse {
        let query = request.query
        let named = [query.has(week), query.flag(allTime), query.has(session)].count { $0 }
        guard named < 2 else { throw Problem.badRequest("week, all-time and session exclude each other") }
        let part =
            query.text(around).map { LeaderboardPart.around(learner: $0, count: query.number(.limit) ?? 11) }
            ?? .top(query.number(.limit))
        let unknown = Problem(404, "unknown-learner", "there is no such learner in the store")
        if let id = query.text(session) {
            let board = try engine.leaderboard(
                ofSession: id,
                language: query.text(.language),
                cohort: query.text(.cohort),
                part: part,
                at: request.at?.date
            )
            guard let board else { throw unknown }
            return JSONAnswer.response(try JSONAnswer.list(board.rows))
        }
        let first = query.flag(allTime) ? nil : try engine.week(named: query.text(week) ?? "this", at: request.at?.date)
        let board = try engine.leaderboard(
            first.map { .week(of: $0) } ?? .allTime,
            language: query.text(.language),
            cohort: query.text(.cohort),
            part: part,
            at: request.at?.date
        )
        guard let board else { throw unknown }
        return JSONAnswer.response(try JSONAnswer.list(board.rows))
    }
}
