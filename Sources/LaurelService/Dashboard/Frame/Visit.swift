// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// A request for a page, or a request with a form.
struct Visit: Sendable {
    let service: LaurelService
    let request: ServiceRequest
    /// The fields of a page's query, or of a form's body.
    let fields: Fields
    /// The time of the request, by the service's clock.
    let now: Date

    init(service: LaurelService, request: ServiceRequest, fields: Fields) {
        (self.service, self.request, self.fields) = (service, request, fields)
        now = service.options.now()
    }

    var engine: ProgressEngine { service.engine }
    var caller: Caller { request.caller }
    func path(_ name: String) -> String { request.path(name) }
    func may(_ scope: Scope) -> Bool { caller.learner == nil && caller.may(scope) }
    var actor: AuditActor { caller.actor }

    /// Runs a function. Texts, numbers and dates in it are written in the reader's language.
    fileprivate func inReaderLanguage(_ write: () throws -> HTTPResponse) rethrows -> HTTPResponse {
        try LocaleText.$current.withValue(ReaderLanguage.texts(for: request.head), operation: write)
    }

    fileprivate func export(of table: String?) -> TableExport {
        let head = request.head
        let kept = (head.query ?? "").split(separator: "&")
            .filter { !$0.hasPrefix("format=") && !$0.hasPrefix("table=") && !$0.hasPrefix("page=") }
        return TableExport(wanted: table) { name in
            "\(head.path)?\((kept.map(String.init) + ["format=csv", "table=\(name)"]).joined(separator: "&"))"
        }
    }

    /// The answer with one table of the page, as CSV.
    fileprivate func table(_ body: (Visit) throws -> Page) throws -> HTTPResponse {
        let name = fields["table"] ?? ""
        let export = export(of: name)
        _ = try LocaleText.$current.withValue(.plain) {
            try TableExport.$current.withValue(export) { try body(self) }
        }
        guard let csv = export.csv else {
            throw Problem.notFound("this page has no table “\(name.shortened)”; its links named CSV lead to its tables")
        }
        var headers = Frame.headers
        headers["Content-Type"] = "text/csv; charset=utf-8; header=present"
        headers["Content-Disposition"] = "attachment; filename=\"\(name).csv\""
        headers["Cache-Control"] = "private, no-store"
        return HTTPResponse(200, headers: headers, body: Array(csv.utf8))
    }

    /// The page to show after a form. Only a path of this service is allowed.
    static func path(next: String?) -> String {
        guard let next, next.hasPrefix("/"), !next.hasPrefix("//"), !next.contains("\\"),
            next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return "/home" }
        return next
    }

    static func seeOther(_ location: String) -> HTTPResponse {
        HTTPResponse(303, headers: ["Location": location, "Cache-Control": "no-store"])
    }

    static func seeOther(_ link: Link) -> HTTPResponse { seeOther(link.text) }
}

extension Route {
    /// The default maximum size of a form's body, in bytes.
    static let formBytes = 64 << 10

    /// A route of a page for people. The description of the API leaves the route out, because other routes give the
    /// same data.
    static func page(
        _ path: String,
        access: Access,
        reach: Reach? = nil,
        _ body: @escaping @Sendable (Visit) throws -> Page
    ) -> Route {
        forPeople(
            "GET",
            path,
            "A page.",
            access,
            reach,
            .question { service, request in
                let visit = Visit(service: service, request: request, fields: Fields(request.head.query ?? ""))
                if visit.fields["format"] == "csv" { return try visit.table(body) }
                return try visit.inReaderLanguage {
                    // The page must be made before its frame. The page Health runs checks, and the navigation in the
                    // frame shows their result.
                    let page = try TableExport.$current.withValue(visit.export(of: nil)) { try body(visit) }
                    return Frame(visit).response(page)
                }
            }
        )
    }

    /// A route that receives a form, and redirects to a page.
    static func form(
        _ path: String,
        access: Access,
        reach: Reach? = nil,
        limit: Int = formBytes,
        _ body: @escaping @Sendable (Visit) throws -> HTTPResponse
    ) -> Route {
        forPeople(
            "POST",
            path,
            "A form.",
            access,
            reach,
            .document(limit: limit) { service, request, bytes in
                guard request.head.isSameOrigin else { throw Problem.crossSite }
                let fields = try FormBody.fields(bytes, request.head)
                let visit = Visit(service: service, request: request, fields: fields)
                return try visit.inReaderLanguage { try body(visit) }
            }
        )
    }

    private static func forPeople(
        _ method: String,
        _ path: String,
        _ summary: String,
        _ access: Access,
        _ reach: Reach?,
        _ action: Action
    ) -> Route {
        Route(
            method,
            path,
            summary,
            access: access,
            reach: reach,
            answer: .media("text/html"),
            action: action,
            isPage: true
        )
    }
}

/// Thrown to redirect to another page.
struct Redirect: Error {
    let link: Link
    init(_ link: Link) { self.link = link }
}
