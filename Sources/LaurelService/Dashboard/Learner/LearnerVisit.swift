// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// A request for a page about one learner.
struct LearnerVisit {
    let visit: Visit
    let learner: Learner
    /// The language; nil for all languages together.
    let language: String?

    init(_ visit: Visit) throws {
        self.visit = visit
        learner = visit.engine.learner(visit.path("id"), timeZone: nil)
        language = visit.fields["language"]
        guard try learner.isKnown() else {
            throw Problem(404, "unknown-learner", "there is no learner “\(learner.id.shortened)” in the store")
        }
    }

    var id: String { learner.id }
    var now: Date { visit.now }

    func progress() throws -> LearnerProgress {
        guard let progress = try learner.progress(language: language, at: now) else { throw unknownLanguage }
        return progress
    }

    var unknownLanguage: Problem {
        Problem(404, "unknown-language", "the learner has no events in “\((language ?? "").shortened)”")
    }

    /// A link to a page about the learner.
    func link(_ parts: String..., query: KeyValuePairs<String, String?> = [:]) -> Link {
        var link = Link("learners", id)
        switch parts.count {
        case 1: link = Link("learners", id, parts[0])
        case 2: link = Link("learners", id, parts[0], parts[1])
        default: break
        }
        link = link.with("language", language)
        for (name, value) in query { link = link.with(name, value) }
        return link
    }

    func event(_ event: EventReference) -> Link { self.event(source: event.source, id: event.id) }
    func event(source: String, id: String) -> Link {
        Link("learners", self.id, "event", query: ["source": source, "id": id])
    }

    /// Writes links to the pages above this one, beginning with the class list.
    func writePath(_ title: PageText, name: String?, _ html: inout HTML) {
        html.element("nav", ["class": "crumbs", "aria-label": WrittenText.text("Where you are")]) { nav in
            if visit.caller.learner == nil {
                nav.link(Link("learners"), "Learners")
                nav.element("span", ["aria-hidden": "true"], text: " / ")
            }
            nav.element("a", ["href": link().text]) { $0.data(name ?? id) }
            nav.element("span", ["aria-hidden": "true"], text: " / ")
            nav.element("span", ["aria-current": "page"], text: title)
        }
    }

    /// Writes links to the learner's tracks.
    func writeLanguages(_ languages: [String], _ html: inout HTML) {
        guard !languages.isEmpty else { return }
        html.element("nav", ["class": "tabs", "aria-label": WrittenText.text("Languages")]) { nav in
            for tag in [nil] + languages.map(Optional.some) {
                nav.element(
                    "a",
                    [
                        "href": Link("learners", id).with("language", tag).text,
                        "aria-current": tag == language ? "page" : nil,
                    ]
                ) { item in
                    if let tag { item.data(tag) } else { item.write("All languages") }
                }
            }
        }
    }
}
