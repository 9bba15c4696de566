// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page that lists a learner's words, with the times of their next reviews.
struct WordsPage {
    let at: LearnerVisit
    private var fields: Fields { at.visit.fields }

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
        let page = ListPage(fields.number("page") ?? 1, of: words, size: 100)
        return Page("Words", .learners) { html in
            html.head(
                "Words",
                "\(words.count, "word"). Due ones come first; a word opens each of its reviews."
            ) { at.writePath("Words", name: progress.displayName, &$0) }
            writeFilters(filter, &html)
            if words.isEmpty {
                html.empty("No words here", "No words match these filters.")
            } else {
                writeTable(page.rows, &html)
            }
            let query: KeyValuePairs = [
                "prefix": fields["prefix"], "bucket": fields["bucket"], "due": fields["due"],
            ]
            html.pages(page, at.link("words", query: query))
        }
    }

    private func writeFilters(_ filter: WordFilter, _ html: inout HTML) {
        html.ask(Link("learners", at.id, "words"), class: "filters", role: "search") { form in
            form.hidden("language", at.language)
            form.field("Begins with", name: "prefix", value: filter.prefix, type: "search")
            form.choice(
                "Mastery",
                name: "bucket",
                [("", "All")] + MasteryBucket.allCases.map { ($0.rawValue, $0.title) },
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
                    row.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.element(
                            "a",
                            [
                                "href": at.link(
                                    "why",
                                    "word",
                                    query: ["word": word.id, "language": word.language ?? at.language]
                                ).text
                            ]
                        ) { $0.data(word.displayText) }
                    }
                    row.dataCell(word.translation)
                    row.element("td") { cell in
                        cell.badge(word.bucket.title, "m-\(word.bucket.rawValue)")
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
}

extension MasteryBucket {
    var title: PageText {
        switch self {
        case .new: "new"
        case .learning: "learning"
        case .reviewing: "reviewing"
        case .mastered: "mastered"
        }
    }
}
