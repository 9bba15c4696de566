// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

extension Route {
    private static let week = Parameter("week", .text, "A date in the week, 2026-W06, this or last.")
    private static let learner = Parameter("learner", .text, "The learner of the report.")
    private static let format = Parameter("format", .choice(["json", "html", "md"]), "json by default.")

    static let reportRoutes = [
        Route(
            "GET",
            "/v1/reports",
            "The reports that there are.",
            access: .scopes([.read]),
            reach: .noLearner,
            answer: .list(ReportListing.self),
            action: .question { service, _ in
                JSONAnswer.response(try JSONAnswer.list(service.reports.all().map(\.listing)))
            }
        ),
        Route(
            "GET",
            "/v1/reports/{name}",
            "A report on a learner, a cohort or everyone.",
            access: .scopes([.read]),
            parameters: [.at, week, learner, .cohort, .language, .locale, format],
            answer: AnswerShape(types: [ReportContent.self], others: ["text/html", "text/markdown"]),
            codes: ["failed-report"],
            action: .question { try report($0, $1) }
        ),
        Route(
            "POST",
            "/v1/reports/{name}/messages",
            "The report's messages to learners as drafts: one file, or without learner a zip file. Nothing is sent or stored.",
            access: .scopes([.read]),
            parameters: [.at, week, learner, .cohort, .language, .locale],
            answer: .media("application/zip", or: "message/rfc822"),
            body: DraftTerms.shape,
            codes: ["failed-report", "invalid-report"],
            action: .document(limit: 1 << 20) { try drafts($0, $1, $2) }
        ),
    ]

    /// The report that a request's path names.
    static func definition(_ service: LaurelService, _ request: ServiceRequest) throws -> ReportDefinition {
        // The name is looked up in the list of reports. The library's own search would also open a file of that name.
        let named = try service.reports.all().first { $0.name.utf8.elementsEqual(request.path("name").utf8) }
        guard let definition = named else { throw Problem.notFound("there is no such report") }
        return definition
    }

    private static func report(_ service: LaurelService, _ request: ServiceRequest) throws -> HTTPResponse {
        let definition = try definition(service, request)
        let document = try question(request).document(definition, service.engine)
        return response(document, request.query.text(format) ?? "json")
    }

    /// The drafts of a report's messages.
    private static func drafts(
        _ service: LaurelService,
        _ request: ServiceRequest,
        _ bytes: [UInt8]
    ) throws -> HTTPResponse {
        let drafts = try DraftQuestion(report: question(request), terms: DraftTerms.read(bytes))
        return try drafts.response(try definition(service, request), service.engine)
    }

    private static func question(_ request: ServiceRequest) -> ReportQuestion {
        let query = request.query
        return ReportQuestion(
            learner: query.text(learner),
            cohort: query.text(.cohort),
            week: query.text(week),
            language: query.text(.language),
            locale: query.text(.locale),
            at: request.at ?? Timestamp(milliseconds: Date().milliseconds)
        )
    }

    private static func response(_ document: ReportDocument, _ name: String) -> HTTPResponse {
        let types = [
            "json": "application/json", "html": "text/html; charset=utf-8", "md": "text/markdown; charset=utf-8",
        ]
        let text = ReportFormat(rawValue: name).flatMap { document.text($0) } ?? ""
        var headers: HTTPHeaders = ["Content-Type": types[name] ?? "text/plain", "Cache-Control": "private, no-cache"]
        // The page contains names and texts from events, which must never run as scripts.
        headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        headers["X-Content-Type-Options"] = "nosniff"
        return HTTPResponse(200, headers: headers, body: Array(text.utf8))
    }
}

extension Problem {
    init(_ problem: ReportProblem) {
        switch problem {
        case .unknownReport: self = .notFound("there is no such report")
        case .noView(let ofLearner, _):
            self = .badRequest(
                ofLearner ? "the report is not about one learner" : "the report is about one learner: name them"
            )
        case .unknownLearner: self.init(404, "unknown-learner", "there is no such learner in the store")
        case .unknownLanguage: self.init(404, "unknown-language", "there are no events in that language")
        case .unknownCohort: self.init(404, "unknown-cohort", "there is no such cohort")
        }
    }
}
