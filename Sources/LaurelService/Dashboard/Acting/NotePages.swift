// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelStore

/// The notes on a learner's page, and the page that asks for confirmation before a note is removed.
extension Route {
    private static let noting = Access.scopes([.read, .decree])

    static let notePages = [
        form("/learners/{id}/notes", access: noting) { visit in
            let at = try LearnerVisit(visit)
            _ = try NoteRoutes.add(visit.fields["text"] ?? "", about: at.id, by: visit.caller, visit.service)
            return Visit.seeOther(at.link().at("notes"))
        },
        page("/learners/{id}/notes/{note}/remove", access: noting) { try NoteRemoval($0).page() },
        form("/learners/{id}/notes/{note}/remove", access: noting) { visit in
            let at = try LearnerVisit(visit)
            try NoteRoutes.remove(visit.path("note"), about: at.id, by: visit.caller, visit.service)
            return Visit.seeOther(at.link().at("notes"))
        },
    ]
}

/// The card with the notes about a learner, and a form for a new one.
struct NotesCard {
    private let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    /// Writes the card. Writes nothing if the caller may not read notes.
    func write(_ html: inout HTML) throws {
        guard at.visit.may(.decree), at.visit.caller.cohorts == nil else { return }
        let notes = try at.visit.engine.notes(of: at.id) ?? []
        html.card("Notes", id: "notes", note: "Learners do not see notes. They are erased with the learner.") { card in
            if !notes.isEmpty {
                card.element("ul", ["class": "list"]) { list in
                    for note in notes { list.element("li") { write(note, &$0) } }
                }
            }
            card.post(at.link("notes"), class: "stack") { form in
                form.area("New note", name: "text", value: "", rows: 3)
                form.element("div", ["class": "actions"]) { $0.button("Write the note", class: "primary") }
            }
        }
    }

    private func write(_ note: NoteRecord, _ item: inout HTML) {
        item.element("div", ["class": "note-text"]) { text in
            text.element("p") { $0.lines(note.text) }
            text.element("p", ["class": "small"]) { line in
                line.data(note.author)
                line.write(" · ")
                line.time(Date(milliseconds: note.milliseconds), now: at.now)
            }
        }
        item.element("span", ["class": "end"]) { end in
            end.element(
                "a",
                [
                    "href": Link("learners", at.id, "notes", note.id, "remove").text, "class": "button danger small",
                    "aria-label": WrittenText.text("Remove the note “\(note.text.shortened)”"),
                ],
                text: "Remove"
            )
        }
    }
}

private struct NoteRemoval {
    private let at: LearnerVisit
    private let note: NoteRecord

    init(_ visit: Visit) throws {
        at = try LearnerVisit(visit)
        let notes = try visit.engine.notes(of: at.id) ?? []
        guard let note = notes.first(where: { $0.id == visit.path("note") }) else {
            throw Problem.notFound("there is no such note about the learner")
        }
        self.note = note
    }

    func page() -> Page {
        let confirmation = Confirmation(
            question: "Remove this note for good?",
            button: "Remove the note",
            action: Link("learners", at.id, "notes", note.id, "remove"),
            back: at.link().at("notes")
        )
        return confirmation.page(.learners) { card in
            card.element("p", text: "The note about \(data: at.id.shortened) says:")
            card.element("blockquote") { $0.lines(note.text) }
        }
    }
}
