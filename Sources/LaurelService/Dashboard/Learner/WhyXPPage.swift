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
        page("/learners/{id}/why/balance", access: .learner) { try WhyBalancePage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/achievement", access: .learner) { try WhyAchievementPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/word", access: .learner) { try WhyWordPage(LearnerVisit($0)).page() },
        page("/learners/{id}/event", access: .learner) { try EventPage(LearnerVisit($0)).page() },
    ]
}

/// The page that explains the sources of the XP, in sentences by day, session and rule. A click shows formulas and
/// events.
struct WhyXPPage {
    private static let daysPerPage = 10
    /// The maximum number of events that are listed for a sentence. Only the latest events are listed. The page of a
    /// single day lists more events than a page of several days.
    private static let mostEvents = (amongDays: 25, onOneDay: 1000)

    let at: LearnerVisit
    private let story: XPStory
    private let day: LocalDay?
    private let session: String?

    init(_ at: LearnerVisit) {
        self.at = at
        let rules = at.visit.engine.rules(at: at.now)
        story = XPStory { id in rules.achievement(id).map { ($0.name, $0.tiers) } }
        day = at.visit.fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        session = at.visit.fields["session"]
    }

    func page() throws -> Page {
        let progress = try at.progress()
        guard
            let found = try at.learner.explainXP(language: at.language, day: day, session: session, at: at.now)
        else { throw Problem.notFound("there is no such learner") }
        let days = story.days(found.events)
        let page = ListPage(at.visit.fields.number("page") ?? 1, of: days.reversed(), size: Self.daysPerPage)
        return Page("Why: XP", .learners) { html in
            html.head(
                title(found.totalXP),
                "\(found.events.count, "event") affected XP, newest first. "
                    + "Level \(progress.currentLevel) follows from \(progress.totalXP) XP."
            ) { at.writePath("Why: XP", name: progress.displayName, &$0) }
            writeDay(&html)
            writeSources(found, &html)
            if days.isEmpty { html.empty("Nothing here") { $0.render(XPStory.nothing) } }
            for day in page.rows { write(day, &html) }
            html.pages(page, at.link("why", "xp", query: ["day": day.map { "\($0)" }, "session": session]))
        }
    }

    private func title(_ xp: Int) -> PageText {
        if let day { return "\(xp) XP on \(WrittenText.day(day))" }
        return session == nil ? "\(xp) XP, and why" : "\(xp) XP in the session"
    }

    private func writeDay(_ html: inout HTML) {
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
            let rows = parts.map { (PageChart.title(ofSource: $0.name).shortened, $0.value) }
            card.add(PageChart.bars("XP", unit: (one: "XP", other: "XP"), rows: rows))
        }
    }

    private func write(_ day: XPStory.Day, _ html: inout HTML) {
        html.element("section", ["class": "exhibit why-day"]) { card in
            card.element("header") { head in
                head.element("h2") { $0.render("\(.day(day.day))", at) }
                head.element("span", ["class": "amount"], text: "\(WrittenText.change(day.xp)) XP")
            }
            for part in day.parts.reversed() { write(part, &card) }
        }
    }

    private func write(_ part: XPStory.Part, _ card: inout HTML) {
        if let title = part.title {
            card.element("header") { head in
                head.element("h3") { $0.render(title, at) }
                head.element("span", ["class": "amount"], text: "\(WrittenText.change(part.xp)) XP")
            }
        }
        for sentence in part.sentences where sentence.amount != 0 { write(sentence, &card) }
        let vain = part.sentences.filter { $0.amount == 0 }
        guard !vain.isEmpty else { return }
        card.element("details", ["class": "vain"]) { details in
            details.element("summary", text: "Without XP, and why (\(vain.count))")
            for sentence in vain { write(sentence, &details) }
        }
    }

    private func write(_ sentence: XPStory.Sentence, _ html: inout HTML) {
        html.element("details", ["class": "because"]) { details in
            details.element("summary") { line in
                line.element("span", ["class": "amount"], text: WrittenText.change(sentence.amount))
                line.write(" ")
                line.element("span") { $0.render(sentence.story) }
                line.write(" ")
                line.element("span", ["class": "small"]) { $0.render(sentence.title) }
            }
            writeAchievement(sentence, &details)
            write(sentence.lines, &details)
        }
        if let flag = sentence.flag { html.element("p", ["class": "note"]) { $0.render(flag) } }
    }

    /// Writes a link to the explanation of the achievement that the sentence is about.
    private func writeAchievement(_ sentence: XPStory.Sentence, _ details: inout HTML) {
        guard sentence.lines.count == 1, sentence.title.hasAchievement else { return }
        details.element("p", ["class": "small"]) { $0.render("More about \(sentence.title)", at) }
    }

    private func write(_ lines: [XPStory.Line], _ details: inout HTML) {
        let listed = lines.suffix(day == nil ? Self.mostEvents.amongDays : Self.mostEvents.onOneDay)
        details.element("ul", ["class": "causes"]) { list in
            for line in listed.reversed() {
                list.element("li") { item in
                    item.element("span", ["class": "amount"], text: WrittenText.change(line.amount))
                    item.render(" \(.time(line.event)) \(line.heading)  \(line.story)", at)
                }
            }
        }
        guard listed.count < lines.count else { return }
        details.element("p", ["class": "note"]) { note in
            note.write("The latest \(listed.count) of \(lines.count) events.")
            guard day == nil, let day = lines.last?.event.day else { return }
            note.write(" ")
            note.link(at.link("why", "xp", query: ["day": "\(day)"]), "All of this day")
        }
    }
}
