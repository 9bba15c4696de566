// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire

/// The streak, day by day.
struct WhyStreakPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let day = at.visit.fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        guard let found = try at.learner.explainStreak(language: at.language, around: day, at: at.now) else {
            throw Problem.notFound("the rules have no streak")
        }
        return Page("Why: streak", .learners) { html in
            html.element("div", .class("head")) { head in
                at.writePath("Why: streak", name: progress.displayName, &head)
                head.element("h1", text: "A streak of \(WrittenText.count(found.currentStreak, "day"))")
                head.element("p", .class("lead"), text: lead(found))
            }
            html.ask(Link("learners", at.id, "why", "streak"), class: "filters") { form in
                form.hidden("language", at.language)
                form.field("Days around", name: "day", value: day.map { "\($0)" }, type: "date")
                form.button("Show")
            }
            html.card("What makes a day count") { card in
                card.element("div", .class("expression")) { box in box.element("code") { $0.data(found.when) } }
                if let terms = found.terms { card.element("p", .class("note"), text: sentence(terms)) }
            }
            if found.days.isEmpty {
                html.empty("No day counts yet", "Days appear from the first one on which the learner practised.")
            } else {
                writeDays(found.days.reversed(), &html)
            }
        }
    }

    private func lead(_ found: StreakExplanation) -> String {
        var text = "The longest was \(WrittenText.count(found.longestStreak, "day"))"
        if found.streakFreezes > 0 { text += ", \(WrittenText.count(found.streakFreezes, "freeze")) held" }
        if let last = found.lastBreak, let lost = last.lost {
            text += "; on \(WrittenText.day(last.day)) one of \(WrittenText.count(lost, "day")) ended"
        }
        return text + "."
    }

    private func sentence(_ terms: StreakExplanation.Terms) -> String {
        var parts: [String] = []
        if let every = terms.freezeEvery {
            parts.append("Every \(WrittenText.count(every, "day")) earn a freeze; \(terms.mostFreezes) can be held.")
        }
        if !terms.restDays.isEmpty {
            parts.append("Rest days: \(terms.restDayNames.joined(separator: ", ")).")
        }
        return parts.isEmpty ? "No freezes, no rest days." : parts.joined(separator: " ")
    }

    private func writeDays(_ days: [StreakExplanation.Day], _ html: inout HTML) {
        html.table(
            "Days",
            [TableHead("Day"), TableHead("It was"), TableHead("Streak", isNumber: true), TableHead("Why")]
        ) {
            rows in
            for day in days {
                rows.element("tr") { row in
                    row.element("th", HTMLAttribute("scope", "row")) { cell in
                        cell.link(at.link("why", "xp", query: ["day": "\(day.day)"]), WrittenText.day(day.day))
                    }
                    row.element("td") { $0.badge(day.outcome.title, "o-\(day.outcome.rawValue)") }
                    row.number(day.currentStreak)
                    row.element("td") { write(day, &$0) }
                }
            }
        }
    }

    private func write(_ day: StreakExplanation.Day, _ cell: inout HTML) {
        cell.element("p") { line in
            line.write(WrittenText.count(day.events, "event"))
            if day.activeEvents > 0 { line.write(", \(WrittenText.number(day.activeEvents)) of which made it count") }
            if day.earnsFreeze { line.write("; earns a freeze") }
            if let lost = day.lost, lost > 0 { line.write("; a streak of \(WrittenText.count(lost, "day")) ended") }
        }
        for event in [day.event, day.repairedBy, day.frozenBy].compactMap(\.self) {
            cell.element("p") { at.writeEvent(event, &$0) }
        }
        if let when = day.when { cell.expression(when) }
    }
}

extension StreakExplanation.Outcome {
    var title: String {
        switch self {
        case .active: "active"
        case .repaired: "repaired"
        case .restDay: "rest day"
        case .frozen: "frozen"
        case .freezeSpent: "a freeze was spent"
        case .missed: "missed"
        case .open: "today, still open"
        }
    }
}
