// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page on which the caller erases the learner. The caller must type the learner's id to confirm.
extension Route {
    private static let erasing = Access.scopes([.read, .erase])

    static let erasePages = [
        page("/learners/{id}/erase", access: erasing) { ErasePage(try LearnerVisit($0)).page() },
        form("/learners/{id}/erase", access: erasing) { visit in
            let page = ErasePage(try LearnerVisit(visit))
            return Frame(visit).response(try page.erase())
        },
    ]
}

private struct ErasePage {
    private let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    /// - Parameter isWrong: true if another id than the learner's was typed.
    func page(isWrong: Bool = false) -> Page {
        var page = Page("Erase the learner", .learners) { html in
            html.head("Erase the learner for good?", path: { at.writePath("Erase", name: nil, &$0) })
            if isWrong {
                let text: PageText = "This is not the id of the learner. Nothing was erased."
                html.element("p", ["class": "notice bad", "role": "alert"], text: text)
            }
            html.element("section", ["class": "exhibit consequence"]) { card in
                card.element(
                    "p",
                    text: "All events, progress and notes of \(data: at.id.shortened) are deleted from the store, "
                        + "and keys, tokens and sign-ins for this learner end."
                )
                card.element("p", text: "Only a backup can bring them back. Erase the learner in backups, too.")
                card.post(at.link("erase"), class: "stack") { form in
                    form.field("Type the id of the learner", name: "typed", isRequired: true)
                    form.element("div", ["class": "actions"]) { row in
                        row.button("Erase the learner", class: "danger")
                        row.link(at.link(), "Cancel", class: "button")
                    }
                }
            }
        }
        if isWrong { page.status = 422 }
        return page
    }

    func erase() throws -> Page {
        guard at.visit.fields["typed"]?.utf8.elementsEqual(at.id.utf8) == true else { return page(isWrong: true) }
        guard try at.visit.service.erase(at.id, by: at.visit.caller) else { throw Problem.unknownLearner }
        return Page("The learner was erased", .learners) { html in
            html.head("The learner was erased", "Erase the learner in backups and exports, too.")
            html.element("p") { $0.link(Page.Section.learners.link, "To the list of learners") }
        }
    }
}
