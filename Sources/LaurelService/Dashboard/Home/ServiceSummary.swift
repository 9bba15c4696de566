// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelStore

/// A summary of the service: the checks of the page Health, and the jobs that are under way.
struct ServiceSummary {
    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func write(_ html: inout HTML) {
        let findings = HealthExamination(service: visit.service, now: visit.now).findings()
        visit.service.condition.note(findings, at: visit.now)
        let troubles = findings.filter { $0.status != .ok }
        html.card("The service", id: "service") { card in
            if troubles.isEmpty {
                card.element("p", ["class": "notice"], text: "All checks are good.")
            } else {
                card.findings("Checks that need you", troubles)
            }
            let good = findings.filter { $0.status == .ok }.map(\.check)
            let link = HTML { $0.link(Link("health"), "All checks") }
            let names = good.map { WrittenText.text(PageText(english: $0)) }.joined(separator: ", ")
            card.element("p", ["class": "note"], text: good.isEmpty ? "\(link)" : "Good: \(names). \(link)")
            writeJobs(&card)
        }
    }

    private func writeJobs(_ html: inout HTML) {
        guard let jobs = try? visit.service.jobs.all().filter(\.isUnderWay), !jobs.isEmpty else {
            return html.element("p", ["class": "note"], text: "No job is under way.")
        }
        html.element("ul", ["class": "list"]) { list in
            for job in jobs.prefix(10) {
                list.element("li") { item in
                    item.link(Link("jobs", job.id), job.title)
                    item.element("span", ["class": "end"], text: WrittenText.percent(job.share * 100))
                }
            }
        }
    }
}
