// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelWire

/// The route of the audit log, with the same entries as `laurel audit`.
extension Route {
    private static let since = Parameter("since", .time, "Only entries from this instant on.")
    private static let before = Parameter("before", .text, "The start of the page, from the Link of the previous page.")
    private static let pageLimit = Parameter(
        "limit",
        .number(1...1000),
        "The number of entries on a page; 100 by default."
    )

    static let auditRoutes = [
        Route(
            "GET",
            "/v1/audit",
            "Administrative actions with their actors, newest first, page by page.",
            access: .scopes([.admin]),
            parameters: [since, pageLimit, before],
            answer: .page(of: AuditEntry.self),
            action: .question { service, request in
                let limit = request.query.number(pageLimit) ?? 100
                let entries = try service.engine.auditLog(
                    before: request.query.text(before),
                    since: request.query.time(since)?.date,
                    limit: limit
                )
                var response = JSONAnswer.response(try JSONAnswer.list(entries))
                if let last = entries.last, entries.count == limit {
                    let others = [since, pageLimit].compactMap { name in
                        request.query.text(name).map { "\(name.name)=\(PercentCoding.encode($0))&" }
                    }
                    response.headers["Link"] = "</v1/audit?\(others.joined())before=\(last.id)>; rel=\"next\""
                }
                return response
            }
        )
    ]
}
