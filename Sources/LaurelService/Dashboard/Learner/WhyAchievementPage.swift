// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults

/// The page that explains an achievement in sentences: its history, and what is missing. A click shows formulas and
/// events.
struct WhyAchievementPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let id = at.visit.fields["achievement"] ?? ""
        guard at.visit.engine.rules(at: at.now).achievement(id) != nil else {
            throw Problem.notFound("the rules have no such achievement")
        }
        let found = try at.learner.explainAchievement(id, language: at.language, at: at.now)
        let name = found.first?.name ?? id
        return Page("Why: \(name)", .learners) { html in
            html.head(
                "\(data: name.shortened)",
                path: { at.writePath("Why: achievement", name: progress.displayName, &$0) }
            ) { $0.data([found.first?.description]) }
            if found.isEmpty { html.empty("Nothing to tell yet", "No event has touched this achievement.") }
            for explanation in found { write(explanation, &html) }
        }
    }

    private func write(_ found: AchievementExplanation, _ html: inout HTML) {
        html.card(found.language.map { "In \($0.shortened)" } ?? "In all languages together") { card in
            let story = AchievementStory(found)
            card.element("p", ["class": "strong"]) { $0.render(story.answer) }
            card.meter("Progress", found.progress)
            card.element("ul", ["class": "chips"]) { list in
                for threshold in found.thresholds {
                    list.element("li", ["class": threshold.isUnlocked ? "done" : ""]) { item in
                        item.write("Tier \(threshold.tier): \(WrittenText.number(threshold.atLeast))")
                        if threshold.isUnlocked { item.write(" ✓") }
                    }
                }
            }
            for change in story.changes.reversed() { card.because(change.sentence, change.reason, at) }
            card.because("What unlocks it") { $0.render(story.facts, at) }
        }
    }
}
