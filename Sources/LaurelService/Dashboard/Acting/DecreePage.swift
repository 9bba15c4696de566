// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page of a form that sends an administrator's event.
struct DecreePage {
    private let at: LearnerVisit
    private let form: DecreeForm

    init(_ visit: Visit) throws {
        at = try LearnerVisit(visit)
        guard let form = DecreeForm.all.first(where: { $0.name == visit.path("form") }) else {
            throw Problem.notFound("there is no such form")
        }
        self.form = form
    }

    private var fields: Fields { at.visit.fields }
    private var action: Link { at.link("act", form.name) }

    func page() throws -> Page {
        guard form.asksFirst, fields.has("ask") else { return try blank() }
        do throws(Problem) {
            let event = try event()
            return askFirst(event)
        } catch {
            return try blank(error.detail)
        }
    }

    func send() throws -> HTTPResponse {
        let refusal: String?
        do throws(Problem) {
            let event = try event()
            refusal = try store(event)
            if refusal == nil { return Visit.seeOther(at.event(source: event.source, id: event.id)) }
        } catch {
            guard error.status == 422 else { throw error }
            return Frame(at.visit).response(try blank(error.detail))
        }
        return Frame(at.visit).response(try blank(refusal))
    }

    private func event() throws(Problem) -> Event {
        let zone: String?
        do { zone = try at.visit.engine.timeZone(of: at.id) } catch { throw Problem(error) }
        return try form.event(fields, for: at.id, timeZone: zone, at: at.now)
    }

    private func store(_ event: Event) throws(Problem) -> String? {
        do { return try at.store(event) } catch { throw Problem(error) }
    }

    /// The page with the empty form.
    /// - Parameter refusal: the reason why the fields that were sent are refused; nil for a form without fields.
    private func blank(_ refusal: String? = nil) throws -> Page {
        let progress = try at.progress()
        let languages = try at.learner.languages(at: at.now)
        var page = Page(form.title, .learners) { html in
            let name = (progress.displayName ?? at.id).shortened
            html.head(
                form.title,
                "For \(data: name): \(form.explanation) It can be undone on the page of its event."
            ) { at.writePath(form.title, name: progress.displayName, &$0) }
            if let refusal {
                html.element("p", ["class": "notice bad", "role": "alert"], text: PageText(english: refusal.shortened))
            }
            html.element("section", ["class": "exhibit"]) { card in
                let write = { (body: inout HTML) in writeFields(progress, languages, &body) }
                if form.asksFirst {
                    card.ask(action, class: "stack", write)
                } else {
                    card.post(action, class: "stack", write)
                }
            }
        }
        if refusal != nil { page.status = 422 }
        return page
    }

    private func writeFields(_ progress: LearnerProgress, _ languages: [String], _ html: inout HTML) {
        html.hidden("number", DecreeForm.newNumber())
        if form.asksFirst { html.hidden("ask", "true") }
        switch form.input {
        case .day:
            html.field(
                "Day",
                name: "day",
                value: fields["day"] ?? firstMissedDay(progress),
                type: "date",
                isRequired: true
            )
        case .freezes:
            html.field("Freezes", name: "count", value: fields["count"] ?? "1", type: "number", isRequired: true)
        case .amount:
            html.field(
                "XP",
                name: "amount",
                value: fields["amount"],
                type: "number",
                help: "A whole number, such as 50 or -50.",
                isRequired: true
            )
        case .achievement:
            let instant = Timestamp(milliseconds: at.now.milliseconds)
            let known = at.visit.engine.grantableAchievements(languages, at: instant)
            html.choice(
                "Achievement",
                name: "achievement",
                known.map { achievement in
                    let (id, language) = (achievement.id, achievement.language)
                    let title: PageText = language.map { "\(achievement.name) (\($0))" } ?? "\(achievement.name)"
                    return (AchievementChoice(id: id, language: language).value, title)
                },
                chosen: fields["achievement"]
            )
        }
        html.field(
            "Reason",
            name: "reason",
            value: fields["reason"],
            help: "Stays with the event. The learner may read it."
        )
        html.element("div", ["class": "actions"]) { row in
            row.button(form.title, class: "primary")
            row.link(at.link(), "Cancel", class: "button")
        }
    }

    /// The day that the form for a repair offers; nil if the streak has no missed day.
    private func firstMissedDay(_ progress: LearnerProgress) -> String? {
        guard form.type == "streak.repaired", let last = progress.lastActivityDate else { return nil }
        let day = LocalDay(number: last.number + 1)
        return day < LocalDay(containing: at.now.milliseconds) ? day.description : nil
    }

    private func askFirst(_ event: Event) -> Page {
        let names = ["number", "day", "count", "amount", "achievement", "reason"]
        let choice = fields["achievement"].flatMap(AchievementChoice.init)
        let confirmation = Confirmation(
            question: "\(form.title): \(data: (choice?.id ?? form.type).shortened)?",
            button: form.title,
            action: action,
            back: at.link(),
            fields: names.compactMap { name in fields[name].map { (name, $0) } }
        )
        return confirmation.page(.learners) { card in
            card.element(
                "p",
                text: "The learner is \(data: at.id.shortened). \(form.explanation) "
                    + "XP that the achievement gave is taken back."
            )
        }
    }
}
