// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// The page of the audit log.
extension Route {
    static let auditPages = [
        page("/audit", access: .scopes([.admin])) { try AuditPage($0).page() }
    ]
}

private struct AuditPage {
    private static let pageSize = 100
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        let entries = try visit.engine.auditLog(before: visit.fields["before"], limit: Self.pageSize)
        return Page("Audit", .audit) { html in
            html.head("Audit log", lead)
            if entries.isEmpty {
                html.empty(
                    "No entries",
                    "Nobody has changed keys, rules or webhooks, erased or exported anything here."
                )
            } else {
                write(entries, &html)
            }
            html.element("p", ["class": "actions"]) { row in
                if visit.fields.has("before") { row.link(Link("audit"), "Newest entries", class: "quiet-link") }
                if let last = entries.last, entries.count == Self.pageSize {
                    row.link(Link("audit").with("before", last.id), "Earlier entries", class: "quiet-link")
                }
            }
        }
    }

    private var lead: PageText {
        guard let days = visit.service.options.keepAuditDays else {
            return "Administrative actions, newest first. Entries are kept for ever, "
                + "without the names of erased learners."
        }
        return "Administrative actions, newest first. Entries are kept for \(days, "day"), "
            + "without the names of erased learners."
    }

    private func write(_ entries: [AuditEntry], _ html: inout HTML) {
        let heads = [
            TableHead("When"), TableHead("Who"), TableHead("Address"), TableHead("Action"), TableHead("What"),
            TableHead("Learner"), TableHead("Details"),
        ]
        html.table("Audit log", heads) { rows in
            for entry in entries {
                rows.element("tr", ["data-key": entry.id]) { row in
                    row.element("th", ["scope": "row"]) { $0.time(entry.time, now: visit.now) }
                    row.dataCell(entry.actor)
                    row.dataCell(entry.address)
                    row.dataCell(entry.action)
                    row.dataCell(entry.target)
                    row.dataCell(entry.learner)
                    let details = entry.details.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
                    row.element("td", ["class": "details"], text: details.joined(separator: ", "))
                }
            }
        }
    }
}
