// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The pages about events that exceed a limit of the rules.
extension Route {
    static let flagPages = [
        page("/flags", access: .scopes([.read])) { try FlaggedLearnersPage($0).page() },
        page("/learners/{id}/flags", access: .learner) { try FlagsPage(LearnerVisit($0)).page() },
        form("/learners/{id}/flags", access: .scopes([.read, .ingest, .decree])) { visit in
            try FlagsPage(LearnerVisit(visit)).send()
        },
    ]
}

/// The page with a learner's flagged events, on which an administrator clears flags and undoes events.
struct FlagsPage {
    private static let pageSize = 100
    /// The maximum number of events that the pages show. The latest events are shown.
    private static let most = 5_000

    private let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let found = try at.learner.explainXP(language: at.language, flagged: true, limit: Self.most, at: at.now)
        let events = ListPage(
            at.visit.fields.number("page") ?? 1,
            of: (found?.events ?? []).reversed(),
            size: Self.pageSize
        )
        return Page("Flagged events", .learners) { html in
            html.head(
                "Flagged events",
                "These events exceed a limit of the rules. They count for the learner, but leaderboards leave"
                    + " out their XP, \(progress.flaggedXP ?? 0) in all."
            ) { at.writePath("Flagged events", name: progress.displayName, &$0) }
            guard !events.rows.isEmpty else {
                return html.empty("No flagged events", "Events that exceed a limit of the rules appear here.")
            }
            if at.mayDecree {
                html.post(at.link("flags"), class: "stack") { writeForm(events.rows, &$0) }
            } else {
                write(events.rows, &html)
            }
            html.pages(events, at.link("flags"))
        }
    }

    private func writeForm(_ events: [XPExplanation.Event], _ form: inout HTML) {
        form.element(
            "p",
            ["class": "note"],
            text:
                "Clear the flags of events that are plausible. Undo events that are not. All numbers then become as if"
                + " the undone events had never come."
        )
        write(events, &form)
        form.element("div", ["class": "actions"]) { row in
            row.button("Clear the flags", class: "primary", name: "act", value: Act.clear.rawValue)
            row.button("Undo the events", class: "danger", name: "act", value: Act.undo.rawValue)
        }
    }

    private func write(_ events: [XPExplanation.Event], _ html: inout HTML) {
        let heads = [
            TableHead("Time"), TableHead("Event"), TableHead("Limit"), TableHead("XP"), TableHead("Status"),
        ]
        html.table("Flagged events", (at.mayDecree ? [TableHead("Choose")] : []) + heads, class: "stacked") { rows in
            for event in events { write(event, &rows) }
        }
    }

    private func write(_ event: XPExplanation.Event, _ rows: inout HTML) {
        let (reference, isCleared) = (event.event, event.event.flag?.isCleared == true)
        rows.element("tr") { row in
            if at.mayDecree {
                row.element("td") { cell in
                    guard !isCleared else { return }
                    cell.void(
                        "input",
                        [
                            "type": "checkbox", "name": "event", "value": ChosenEvent(reference).value, "checked": "",
                            "aria-label": WrittenText.text("Choose this event"),
                        ]
                    )
                }
            }
            row.element("th", ["scope": "row"]) { $0.time(reference.time, now: at.now) }
            row.element("td") { cell in
                cell.element("a", ["href": at.event(reference).text]) { $0.data(reference.type) }
            }
            row.cell(reference.flag.map(Self.limit) ?? "–")
            row.cell("\(event.xp) XP")
            row.cell(isCleared ? "Cleared" : "Flagged")
        }
    }

    private static func limit(_ flag: EventReference.Flag) -> PageText {
        switch flag.per {
        case "second": "more than \(flag.atMost) in a second"
        case "minute": "more than \(flag.atMost) in a minute"
        case "hour": "more than \(flag.atMost) in an hour"
        default: "more than \(flag.atMost) in a day"
        }
    }
}

/// The decisions of an administrator about flagged events.
extension FlagsPage {
    private enum Act: String {
        case clear, undo

