// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The pages that explain how each number follows from events.
extension Route {
    static let whyPages = [
        page("/learners/{id}/why/xp", access: .learner) { try WhyXPPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/streak", access: .learner) { try WhyStreakPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/achievement", access: .learner) { try WhyAchievementPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/word", access: .learner) { try WhyWordPage(LearnerVisit($0)).page() },
        page("/learners/{id}/event", access: .learner) { try EventPage(LearnerVisit($0)).page() },
    ]
}

/// The page that lists awards of XP. For each award, it shows the values from which the award was computed.
struct WhyXPPage {
    let at: LearnerVisit
    let story: XPStory

    init(_ at: LearnerVisit) {
        self.at = at
        let rules = at.visit.engine.rules(at: at.now)
        story = XPStory { id in rules.achievement(id).map { ($0.name, $0.tiers) } }
    }

    func page() throws -> Page {
        let progress = try at.progress()
        let day = at.visit.fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        let session = at.visit.fields["session"]
        guard
            let found = try at.learner.explainXP(language: at.language, day: day, session: session, at: at.now)
        else { throw Problem.notFound("there is no such learner") }
        let page = ListPage(at.visit.fields.number("page") ?? 1, of: found.events.reversed(), size: 25)
        return Page("Why: XP", .learners) { html in
            html.element("div", ["class": "head"]) { head in
                at.writePath("Why: XP", name: progress.displayName, &head)
                head.element("h1", text: title(found.totalXP, day, session))
                head.element(
                    "p",
                    ["class": "lead"],
                    text: "\(WrittenText.count(found.events.count, "event")) affected XP, newest first. "
                        + "Level \(progress.currentLevel) follows from \(WrittenText.number(progress.totalXP)) XP."
                )
            }
            writeDay(day, &html)
            writeSources(found, &html)
            if found.events.isEmpty { html.empty("Nothing here") { $0.render(XPStory.nothing) } }
            for event in page.rows { write(event, &html) }
            html.pages(page, at.link("why", "xp", query: ["day": day.map { "\($0)" }, "session": session]))
        }
    }

    private func title(_ xp: Int, _ day: LocalDay?, _ session: String?) -> String {
        let amount = "\(WrittenText.number(xp)) XP"
        if let day { return "\(amount) on \(WrittenText.day(day))" }
        return session == nil ? "\(amount), and why" : "\(amount) in the session"
    }

    private func writeDay(_ day: LocalDay?, _ html: inout HTML) {
        html.ask(Link("learners", at.id, "why", "xp"), class: "filters") { form in
            form.hidden("language", at.language)
            form.field("Day", name: "day", value: day.map { "\($0)" }, type: "date")
            form.button("Show")
            if day != nil { form.link(at.link("why", "xp"), "All days", class: "quiet-link") }
        }
    }

    private func writeSources(_ found: XPExplanation, _ html: inout HTML) {
        let parts = found.xpBreakdown.filter { $0.value > 0 }.sorted { $0.value > $1.value }.prefix(12)
        guard !parts.isEmpty else { return }
        html.card("What it was for") { card in
            card.add(
                PageChart.bars("XP", unit: (one: "XP", other: "XP"), rows: parts.map { ($0.name.shortened, $0.value) })
            )
        }
    }

    private func write(_ event: XPExplanation.Event, _ html: inout HTML) {
        html.element("article", ["class": "exhibit why-event"]) { card in
            card.element("header") { head in
                head.element("p") { line in
                    line.render("\(story.heading(event.event))  \(.dateAndTime(event.event))", at)
                }
                head.element("span", ["class": "amount"], text: "\(WrittenText.change(event.xp)) XP")
            }
            writeCauses(event.entries.filter { $0.amount != 0 }, &card)
            let withheld = event.entries.filter { $0.amount == 0 }
            guard !withheld.isEmpty else { return }
            card.element("details") { details in
                details.element("summary", text: "\(WrittenText.count(withheld.count, "rule")) gave nothing, and why")
                writeCauses(withheld, &details)
            }
        }
    }

    private func writeCauses(_ entries: [XPExplanation.Entry], _ html: inout HTML) {
        html.element("ul", ["class": "causes"]) { list in
            for entry in entries {
                list.element("li") { item in
                    item.element("span", ["class": "amount"], text: WrittenText.change(entry.amount))
                    item.render(" \(.toned(.strong, story.title(entry)))  \(story.reason(entry))", at)
                }
            }
        }
    }
}
