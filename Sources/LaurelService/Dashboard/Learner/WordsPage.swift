// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The vocabulary with its schedule.
struct WordsPage {
    let at: LearnerVisit
    private var fields: Fields { at.visit.fields }
    private static let pageSize = 100

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        var filter = WordFilter()
        filter.bucket = fields["bucket"].flatMap { MasteryBucket(rawValue: $0) }
        filter.isDue = fields["due"] == "true"
        filter.prefix = fields["prefix"]
        let words = try at.learner.words(
            filter,
            language: at.language,
            order: filter.prefix == nil ? .review : .alphabetical,
            at: at.now
        )
        let pages = max(1, (words.count + Self.pageSize - 1) / Self.pageSize)
        let page = min(max(fields.number("page") ?? 1, 1), pages)
        let shown = words.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
        return Page("Words", .learners) { html in
            html.element("div", .class("head")) { head in
                at.writePath("Words", name: progress.displayName, &head)
                head.element("h1", text: "Words")
                head.element(
                    "p",
                    .class("lead"),
                    text:
                        "\(WrittenText.count(words.count, "word")). Due ones come first; a word opens each of its reviews."
                )
            }
            writeFilters(filter, &html)
            if shown.isEmpty {
                html.empty("No words here", "No word of the learner is like that.")
            } else {
                writeTable(Array(shown), &html)
            }
            writePages(page, pages, &html)
        }
    }

    private func writeFilters(_ filter: WordFilter, _ html: inout HTML) {
        html.ask(Link("learners", at.id, "words"), class: "filters", role: "search") { form in
            form.hidden("language", at.language)
            form.field("Begins with", name: "prefix", value: filter.prefix, type: "search")
            form.choice(
                "Mastery",
                name: "bucket",
                [("", "All")] + MasteryBucket.allCases.map { ($0.rawValue, $0.rawValue.capitalized) },
                chosen: filter.bucket?.rawValue
            )
            form.check("Only what is due", name: "due", isOn: filter.isDue)
            form.button("Show")
        }
    }

    private func writeTable(_ words: [Word], _ html: inout HTML) {
        let heads = [
            TableHead("Word"), TableHead("Translation"), TableHead("Mastery"), TableHead("Reviews", isNumber: true),
            TableHead("Next review"), TableHead("Language"),
        ]
        html.table("Words", heads) { rows in
            for word in words {
                rows.element("tr") { row in
                    row.element("th", HTMLAttribute("scope", "row"), .class("name")) { cell in
                        cell.element(
                            "a",
                            .href(
                                at.link(
                                    "why",
                                    "word",
                                    query: ["word": word.id, "language": word.language ?? at.language]
                                )
                            )
                        ) { $0.data(word.displayText) }
                    }
                    row.dataCell(word.translation)
                    row.element("td") { cell in
                        cell.badge(word.bucket.rawValue, "m-\(word.bucket.rawValue)")
                    }
                    row.number(word.reviews)
                    row.element("td") { cell in
                        if word.isDue { cell.badge("due", "warn") } else { cell.time(word.nextReviewAt, now: at.now) }
                    }
                    row.dataCell(word.language)
                }
            }
        }
    }

    private func writePages(_ page: Int, _ pages: Int, _ html: inout HTML) {
        guard pages > 1 else { return }
        let link = at.link(
            "words",
            query: ["prefix": fields["prefix"], "bucket": fields["bucket"], "due": fields["due"]]
        )
        html.pages(page, of: pages, link)
    }
}
