// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The routes with the dashboard's data about all learners.
extension Route {
    private static let search = Parameter("search", .text, "Only learners whose name or id contains this text.")
    private static let sort = Parameter(
        "sort",
        .choice(ClassQuery.Order.allCases.map(\.rawValue)),
        "Sort order. risk lists only learners whose streak ends tonight, away only those without practice for a week."
    )
    private static let reverse = Parameter("reverse", .flag, "Reverses the order.")
    private static let page = Parameter(
        "page",
        .number(1...1_000_000),
        "The page of 100 learners; the first by default."
    )

    static let classRoutes = [
        Route(
            "GET",
            "/v1/class",
            "Learners with level, XP of the week, streak and last practice, as of now, 100 on a page.",
            access: .scopes([.read]),
            reach: .cohorts,
            parameters: [.cohort, .language, search, sort, reverse, page],
            answer: .json(ClassAnswer.self),
            action: .question { service, request in
                let query = request.query
                var wanted = ClassQuery(for: request.caller)
                (wanted.search, wanted.cohort) = (query.text(search), query.text(.cohort))
                (wanted.language, wanted.isReversed) = (query.text(.language), query.flag(reverse))
                wanted.order = query.text(sort).flatMap { ClassQuery.Order(rawValue: $0) } ?? .name
                wanted.page = query.number(page) ?? 1
                let list = try ClassList.read(service, wanted, at: Date())
                return try JSONAnswer.response(ClassAnswer(list))
            }
        ),
        Route(
            "GET",
            "/v1/changes/stream",
            "The ids of learners that commits have changed, as server-sent events.",
            access: .scopes([.read]),
            reach: .cohorts,
            parameters: [.accessToken],
            answer: .media("text/event-stream"),
            action: .immediate { service, request in
                try LiveAnswer.response(service, request) { $0.openChanges(for: request.caller) }
            }
        ),
        Route(
            "GET",
            "/v1/learners/{id}/events/{source}/{event}",
            "An event as it came.",
            access: .learner,
            answer: .json(CloudEvent.self),
            action: .question { service, request in
                let found = try service.engine.event(
                    request.path("event"),
                    from: request.path("source"),
                    of: request.path("id")
                )
                guard let found else { throw Problem.notFound("the learner has no such event") }
                return JSONAnswer.response(found + [0x0A])
            }
        ),
    ]
}

/// A page of learners, 100 at most.
private struct ClassAnswer: Codable {
    /// Learners on this page.
    var learners: [ClassRow]
    /// Number of learners found, on all pages.
    var found: Int
    /// Number of all learners, before search and cohort.
    var total: Int
    /// Number of this page, from 1.
    var page: Int
    /// Number of pages, at least 1.
    var pages: Int
    /// Cohorts that can be requested.
    var cohorts: [String]
    /// Languages of the learners.
    var languages: [String]

    init(_ list: ClassList) {
        (learners, found, total) = (list.rows, list.found, list.total)
        (page, pages, cohorts, languages) = (list.page.number, list.page.count, list.cohorts, list.languages)
    }
}
