// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelStore
import LaurelWire

/// The page of a draft of rules: its mistakes at their lines, its effect on learners, and the form to apply it.
struct DraftPage {
    let visit: Visit
    let draft: Draft

    init(_ visit: Visit, _ draft: Draft) { (self.visit, self.draft) = (visit, draft) }

    // MARK: Making one

    static func writeForm(text: String, from: LocalDay?, _ html: inout HTML) {
        html.card(
            "Try other rules",
            id: "try",
            note: "Nothing changes yet: they are checked, and compared with those in force."
        ) { card in
            card.element(
                "form",
                [
                    "method": "post", "action": Link("rules", "drafts").text, "enctype": "multipart/form-data",
                    "class": "stack",
                ]
            ) { form in
                form.area("Rules", name: "rules", value: text, rows: 16, help: "YAML, as a file of rules.")
                form.element("div", ["class": "filters"]) { row in
                    row.field("Or a file", name: "file", type: "file", help: "Used instead of the text in the box.")
                    row.field(
                        "In force from",
                        name: "from",
                        value: from.map { "\($0)" },
                        type: "date",
                        help: "A learner’s own day; without one, from the beginning."
                    )
                }
                form.button("Check and compare", class: "primary")
            }
        }
    }

    static func make(_ visit: Visit) throws -> Draft {
        let text = (visit.fields["file"] ?? visit.fields["rules"] ?? "").replacing("\r\n", with: "\n")
        let from = visit.fields["from"].flatMap { LocalDay(parsing: $0.utf8) }
        var draft = Draft(
            id: DraftStore.newID(at: visit.now),
            text: text,
            from: from,
            check: try check(text, from),
            present: try visit.engine.rulesInForce().last?.hash ?? "",
            comparison: nil
        )
        if draft.isSound {
            draft.comparison = try visit.service.jobs.begin(.comparison(RulesJob(yaml: text, from: from)))
        }
        try visit.service.drafts.keep(draft)
        return draft
    }

    static func check(_ text: String, _ from: LocalDay?) throws -> RulesCheck {
        do throws(EngineError) {
            return try Rules(yaml: text, name: "rules").check(inForceFrom: from)
        } catch {
            guard error.code == .invalidRules else { throw error }
            return RulesCheck(diagnostics: error.diagnostics)
        }
    }

    // MARK: Deciding

    func apply() throws -> HTTPResponse {
        guard draft.isSound else { throw Problem(422, "invalid-rules", "the rules have mistakes") }
        guard try visit.engine.rulesInForce().last?.hash ?? "" == draft.present else {
            throw Problem(412, "rules-changed", "other rules were applied meanwhile: compare with those first")
        }
        let from =
            visit.fields["when"] == "beginning" ? nil : visit.fields["from"].flatMap { LocalDay(parsing: $0.utf8) }
        if visit.fields["when"] == "from", from == nil {
            throw Problem.badRequest("say from which day the rules are to be in force")
        }
        var job = RulesJob(yaml: draft.text, from: from, follows: draft.present)
        job.keepsAchievements = visit.fields.has("keep-achievements")
        job.keepsXP = visit.fields.has("keep-xp")
        job.actor = visit.actor
        return Visit.seeOther(Link("jobs", try visit.service.jobs.begin(.rules(job))))
    }

    // MARK: The page

    func page() throws -> Page {
        let job = try draft.comparison.flatMap { try visit.service.jobs.listing($0) }
        return Page("Rules to try", .rules) { html in
            html.element("div", ["class": "head"]) { head in
                head.crumb(to: .rules, "Rules to try")
                head.element("h1", text: draft.isSound ? "Who wins, who loses" : "These rules have mistakes")
                head.element("p", ["class": "lead"], text: lead)
            }
            if draft.isSound {
                writeComparison(job, &html)
                writeDecision(&html)
            }
            writeCheck(&html)
            if !draft.isSound { Self.writeForm(text: draft.text, from: draft.from, &html) }
        }
    }

    private var lead: String {
        guard draft.isSound else { return "Each stands below its line. Nothing was applied." }
        let from = draft.from.map { "in force from \(WrittenText.day($0))" } ?? "in force from the beginning"
        return "As it would be now with these rules \(from). Nothing is applied yet."
    }

    private func writeComparison(_ job: Jobs.Listing?, _ html: inout HTML) {
        guard let job else {
            return html.empty(
                "The comparison is gone",
                "It was forgotten, or a learner was erased: paste the rules again."
            )
        }
        if let complaint = job.complaint {
            return html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(complaint) }
        }
        guard let result = job.result,
            let difference = try? LaurelJSON.decode(ShownDifference.self, from: Data(result.utf8))
        else {
            return html.card("Every learner is folded under both") { $0.jobBar(job) }
        }
        DifferenceView(diff: difference).write(into: &html)
    }

    private func writeDecision(_ html: inout HTML) {
        html.card("Apply them", id: "apply") { card in
            card.post(Link("rules", "drafts", draft.id, "apply"), class: "stack") { form in
                form.element("fieldset") { set in
                    set.element("legend", text: "In force")
                    set.radio(
                        "From the beginning: everything is recomputed",
                        name: "when",
                        value: "beginning",
                        isOn: draft.from == nil
                    )
                    set.radio("From a day on, each learner’s own", name: "when", value: "from", isOn: draft.from != nil)
                }
                form.element("div", ["class": "filters"]) { row in
                    row.field("Day", name: "from", value: draft.from.map { "\($0)" }, type: "date")
                }
                form.element("fieldset") { set in
                    set.element("legend", text: "What would be lost")
                    set.check("Keep achievements that would be lost", name: "keep-achievements")
                    set.check("Keep XP that would be lost", name: "keep-xp")
                }
                form.button("Apply", class: "primary")
            }
        }
    }

    private func writeCheck(_ html: inout HTML) {
        html.card("The check") { card in
            card.element("p", ["class": "note"]) { note in
                let errors = draft.check.errors
                note.write(errors == 0 ? "No mistakes" : WrittenText.count(errors, "mistake"))
                note.write(", \(WrittenText.count(draft.check.warnings, "warning")). ")
                note.write(
                    "\(WrittenText.count(draft.check.tests, "test")), \(WrittenText.number(draft.check.failedTests)) failed."
                )
            }
            if !draft.check.diagnostics.isEmpty {
                card.element("ul", ["class": "plain"]) { list in
                    for mistake in draft.check.diagnostics.prefix(100) {
                        list.element("li") { item in
                            item.element("a", ["href": "#line-\(mistake.line)"], text: "Line \(mistake.line)")
                            item.write(": ")
                            item.data(mistake.message)
                        }
                    }
                }
            }
            card.source(draft.text, draft.check.diagnostics)
        }
    }
}

extension HTML {
    mutating func radio(_ label: String, name: String, value: String, isOn: Bool) {
        element("label", ["class": "check"]) { text in
            text.void("input", ["type": "radio", "name": name, "value": value, "checked": isOn ? "" : nil])
            text.write(label)
        }
    }
}
