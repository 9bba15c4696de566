// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The page that explains a streak in sentences, day by day. A click shows conditions and events.
struct WhyStreakPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let day = at.visit.fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        guard let found = try at.learner.explainStreak(language: at.language, around: day, at: at.now) else {
            throw Problem.notFound("the rules have no streak")
        }
        let story = StreakStory(found)
        return Page("Why: streak", .learners) { html in
            html.head(
                "The streak, and why",
                path: { at.writePath("Why: streak", name: progress.displayName, &$0) }
            ) { $0.render(story.answer, at) }
            html.ask(Link("learners", at.id, "why", "streak"), class: "filters") { form in
                form.hidden("language", at.language)
                form.field("Days around", name: "day", value: day.map { "\($0)" }, type: "date")
                form.button("Show")
            }
            if found.days.isEmpty {
                html.empty("No days yet") { $0.render(StreakStory.nothing) }
            } else {
                html.card(PageText(english: story.title)) { card in
                    for day in found.days.reversed() {
                        card.because(
                            "\(story.date(day)): \(story.sentence(day))",
                            "\(story.date(day)): \(story.reason(day))",
                            at
                        )
                    }
                }
            }
            html.because("What makes the streak grow") { $0.render(story.facts, at) }
        }
    }
}