        var type: String {
            switch self {
            case .clear: "flag.cleared"
            case .undo: "event.retracted"
            }
        }
    }

    /// Sends an event for each chosen event. Before events are undone, a page asks for confirmation.
    func send() throws -> HTTPResponse {
        let fields = at.visit.fields
        guard at.mayDecree else {
            throw Problem(403, "forbidden", "a key of scope decree, for all learners, is needed")
        }
        guard let act = fields["act"].flatMap(Act.init) else { throw Problem(422, "invalid-form", "choose what to do") }
        let chosen = fields.all("event").compactMap(ChosenEvent.init)
        guard !chosen.isEmpty else { throw Problem(422, "invalid-form", "choose at least one event") }
        for event in chosen where try at.visit.engine.event(event.id, from: event.source, of: at.id) == nil {
            throw Problem.notFound("the learner has no such event")
        }
        if act == .undo, !fields.has("confirmed") { return Frame(at.visit).response(confirmation(chosen)) }
        let zone = try at.visit.engine.timeZone(of: at.id)
        let events = chosen.map { event in
            let data: [String: JSONValue] = ["source": .string(event.source), "id": .string(event.id)]
            return DecreeForm.event(act.type, data, number: nil, for: at.id, zone, at: at.now)
        }
        if let refusal = try at.store(events) { throw Problem(422, "refused", refusal) }
        return Visit.seeOther(at.link("flags"))
    }

    private func confirmation(_ chosen: [ChosenEvent]) -> Page {
        let confirmation = Confirmation(
            question: "Undo \(chosen.count, "event")?",
            button: "Undo the events",
            action: at.link("flags"),
            back: at.link("flags"),
            fields: [("act", Act.undo.rawValue), ("confirmed", "true")] + chosen.map { ("event", $0.value) }
        )
        return confirmation.page(.learners) { card in
            card.element("p", text: "The learner is \(data: at.id.shortened).")
            card.element(
                "p",
                text: "All numbers become as if these events had never come. This cannot be taken back."
            )
        }
    }
}

/// An event as the value of a form's field: the length of the source in bytes, a colon, the source, and the id.
struct ChosenEvent {
    let source: String
    let id: String

    init(_ event: EventReference) { (source, id) = (event.source, event.id) }

    init?(_ value: String) {
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[0]), (1..<parts[1].utf8.count).contains(length) else {
            return nil
        }
        source = String(decoding: parts[1].utf8.prefix(length), as: UTF8.self)
        id = String(decoding: parts[1].utf8.dropFirst(length), as: UTF8.self)
    }

    var value: String { "\(source.utf8.count):\(source)\(id)" }
}

/// The page with all learners who have flagged events.
private struct FlaggedLearnersPage {
    private static let pageSize = 200

    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        let rows = ListPage(
            visit.fields.number("page") ?? 1,
            of: try visit.engine.flaggedLearners(),
            size: Self.pageSize
        )
        return Page("Learners with flagged events", .leaderboard) { html in
            html.head(
                "Learners with flagged events",
                "Events that exceed a limit of the rules are flagged, and leaderboards leave out their XP."
            )
            guard !rows.rows.isEmpty else {
                return html.empty("No flagged events", "Events that exceed a limit of the rules appear here.")
            }
            write(rows.rows, &html)
            html.pages(rows, Link("flags"))
        }
    }

    private func write(_ learners: [FlaggedLearner], _ html: inout HTML) {
        let heads = [
            TableHead("Learner"), TableHead("Events", isNumber: true), TableHead("XP", isNumber: true),
        ]
        html.table("Learners with flagged events", heads) { rows in
            for learner in learners {
                rows.element("tr", ["data-key": learner.id]) { row in
                    row.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.element("a", ["href": Link("learners", learner.id, "flags").text]) {
                            $0.data(learner.displayName ?? learner.id)
                        }
                    }
                    row.number(learner.events)
                    row.number(learner.xp)
                }
            }
        }
    }
}
