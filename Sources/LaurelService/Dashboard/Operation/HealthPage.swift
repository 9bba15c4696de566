// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page that shows the results of the service's health checks.
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
        let findings = HealthExamination(service: service, now: visit.now).findings()
        service.condition.note(findings, at: visit.now)
        return Page("Health", .health) { html in
            html.head(
                title(findings),
                "This node, since \(WrittenText.time(service.startedAt)), and the store behind it."
            )
            html.findings("Checks", findings)
            html.element("div", ["class": "exhibit tiles"]) { tiles in
                tiles.tile("Learners", "\(WrittenText.number(size.learners))")
                tiles.tile("Events stored", "\(WrittenText.number(size.events))")
                tiles.tile("The store", "\(WrittenText.bytes(Int(size.bytes)))")
                tiles.tile("In quarantine", "\(WrittenText.number(size.quarantined))")
                tiles.tile("Open streams", "\(WrittenText.number(service.hub.count))")
                tiles.tile("Write queue", "\(WrittenText.number(service.commit.backlog))")
                tiles.tile("Read queue", "\(WrittenText.number(service.questions.backlog))")
                tiles.tile(
                    "Commits",
                    "\(WrittenText.number(summary.commits))",
                    small: summary.failedCommits > 0 ? "\(summary.failedCommits) failed" : nil
                )
            }
            writeRoutes(summary, &html)
            html.element("div", ["class": "actions"]) { row in
                row.post(Link("jobs", "verify")) { $0.button("Check every page of the store") }
                row.link(Link("metrics"), "Metrics for Prometheus", class: "quiet-link")
            }
        }
    }

    private func title(_ findings: [Finding]) -> PageText {
        let problems = findings.count { $0.status == .error }
        let warnings = findings.count { $0.status == .warning }
        switch (problems, warnings) {
        case (0, 0): return "All is well"
        case (0, _): return "\(warnings, "warning")"
        case (_, 0): return "\(problems, "problem")"
        default: return "\(problems, "problem"), \(warnings, "warning")"
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

extension Finding.Status {
    /// The result of a check in one word, for people.
    var word: PageText {
        switch self {
        case .ok: "good"
        case .warning: "warning"
        case .error: "trouble"
        }
    }

    var tone: String {
        switch self {
        case .ok: "good"
        case .warning: "warn"
        case .error: "bad"
        }
    }
}

extension HTML {
    /// Writes a table of the results of checks.
    mutating func findings(_ title: PageText, _ findings: [Finding]) {
        let heads = [TableHead("Check"), TableHead("State"), TableHead("Result")]
        table(title, heads, class: "findings") { rows in
            for finding in findings {
                rows.element("tr", ["data-check": finding.check]) { row in
                    row.element("th", ["scope": "row"]) { cell in
                        let name: PageText = "\(WrittenText.text(PageText(english: finding.check)).capitalizedFirst)"
                        if let link = finding.link { cell.link(link, name) } else { cell.write(name) }
                    }
                    row.element("td") { $0.badge(finding.status.word, finding.status.tone) }
                    row.element("td", ["class": "details"]) { cell in
                        cell.element("p") { $0.coded(finding.text) }
                        guard let advice = finding.adviceText else { return }
                        cell.element("p", ["class": "small"]) { $0.coded(advice) }
                    }
                }
            }
        }
    }

    /// Writes a sentence. A part between backticks is written as code. A URL at the start stays as it is.
    fileprivate mutating func coded(_ sentence: PageText) {
        let words = sentence.written()
        let text = WrittenText.text("\(words.hasPrefix("http") ? words : words.capitalizedFirst).")
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 { element("code") { $0.data(String(part)) } } else { write(String(part)) }
        }
    }
}
