// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults

/// The page that explains a word in sentences, one for each event. A click shows formulas and events.
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
            html.head(
                "\(data: name.shortened)",
                path: { at.writePath("Why: word", name: progress.displayName, &$0) }
            ) { $0.data([first.translation, first.id]) }
            for word in found { write(word, &html) }
        }
    }

    private func write(_ word: WordExplanation, _ html: inout HTML) {
        if let state = word.state {
            html.element("div", ["class": "exhibit tiles"]) { tiles in
                tiles.tile("Mastery", "\(state.mastery) of 5", small: state.bucket.title)
                tiles.tile("Interval", "\(state.intervalDays, "day")")
                tiles.tile(
                    "Next review",
                    word.isDue ? "due" : "\(WrittenText.ago(state.nextReviewAt, now: at.now))",
                    small: "\(WrittenText.time(state.nextReviewAt))"
                )
                if let ease = state.easeFactor { tiles.tile("Ease", "\(WrittenText.number(ease))") }
                if let recall = word.recall { tiles.tile("Recall now", "\(WrittenText.percent(recall * 100))") }
                if let stability = state.stability { tiles.tile("Stability", "\(WrittenText.number(stability)) days") }
                if let difficulty = state.difficulty { tiles.tile("Difficulty", "\(WrittenText.number(difficulty))") }
            }
        }
        let rules = at.visit.engine.rules(at: at.now)
        let story = WordStory(word, learnedMastery: rules.learnedMastery)
        let title: PageText = word.language.map { "In \($0.shortened)" } ?? "Without a language"
        html.card(title) { card in
            card.element("p", ["class": "strong"]) { $0.render(story.answer) }
            if let reason = story.dueReason { card.element("p") { $0.render(reason, at) } }
            for step in word.steps.suffix(500).reversed() {
                card.because(story.sentence(step), story.reason(step), at)
            }
            card.because("What makes the word learned and due") { $0.render(story.facts, at) }
        }
    }
}
