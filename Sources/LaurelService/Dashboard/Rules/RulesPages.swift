// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The page of the store's rules. Other rules can be checked, compared and applied from here.
extension Route {
    private static let mostBytes = 2 << 20

    static let rulesPages = [
        page("/rules", access: .scopes([.read]), reach: .noLearner) { try RulesPage($0).page() },
        page("/rules/{version}", access: .scopes([.read]), reach: .noLearner) { try RulesPage($0).version() },
        form("/rules/drafts", access: .scopes([.rules]), limit: mostBytes) { visit in
            let draft = try DraftPage.make(visit)
            return Visit.seeOther(Link("rules", "drafts", draft.id))
        },
        page("/rules/drafts/{draft}", access: .scopes([.rules])) { visit in
            try DraftPage(visit, visit.service.drafts.draft(visit.path("draft"))).page()
        },
        page("/rules/drafts/{draft}/apply", access: .scopes([.rules])) { visit in
            try DraftPage(visit, visit.service.drafts.draft(visit.path("draft"))).askToApply()
        },
        form("/rules/drafts/{draft}/apply", access: .scopes([.rules])) { visit in
            try DraftPage(visit, visit.service.drafts.draft(visit.path("draft"))).apply()
        },
    ]
}

private struct RulesPage {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        let inForce = try visit.engine.rulesInForce()
        let history = try visit.engine.rulesHistory()
        return Page("Rules", .rules) { html in
            html.head(
                "Rules",
                "What counts for how much. Other rules are compared with these before anything changes, and every "
                    + "number is rebuilt from the events."
            )
            writeInForce(inForce, &html)
            if visit.may(.rules) {
                DraftPage.writeForm(
                    "Try other rules",
                    "Nothing changes yet: they are checked, and compared with those in force.",
                    RulesJob(yaml: text(inForce.last)),
                    &html
                )
            }
            writeHistory(history, &html)
        }
    }

    private func text(_ rules: AppliedRulesSource?) -> String {
        rules.map { String(decoding: $0.source, as: UTF8.self) } ?? ""
    }

    private func writeInForce(_ rules: [AppliedRulesSource], _ html: inout HTML) {
        html.card("In force") { card in
            guard !rules.isEmpty else {
                return card.empty("The rules that come with Laurel", "Nobody has applied others yet.")
            }
            card.element("ul", ["class": "list"]) { list in
                for version in rules {
                    list.element("li") { item in
                        item.element("span") { text in
                            text.element("a", ["href": Link("rules", "\(version.version)").text]) {
                                $0.data(version.name)
                            }
                            text.element("span", ["class": "id"], text: "version \(version.version)")
                        }
                        item.element(
                            "span",
                            ["class": "end"],
                            text: version.from.map { "from \(WrittenText.day($0))" } ?? "from the beginning"
                        )
                    }
                }
            }
        }
    }

    private func writeHistory(_ history: [AppliedRules], _ html: inout HTML) {
        html.card("History") { card in
            guard !history.isEmpty else {
                return card.empty("No history yet", "Every version that is applied stays here, with what it changed.")
            }
            card.element("ol", ["class": "causes"]) { list in
                for version in history.reversed().prefix(100) {
                    list.element("li") { item in
                        item.element("p") { line in
                            line.element("a", ["href": Link("rules", "\(version.version)").text]) {
                                $0.write("Version \(version.version), \(data: version.name)")
                            }
                            if version.isInForce {
                                line.write(" ")
                                line.badge("in force", "good")
                            } else if visit.may(.rules) {
                                line.write(" ")
                                let place = Link("rules", "\(version.version)").text + "#try"
                                line.element("a", ["href": place], text: "Go back to version \(version.version)")
                            }
                            line.write(" ")
                            let applied = HTML { $0.time(version.appliedAt, now: visit.now) }
                            let from = version.from.map { WrittenText.day($0) }
                            line.write(from.map { "applied \(applied), from \($0)" } ?? "applied \(applied)")
                        }
                        write(version.changes ?? [], &item)
                    }
                }
            }
        }
    }

    private func write(_ changes: [RulesChange], _ item: inout HTML) {
        guard !changes.isEmpty else { return }
        item.element("details") { details in
            details.element("summary", text: "\(changes.count, "change")")
            details.changes(changes)
        }
    }

    func version() throws -> Page {
        guard let number = Int(visit.path("version")), let found = try visit.engine.appliedRules(version: number) else {
            throw Problem.notFound("there is no such version of the rules")
        }
        let isInForce = try visit.engine.rulesInForce().contains { $0.version == number }
        return Page("Rules, version \(number)", .rules) { html in
            let applied = HTML { $0.time(found.appliedAt, now: visit.now) }
            html.head(
                "\(data: found.name.shortened)",
                found.from.map { "Version \(number), applied \(applied), from \(WrittenText.day($0))" }
                    ?? "Version \(number), applied \(applied)"
            ) { $0.crumb(to: .rules, "Version \(number)") }
            html.source(text(found), "The rules, line by line")
            if visit.may(.rules), !isInForce {
                DraftPage.writeForm(
                    "Go back to version \(number)",
                    "Nothing changes yet: its rules are compared with those in force.",
                    RulesJob(yaml: text(found)),
                    &html
                )
            }
        }
    }
}

extension HTML {
    /// Writes a link to the page above this one.
    mutating func crumb(to section: Page.Section, _ title: PageText) {
        element("nav", ["class": "crumbs", "aria-label": WrittenText.text("Where you are")]) { nav in
            nav.link(section.link, section.title)
            nav.element("span", ["aria-hidden": "true"], text: " / ")
            nav.element("span", ["aria-current": "page"], text: title)
        }
    }

    mutating func changes(_ changes: [RulesChange]) {
        element("ul", ["class": "plain"]) { list in
            for (_, sentence, noEffect) in DifferenceStory.changes(changes).prefix(500) {
                list.element("li") { item in
                    item.render(sentence)
                    if let noEffect { item.render(" \(noEffect)") }
                }
            }
        }
    }

    /// Writes a file with line numbers. Mistakes are written below their lines.
    mutating func source(_ text: String, _ label: PageText, _ diagnostics: [Diagnostic] = []) {
        let byLine = Dictionary(grouping: diagnostics, by: \.line)
        element("ol", ["class": "source", "tabindex": "0", "aria-label": label.written()]) { list in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.prefix(5000).enumerated() {
                let mistakes = byLine[index + 1] ?? []
                list.element("li", ["id": "line-\(index + 1)", "class": mistakes.isEmpty ? "" : "wrong"]) { item in
                    item.element("code") { $0.lines(String(line.prefix(2000))) }
                    for mistake in mistakes { item.mistake(mistake) }
                }
            }
        }
    }

    fileprivate mutating func mistake(_ mistake: Diagnostic) {
        element("p", ["class": mistake.severity == .error ? "mistake" : "mistake warning"]) { line in
            line.element("span", ["class": "strong"], text: mistake.severity == .error ? "Mistake: " : "Warning: ")
            line.data(mistake.message)
        }
    }
}
