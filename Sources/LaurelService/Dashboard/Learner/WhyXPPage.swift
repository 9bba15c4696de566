// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// Why a number is what it is, down to the event.
extension Route {
    static let whyPages = [
        page("/learners/{id}/why/xp", access: .learner) { try WhyXPPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/streak", access: .learner) { try WhyStreakPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/achievement", access: .learner) { try WhyAchievementPage(LearnerVisit($0)).page() },
        page("/learners/{id}/why/word", access: .learner) { try WhyWordPage(LearnerVisit($0)).page() },
        page("/learners/{id}/event", access: .learner) { try EventPage(LearnerVisit($0)).page() },
    ]
}

/// Each award with the values that went in.
struct WhyXPPage {
    let at: LearnerVisit
    private static let pageSize = 25

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let day = at.visit.fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        let session = at.visit.fields["session"]
        guard
            let found = try at.learner.explainXP(language: at.language, day: day, session: session, at: at.now)
        else { throw Problem.notFound("there is no such learner") }
        let events = Array(found.events.reversed())
        let pages = max(1, (events.count + Self.pageSize - 1) / Self.pageSize)
        let page = min(max(at.visit.fields.number("page") ?? 1, 1), pages)
        return Page("Why: XP", .learners) { html in
            html.element("div", .class("head")) { head in
                at.writePath("Why: XP", name: progress.displayName, &head)
                head.element("h1", text: title(found.totalXP, day, session))
                head.element(
                    "p",
                    .class("lead"),
                    text: "\(WrittenText.count(events.count, "event")) with something to say about XP, newest first. "
                        + "Level \(progress.currentLevel) follows from \(WrittenText.number(progress.totalXP)) XP."
                )
            }
            writeDay(day, &html)
            writeSources(found, &html)
            if events.isEmpty { html.empty("No XP here", "No event of that day or session gave any, or withheld any.") }
            for event in events.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize) { write(event, &html) }
            html.pages(page, of: pages, at.link("why", "xp", query: ["day": day.map { "\($0)" }, "session": session]))
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
            card.drawn(
                PageChart.bars("XP", unit: (one: "XP", other: "XP"), rows: parts.map { ($0.name.shortened, $0.value) })
            )
        }
    }

    private func write(_ event: XPExplanation.Event, _ html: inout HTML) {
        html.element("article", .class("exhibit why-event")) { card in
            card.element("header") { head in
                at.writeEvent(event.event, &head)
                head.element("span", .class("amount"), text: "\(WrittenText.change(event.xp)) XP")
            }
            let given = event.entries.filter { $0.amount != 0 }
            card.element("ul", .class("causes")) { list in
                for entry in given { list.element("li") { write(entry, &$0) } }
            }
            let withheld = event.entries.filter { $0.amount == 0 }
            guard !withheld.isEmpty else { return }
            card.element("details") { details in
                details.element(
                    "summary",
                    text: "\(WrittenText.count(withheld.count, "rule")) gave nothing, and why"
                )
                details.element("ul", .class("causes")) { list in
                    for entry in withheld { list.element("li") { write(entry, &$0) } }
                }
            }
        }
    }

    private func write(_ entry: XPExplanation.Entry, _ html: inout HTML) {
        html.element("p") { line in
            line.element("span", .class("amount"), text: WrittenText.change(entry.amount))
            line.write(" ")
            line.element("span", .class("strong")) { $0.data(entry.bucket) }
            line.write(" ")
            writeCause(entry.cause, &line)
        }
        switch entry.cause {
        case .award(_, let award, let whole, let dailyCap):
            html.expression(award)
            if let dailyCap, whole != entry.amount {
                html.element(
                    "p",
                    .class("small"),
                    text:
                        "Worth \(WrittenText.number(whole)); the rule gives at most \(WrittenText.number(dailyCap)) a day."
                )
            }
        case .withheld(_, let when, _): html.expression(when)
        case .outOfPeriod(_, _, let award): html.expression(award)
        default: break
        }
    }

    private func writeCause(_ cause: XPExplanation.Entry.Cause, _ line: inout HTML) {
        switch cause {
        case .award(let rule, _, _, _):
            line.write("by the rule ")
            line.data(rule)
        case .withheld(let rule, _, _):
            line.write("withheld by the condition of ")
            line.data(rule)
        case .outOfPeriod(let rule, let obstacle, _):
            line.data(rule)
            line.write(" \(obstacle ?? "is not in force on this day")")
        case .adjustment(let reason):
            line.write("adjusted by hand")
            if let reason {
                line.write(": ")
                line.data(reason)
            }
        case .declaration(let total): line.write("to reach the declared total of \(WrittenText.number(total))")
        case .reward(let achievement, let tiers, _):
            line.write("as the reward of ")
            line.element("a", .href(at.link("why", "achievement", query: ["achievement": achievement]))) {
                $0.data(achievement)
            }
            line.write(", tier \(tiers.lowerBound)\(tiers.count > 1 ? " to \(tiers.upperBound)" : "")")
        case .rewardTakenBack(let achievement, let tiers, _):
            line.write("taken back with ")
            line.data(achievement)
            line.write(", \(WrittenText.count(tiers, "tier"))")
        }
    }
}

extension HTML {
    /// An expression of the rules, with the values that it was evaluated on.
    mutating func expression(_ expression: ExplainedExpression) {
        element("div", .class("expression")) { box in
            box.element("code") { $0.data(expression.source) }
            guard expression.substituted != expression.source else { return }
            box.element("code", .class("values")) { code in
                code.data(expression.substituted)
                code.write(" = \(expression.value.description.shortened)")
            }
        }
    }
}
