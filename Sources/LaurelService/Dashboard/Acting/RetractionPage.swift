// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page that asks for confirmation before an event is retracted. The event's page links to it.
struct RetractionPage {
    private let at: LearnerVisit
    private let source: String
    private let id: String

    init(_ visit: Visit) throws {
        at = try LearnerVisit(visit)
        guard let source = visit.fields["source"], let id = visit.fields["id"],
            try visit.engine.event(id, from: source, of: at.id) != nil
        else { throw Problem.notFound("the learner has no such event") }
        (self.source, self.id) = (source, id)
    }

    /// Writes a link to the page, if the caller may retract the event.
    static func writeOffer(_ at: LearnerVisit, type: String, source: String, id: String, _ html: inout HTML) throws {
        guard at.mayDecree, type != "event.retracted" else { return }
        if try at.visit.engine.isRetracted(id, from: source, of: at.id) {
            html.element("p", ["class": "notice warn"], text: "This event was undone. It counts for nothing.")
            return
        }
        html.element("p", ["class": "actions"]) { row in
            let link = at.link("retract", query: ["source": source, "id": id])
            row.link(link, "Undo this event", class: "button danger")
        }
    }

    func page() -> Page {
        let confirmation = Confirmation(
            question: "Undo the event \(data: id.shortened)?",
            button: "Undo the event",
            action: at.link("retract"),
            back: at.event(source: source, id: id),
            fields: [("source", source), ("id", id)]
        )
        return confirmation.page(.learners) { card in
            let (learner, source) = (at.id.shortened, source.shortened)
            card.element("p", text: "The learner is \(data: learner), and the event came from \(data: source).")
            card.element(
                "p",
                text: "All numbers become as if the event had never come. This cannot be taken back: to have the event"
                    + " count again, send another one."
            )
        }
    }

    func send() throws -> HTTPResponse {
        let event = DecreeForm.event(
            "event.retracted",
            ["source": .string(source), "id": .string(id)],
            number: nil,
            for: at.id,
            try at.visit.engine.timeZone(of: at.id),
            at: at.now
        )
        if let refusal = try at.store(event) { throw Problem(422, "refused", refusal) }
        return Visit.seeOther(at.event(source: source, id: id))
    }
}
