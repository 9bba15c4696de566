// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelStore
import LaurelWire

/// The page of a draft of rules. It shows mistakes at their lines, the effect on learners, and the form to apply the
/// draft.
struct DraftPage {
    let visit: Visit
    let draft: Draft

    init(_ visit: Visit, _ draft: Draft) { (self.visit, self.draft) = (visit, draft) }

    // MARK: New draft

    /// Writes the form in which the reader enters rules. Laurel then checks the rules, and compares them with the
    /// store's.
    /// - Parameter job: the rules and options that the form contains at first.
    static func writeForm(_ title: PageText, _ note: PageText, _ job: RulesJob, _ html: inout HTML) {
        html.card(title, id: "try", note: note) { card in
            card.post(Link("rules", "drafts"), class: "stack", hasFiles: true) { form in
                form.area("Rules", name: "rules", value: job.yaml, rows: 16, help: "YAML, as a file of rules.")
                form.element("div", ["class": "filters"]) { row in
                    row.field("Or a file", name: "file", type: "file", help: "A file replaces the text above.")
                    row.field(
                        "In force from",
                        name: "from",
                        value: job.from.map { "\($0)" },
                        type: "date",
                        help: "A learner’s own day. Without a day, everything is counted anew from the beginning."
                    )
                }
                form.element("fieldset") { set in
                    set.element("legend", text: "What learners would lose")
                    set.check("Keep achievements", name: "keep-achievements", isOn: job.keepsAchievements)
                    set.check("Keep XP", name: "keep-xp", isOn: job.keepsXP)
                }
                writeVariants(job, &form)
                form.button("Check and compare", class: "primary")
            }
        }
    }

    /// Writes the choice of a variant for the comparison. Rules without experiments have no choice.
    private static func writeVariants(_ job: RulesJob, _ form: inout HTML) {
        let variants = job.variants.map { variant in
            (
                value: "\(variant)",
                title: "Everyone in \(data: variant.variant) of \(data: variant.experiment)" as PageText
            )
        }
        guard !variants.isEmpty else { return }
        form.choice(
            "Compare with",
            name: "variant",
            [("", "Each learner’s own variant")] + variants,
            chosen: job.variant.map { "\($0)" }
        )
        form.element("p", ["class": "help"], text: awardsOnly)
    }

    private static let awardsOnly: PageText =
        "With everyone in one variant, the comparison shows awards, not behaviour: the events stay as they are, "
        + "but learners in this variant may act differently."

    static func make(_ visit: Visit) throws -> Draft {
        let fields = visit.fields
        var job = RulesJob(yaml: (fields["file"] ?? fields["rules"] ?? "").replacing("\r\n", with: "\n"))
        if let from = fields["from"] {
            job.from = LocalDay(parsing: from.utf8)
            if job.from == nil { throw Problem.badRequest("“\(from.shortened)” is no day; write it as 2026-02-28") }
        }
        (job.keepsAchievements, job.keepsXP) = (fields.has("keep-achievements"), fields.has("keep-xp"))
        if let text = fields["variant"] {
            job.variant = AssumedVariant(text)
            if job.variant == nil {
                throw Problem.badRequest("“\(text.shortened)” is no variant; choose one of the list")
            }
        }
        job.follows = try visit.engine.rulesInForce().last?.hash ?? ""
        var draft = Draft(id: DraftStore.newID(at: visit.now), job: job, check: try check(job), comparison: nil)
        if draft.isValid { draft.comparison = try visit.service.jobs.begin(.comparison(job)) }
        try visit.service.drafts.keep(draft)
        return draft
    }

    static func check(_ job: RulesJob) throws -> RulesCheck {
        do throws(EngineError) {
            return try Rules(yaml: job.yaml, name: "rules").check(inForceFrom: job.from)
        } catch {
            guard error.code == .invalidRules else { throw error }
            return RulesCheck(diagnostics: error.diagnostics)
        }
    }

    // MARK: Applying

    func askToApply() throws -> Page {
        let difference = try checkedDifference()
        let confirmation = Confirmation(
            question: "Apply the rules \(data: try draft.job.rules().name.shortened)?",
            button: "Apply these rules",
            action: Link("rules", "drafts", draft.id, "apply"),
            back: Link("rules", "drafts", draft.id)
        )
        return confirmation.page(.rules) { writeConsequence(difference, &$0) }
    }

    func apply() throws -> HTTPResponse {
        _ = try checkedDifference()
        var job = draft.job
        job.actor = visit.actor
        return Visit.seeOther(Link("jobs", try visit.service.jobs.begin(.rules(job))))
    }

