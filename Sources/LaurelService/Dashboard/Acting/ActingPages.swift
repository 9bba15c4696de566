// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The pages on which an administrator acts for a learner.
extension Route {
    private static let deciding = Access.scopes([.read, .ingest, .decree])

    static let actingPages = [
        page("/learners/{id}/act", access: deciding) { try DecreesPage(LearnerVisit($0)).page() },
        page("/learners/{id}/act/{form}", access: deciding) { try DecreePage($0).page() },
        form("/learners/{id}/act/{form}", access: deciding) { try DecreePage($0).send() },
        page("/learners/{id}/retract", access: deciding) { try RetractionPage($0).page() },
        form("/learners/{id}/retract", access: deciding) { try RetractionPage($0).send() },
        form("/learners/{id}/leaderboards", access: .scopes([.read, .ingest]), reach: .learner) { visit in
            try LeaderboardCard(LearnerVisit(visit)).change()
        },
    ]
}

/// The card on a learner's page with all actions that the caller may do for the learner.
struct ActingCard {
    private let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    /// Writes the card. Writes nothing if the caller may do no action.
    func write(_ html: inout HTML) throws {
        writeLinks(&html)
        try LeaderboardCard(at).write(&html)
        try NotesCard(at).write(&html)
    }

    private func writeLinks(_ html: inout HTML) {
        guard !links.isEmpty else { return }
        html.card("Act for this learner", id: "act") { card in
            card.element("p", ["class": "actions"]) { row in
                for (title, link) in links { row.link(link, title, class: "button") }
            }
            guard at.mayDecree else { return }
            card.element("p", ["class": "note"]) { note in
                note.link(at.link("act"), "What was done for this learner")
            }
        }
    }

    private var links: [(title: PageText, link: Link)] {
        let visit = at.visit
        var links = at.mayDecree ? DecreeForm.all.map { ($0.title, at.link("act", $0.name)) } : []
        guard visit.caller.cohorts == nil else { return links }
        if visit.may(.keys) { links.append(("Make a token", at.link("token"))) }
        if visit.may(.erase) { links.append(("Erase the learner", at.link("erase"))) }
        return links
    }
}

extension LearnerVisit {
    /// True if the caller may send administrators' events about any learner.
    var mayDecree: Bool { visit.may(.decree) && visit.may(.ingest) && visit.caller.cohorts == nil }

    /// Stores administrators' events, all or none.
    /// - Returns: the reason why an event was refused; nil if they were stored.
    func store(_ events: Event...) throws -> String? { try store(events) }

    func store(_ events: [Event]) throws -> String? {
        let lines = Array(events.map(\.encoded).joined(separator: [UInt8(ascii: "\n")]))
        let report = try visit.service.store(lines, .lines, name: "dashboard", for: visit.caller, quarantines: false)
        guard report.conflicts == 0 else {
            return "This form was sent before, and its event is stored. Send it again to store another event."
        }
        return report.problems.first?.message
    }
}

/// The list of administrators' events about a learner that people sent, such as repairs and grants.
private struct DecreesPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        // Apps send such events, too, for example the cohort of each learner.
        let decrees = try at.visit.engine.decrees(of: at.id)
            .filter { $0.source == DecreeForm.source || DecreeForm.title(ofType: $0.type) != nil }
        let name = try at.learner.progress(at: at.now)?.displayName
        return Page("What was done", .learners) { html in
            html.head(
                "What was done for this learner",
                "Repairs, freezes, adjustments and grants, the newest first. To undo one, open it."
            ) { at.writePath("What was done", name: name, &$0) }
            if decrees.isEmpty {
                html.empty("Nothing yet", "Repairs, freezes, adjustments and grants appear here.")
            } else {
                write(decrees, &html)
            }
        }
    }

    private func write(_ decrees: [Decree], _ html: inout HTML) {
        let heads = ["Time", "Event", "Reason", "Status"].map { TableHead($0) }
        html.table("What was done", heads, class: "stacked") { rows in
            for decree in decrees {
                rows.element("tr") { row in
                    row.element("th", ["scope": "row"]) { $0.time(Date(milliseconds: decree.time), now: at.now) }
                    row.element("td") { cell in
                        cell.element("a", ["href": at.event(source: decree.source, id: decree.id).text]) {
                            $0.write(DecreeForm.title(ofType: decree.type) ?? "\(data: decree.type)")
                        }
                        cell.element("span", ["class": "id"]) { $0.data(decree.type) }
                    }
                    row.dataCell(decree.reason)
                    row.cell(decree.isRetracted ? "Undone" : "Counts")
                }
            }
        }
    }
}
