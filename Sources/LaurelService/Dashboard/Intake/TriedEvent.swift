// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// An event that was sent as a trial from the form, and the changes that it made.
struct TriedEvent {
    let visit: Visit
    private let text: String
    private let learner: String?

    init(_ visit: Visit) {
        self.visit = visit
        text = visit.fields["event"] ?? ""
        if case .object(let members)? = JSONValue(validated: Array(text.utf8)),
            case .string(let id)? = members["subject"]
        {
            learner = id
        } else {
            learner = nil
        }
    }

    static func example(_ now: Date) -> String {
        """
        {
          "id": "try-\(now.milliseconds)",
          "source": "dashboard",
          "type": "line.spoken",
          "subject": "ana",
          "time": "\(Timestamp.utc(now.milliseconds))",
          "language": "es",
          "data": { "accuracy": 0.95 }
        }
        """
    }

    static func writeBox(_ text: String, isInvalid: Bool = false, _ html: inout HTML) {
        html.card("Try an event", id: "try", note: "It is stored like any other. The same one again changes nothing.") {
            card in
            card.post(Link("intake", "events"), class: "stack") { form in
                form.area(
                    "Event as JSON",
                    name: "event",
                    value: text,
                    rows: 10,
                    help: "One CloudEvent; laurel events lists the types and their fields.",
                    isInvalid: isInvalid
                )
                form.button("Send", class: "primary")
            }
        }
    }

    func page() throws -> Page {
        let before = try progress()
        let report = try visit.service.store(Array(text.utf8), name: "dashboard", for: visit.caller)
        let after = try progress()
        var page = Page("An event", .intake) { html in
            html.head(title(report), path: { $0.crumb(to: .intake, "An event") })
            for problem in report.problems {
                html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(problem.message) }
            }
            if report.stored > 0, let after { writeChanges(before, after, &html) }
            if report.duplicates > 0 {
                html.element("p", ["class": "notice"], text: "The same event was stored before: nothing has changed.")
            }
            Self.writeBox(
                report.problems.isEmpty ? Self.example(visit.now) : text,
                isInvalid: !report.problems.isEmpty,
                &html
            )
        }
        page.status = report.problems.isEmpty ? 200 : report.conflicts > 0 ? 409 : 422
        return page
    }

    private func progress() throws -> LearnerProgress? {
        try learner.flatMap { try visit.engine.learner($0, timeZone: nil).progress(at: visit.now + 1) }
    }

    private func title(_ report: RequestReport) -> PageText {
        if report.stored > 0 { return "Stored, and counted" }
        if report.duplicates > 0 { return "Known already" }
        return report.conflicts > 0 ? "In conflict with a stored one" : "Refused"
    }

    private func writeChanges(_ before: LearnerProgress?, _ after: LearnerProgress, _ html: inout HTML) {
        let old = before ?? LearnerProgress(learner: after.learner)
        let rows: [(title: PageText, before: Int, after: Int)] = [
            ("XP", old.totalXP, after.totalXP), ("XP this week", old.weeklyXP, after.weeklyXP),
            ("Level", old.currentLevel, after.currentLevel), ("Streak", old.currentStreak, after.currentStreak),
            ("Words known", old.totalWordsKnown, after.totalWordsKnown),
            ("Words learned", old.totalWordsLearned, after.totalWordsLearned),
            ("Events", old.events, after.events),
        ]
        html.card("What it has changed") { card in
            let heads = [
                TableHead("Number"), TableHead("Before", isNumber: true), TableHead("After", isNumber: true),
                TableHead("Change", isNumber: true),
            ]
            card.table("Numbers before and after", heads) { body in
                for (title, one, other) in rows where one != other {
                    body.element("tr") { row in
                        row.element("th", ["scope": "row"], text: title)
                        row.number(one)
                        row.number(other)
                        row.element("td", ["class": "n"], text: WrittenText.change(other - one))
                    }
                }
            }
            let tiers = Dictionary(old.achievements.map { ($0.id, $0.tier) }) { first, _ in first }
            let unlocked = after.achievements.filter { $0.tier > tiers[$0.id] ?? 0 }
            if !unlocked.isEmpty {
                let ids = HTML { list in
                    for achievement in unlocked { list.data(achievement.id + " ") }
                }
                card.element("p", ["class": "note"], text: "Unlocked: \(ids)")
            }
            card.element("p", ["class": "note"]) { note in
                note.link(Link("learners", after.learner, "why", "xp"), "Why")
                note.write(" · ")
                note.element("a", ["href": Link("learners", after.learner).text]) {
                    $0.data(after.displayName ?? after.learner)
                }
            }
        }
    }
}