    /// The changes that applying the draft would make.
    /// - Throws: ``Problem`` if the draft cannot be applied.
    private func checkedDifference() throws -> ShownDifference {
        guard draft.isValid else { throw Problem(422, "invalid-rules", "the rules have mistakes") }
        guard try visit.engine.rulesInForce().last?.hash ?? "" == draft.job.follows else {
            throw Problem(412, "rules-changed", "other rules were applied meanwhile: compare with those first")
        }
        guard draft.job.variant == nil else {
            throw Problem(
                409,
                "not-compared",
                "the comparison assumes a variant: compare each learner’s own variant first"
            )
        }
        guard let difference = Self.difference(try comparison()) else {
            throw Problem(409, "not-compared", "the comparison has not ended: see what changes before you apply")
        }
        return difference
    }

    private func writeConsequence(_ difference: ShownDifference, _ card: inout HTML) {
        card.element("p") { $0.render(DifferenceStory(difference.summary).consequence) }
        card.element("p", text: "The rules will be in force \(start). \(keeping)")
    }

    private func comparison() throws -> Jobs.Listing? {
        try draft.comparison.flatMap { try visit.service.jobs.listing($0) }
    }

    /// The result of a comparison; nil if the comparison has failed or has not ended yet.
    private static func difference(_ comparison: Jobs.Listing?) -> ShownDifference? {
        comparison?.result.flatMap { try? LaurelJSON.decode(ShownDifference.self, from: Data($0.utf8)) }
    }

    // MARK: The page

    func page() throws -> Page {
        let comparison = try comparison()
        return Page("Rules to try", .rules) { html in
            html.head(draft.isValid ? "Who wins, who loses" : "These rules have mistakes", lead) {
                $0.crumb(to: .rules, "Rules to try")
            }
            if draft.isValid { writeComparison(comparison, &html) }
            writeCheck(&html)
            Self.writeForm(
                draft.isValid ? "Change these rules" : "Mend these rules",
                "Changed rules and options are compared again before they are applied.",
                draft.job,
                &html
            )
        }
    }

    private var lead: PageText {
        guard draft.isValid else { return "Each stands below its line. Nothing was applied." }
        return "As it would be now with these rules, in force \(start). Nothing is applied yet."
    }

    private var start: PageText {
        draft.job.from.map { "from \(WrittenText.day($0)), each learner’s own day" } ?? "from the beginning"
    }

    private func writeComparison(_ job: Jobs.Listing?, _ html: inout HTML) {
        guard let job else {
            return html.empty(
                "The comparison is gone",
                "It was forgotten, or a learner was erased: compare the rules again."
            )
        }
        if let complaint = job.complaint {
            return html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(complaint) }
        }
        guard let difference = Self.difference(job) else {
            return html.card("Every learner is folded under both") { $0.jobBar(job) }
        }
        if let variant = draft.job.variant {
            html.element("div", ["class": "notice warn"]) { notice in
                let everyone: PageText = "Everyone in \(data: variant.variant) of \(data: variant.experiment)"
                notice.element("p", ["class": "strong"], text: everyone)
                notice.element("p", text: Self.awardsOnly)
                notice.element("p", text: "To apply the rules, compare them with each learner’s own variant.")
            }
        }
        DifferenceView(diff: difference).write(into: &html)
        guard draft.job.variant == nil else { return }
        html.card("Apply them", id: "apply") { card in
            writeConsequence(difference, &card)
            card.element("p", ["class": "actions"]) { row in
                row.link(Link("rules", "drafts", draft.id, "apply"), "Apply these rules", class: "button primary")
            }
        }
    }

    /// A sentence about the numbers that learners would keep or lose.
    private var keeping: PageText {
        // Rules that apply from a later day do not change what was earned before that day.
        if let from = draft.job.from, from > LocalDay(containing: visit.now.milliseconds) {
            return draft.job.keepsAchievements
                ? "XP and achievements from before that day stay."
                : "XP from before that day stays, and so do achievements that these rules have, too."
        }
        return switch (draft.job.keepsAchievements, draft.job.keepsXP) {
        case (false, false): "Learners lose what these rules do not give."
        case (true, false): "Learners keep their achievements, and lose XP that these rules do not give."
        case (false, true): "Learners keep their XP, and lose achievements that these rules do not give."
        case (true, true): "Learners keep their achievements and XP."
        }
    }

    private func writeCheck(_ html: inout HTML) {
        html.card("The check") { card in
            card.element("p", ["class": "note"]) { note in
                let check = draft.check
                note.write(
                    "\(check.errors, "mistake"), \(check.warnings, "warning"). "
                        + "\(check.tests, "test"), \(check.failedTests) failed."
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
            card.source(draft.job.yaml, "The rules, line by line", draft.check.diagnostics)
        }
    }
}
