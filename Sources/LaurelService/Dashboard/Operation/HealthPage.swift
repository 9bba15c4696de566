// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page of the service's state.
extension Route {
    static let healthPages = [
        page("/health", access: .scopes([.admin])) { try HealthPage($0).page() }
    ]
}

private struct HealthPage {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        let service = visit.service
        let size = try visit.engine.size()
        let summary = service.metrics.summary
        return Page("Health", .health) { html in
            html.element("div", ["class": "head"]) { head in
                let failure = service.health.check()
                let title = failure != nil ? "Nothing can be stored" : service.isReady ? "All is well" : "Ending"
                head.element("h1", text: title)
                if let failure { head.element("p", ["class": "notice warn"], text: failure.message) }
                head.element(
                    "p",
                    ["class": "lead"],
                    text: "This node, since \(WrittenText.time(service.startedAt)), and the store behind it."
                )
            }
            html.element("div", ["class": "exhibit tiles"]) { tiles in
                tiles.tile("Learners", WrittenText.number(size.learners))
                tiles.tile("Events stored", WrittenText.number(size.events))
                tiles.tile("The store", WrittenText.bytes(Int(size.bytes)))
                tiles.tile("In quarantine", WrittenText.number(size.quarantined))
                tiles.tile("Open streams", WrittenText.number(service.hub.count))
                tiles.tile("Write queue", WrittenText.number(service.commit.backlog))
                tiles.tile("Read queue", WrittenText.number(service.questions.backlog))
                tiles.tile(
                    "Commits",
                    WrittenText.number(summary.commits),
                    small: summary.failedCommits > 0 ? "\(WrittenText.number(summary.failedCommits)) failed" : nil
                )
            }
            writeRoutes(summary, &html)
            html.element("div", ["class": "actions"]) { row in
                row.post(Link("jobs", "verify")) { $0.button("Check every page of the store") }
                row.link(Link("metrics"), "Metrics for Prometheus", class: "quiet-link")
            }
        }
    }

    private func writeRoutes(_ summary: Metrics.Summary, _ html: inout HTML) {
        let heads = [
            TableHead("Route"), TableHead("Requests", isNumber: true), TableHead("Mean", isNumber: true),
            TableHead("Refused or failed", isNumber: true),
        ]
        html.table("Requests since the start", heads) { rows in
            for route in summary.routes.prefix(100) {
                rows.element("tr") { row in
                    row.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.element("code", text: route.route)
                    }
                    row.number(route.requests)
                    row.element("td", ["class": "n"], text: "\(WrittenText.number(route.meanSeconds * 1000)) ms")
                    row.number(route.failed)
                }
            }
        }
    }
}
