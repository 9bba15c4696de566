// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// Each review of a word.
struct WhyWordPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let id = at.visit.fields["word"] ?? ""
        let found = try at.learner.explainWord(id, language: at.language, at: at.now)
        guard let first = found.first else { throw Problem.notFound("no event of the learner is about the word") }
        let name = first.text ?? first.id
        return Page("Why: \(name)", .learners) { html in
            html.element("div", .class("head")) { head in
                at.writePath("Why: word", name: progress.displayName, &head)
                head.element("h1") { $0.data(name) }
                head.element("p", .class("lead")) { lead in
                    if let translation = first.translation {
                        lead.data(translation)
                        lead.write(" · ")
                    }
                    lead.data(first.id)
                }
            }
            for word in found { write(word, &html) }
        }
    }

    private func write(_ word: WordExplanation, _ html: inout HTML) {
        if let state = word.state {
            html.element("div", .class("exhibit tiles")) { tiles in
                tiles.tile("Mastery", "\(state.mastery) of 5", small: state.bucket.rawValue)
                tiles.tile(
                    "Reviews",
                    WrittenText.number(state.reviews),
                    small: "\(WrittenText.number(state.correctReviews)) correct"
                )
                tiles.tile("Interval", WrittenText.count(state.intervalDays, "day"))
                tiles.tile(
                    "Next review",
                    word.isDue ? "due" : WrittenText.ago(state.nextReviewAt, now: at.now),
                    small: WrittenText.time(state.nextReviewAt)
                )
                if let ease = state.easeFactor { tiles.tile("Ease", WrittenText.number(ease)) }
                if let stability = state.stability { tiles.tile("Stability", "\(WrittenText.number(stability)) days") }
                if let difficulty = state.difficulty { tiles.tile("Difficulty", WrittenText.number(difficulty)) }
            }
        }
        let heads = [
            TableHead("Event"), TableHead("Grade"), TableHead("Mastery", isNumber: true),
            TableHead("Interval", isNumber: true), TableHead("Next review"),
        ]
        html.table("What happened\(word.language.map { ", \($0.shortened)" } ?? "")", heads) { rows in
            for step in word.steps.reversed().prefix(500) {
                rows.element("tr") { row in
                    row.element("td") { at.writeEvent(step.event, &$0) }
                    row.element("td") { cell in
                        if let grade = step.grade {
                            cell.badge(grade.shortened, "g-\(grade == "again" ? "again" : "fine")")
                        }
                    }
                    row.element("td", .class("n"), text: step.after.map { "\($0.mastery)" } ?? "–")
                    row.element(
                        "td",
                        .class("n"),
                        text: step.after.map { WrittenText.count($0.intervalDays, "day") } ?? "–"
                    )
                    row.element("td", text: step.after.map { WrittenText.time($0.nextReviewAt) } ?? "removed")
                }
            }
        }
    }
}
