// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The pages that show incoming events and refused lines. A form on them sends an event as a trial.
extension Route {
    /// The largest size of an event's data, in bytes.
    private static let mostBytes = 1 << 20

    static let intakePages = [
        page("/intake", access: .scopes([.admin])) { try IntakePage($0).page() },
        form("/intake/events", access: .scopes([.admin, .ingest]), limit: mostBytes) { visit in
            Frame(visit).response(try TriedEvent(visit).page())
        },
        form("/intake/files", access: .scopes([.admin, .ingest]), limit: EventUpload.limit) { visit in
            Frame(visit).response(try FilePage(visit).answer())
        },
        page("/intake/quarantine/{line}", access: .scopes([.admin])) { try QuarantinePage($0).page() },
        form("/intake/quarantine/{line}", access: .scopes([.admin]), limit: 4 << 20) { try QuarantinePage($0).feed() },
        page("/intake/quarantine/{line}/remove", access: .scopes([.admin])) { try QuarantinePage($0).askToRemove() },
        form("/intake/quarantine/{line}/remove", access: .scopes([.admin])) { try QuarantinePage($0).remove() },
    ]
}

private struct IntakePage {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        let hour = visit.service.watch.lastHour(at: visit.now)
        let counts = try visit.engine.quarantineCounts()
        let unmapped = try visit.engine.unmappedCalls(limit: UnmappedCard.mostNames)
        let after = visit.fields.number("after") ?? 0
        let lines = try visit.engine.quarantinedLines(after: after, limit: 101)
        return Page("Intake", .intake, live: Link("v1", "changes", "stream")) { html in
            html.head(
                "Intake",
                "What came to this node in the last hour, what was refused and why, and boxes to store a file or an event."
            )
            writeNote(&html)
            html.element("div", ["id": "live"]) { live in
                writeHour(hour, &live)
                writeUnknown(hour, &live)
                writeNamesakes(hour, &live)
            }
            UnmappedCard(visit: visit).write(unmapped, &html)
            writeQuarantine(lines, counts, &html)
            FilePage.writeBox(&html)
            TriedEvent.writeBox(TriedEvent.example(visit.now), &html)
        }
    }

    private func writeNote(_ html: inout HTML) {
        let notes: [String: PageText] = [
            "fed": "The line was fed again and is stored.", "removed": "The line was removed for good.",
        ]
        guard let note = visit.fields["done"].flatMap({ notes[$0] }) else { return }
        html.element("p", ["class": "notice", "role": "status"], text: note)
    }

    private func writeHour(_ hour: IntakeWatch.Hour, _ html: inout HTML) {
        html.card("Events per minute") { card in
            guard !hour.kinds.isEmpty || hour.refused > 0 else {
                return card.empty(
                    "Nothing has come in",
                    "Events of the last hour appear here by source and type, as they come."
                )
            }
            card.add(PageChart.patterns())
            card.add(
                PageChart.stackedMinutes(
                    WrittenText.text("Events per minute by source"),
                    unit: WrittenText.text("events"),
                    series: hour.sources.map(\.shortened),
                    rows: hour.minutes
                )
            )
            let heads = [TableHead("Event source"), TableHead("Type"), TableHead("Events", isNumber: true)]
            card.table("By source and type, in the last hour", heads) { rows in
                for kind in hour.kinds.prefix(50) {
                    rows.element("tr") { row in
                        row.dataCell(kind.source)
                        row.dataCell(kind.type)
                        row.number(kind.events)
                    }
                }
            }
            card.element(
                "p",
                ["class": "note"],
                text: "\(hour.stored) stored, \(hour.duplicates) duplicates, \(hour.refused) refused."
            )
        }
    }

    private func writeNamesakes(_ hour: IntakeWatch.Hour, _ html: inout HTML) {
        let learners = hour.unknown.filter { $0.kind == "learner" }
        guard !learners.isEmpty else { return }
        let note: PageText =
            "Their ids differ in their Unicode normal form only, such as é as one character or as two. Laurel keeps them apart: "
            + "send one of the two always."
        html.card("Two learners who look like one", note: note) { card in
            let heads = [TableHead("Learner"), TableHead("The other"), TableHead("Events", isNumber: true)]
            card.table("Learners whose ids look the same", heads) { rows in
                for learner in learners.prefix(50) {
                    rows.element("tr") { row in
                        for id in [learner.name, learner.nearest ?? ""] {
                            row.element("td") { $0.element("a", ["href": Link("learners", id).text]) { $0.data(id) } }
                        }
                        row.number(learner.count)
                    }
                }
            }
        }
    }

    private func writeUnknown(_ hour: IntakeWatch.Hour, _ html: inout HTML) {
        let names = hour.unknown.filter { $0.kind != "learner" }
        guard !names.isEmpty else { return }
        html.card("Unknown names", note: "They are stored, but have no effect. Most are misspelt.") { card in
            let heads = [
                TableHead("Name"), TableHead("Kind"), TableHead("Events", isNumber: true), TableHead("Nearest name"),
            ]
            card.table("Unknown names", heads) { rows in
                for name in names.prefix(50) {
                    rows.element("tr") { row in
                        row.dataCell(name.name)
                        row.cell(name.type.map { "field of \(data: $0.shortened)" } ?? PageText(english: name.kind))
                        row.number(name.count)
                        row.dataCell(name.nearest)
                    }
                }
            }
        }
    }

    private func writeQuarantine(_ lines: [QuarantinedLine], _ counts: [QuarantineCount], _ html: inout HTML) {
        html.card("Quarantine", id: "quarantine") { card in
            guard !counts.isEmpty else {
                return card.empty(
                    "Nothing was refused",
                    "A line that is no valid event is kept here with the reason, to be repaired and fed again."
                )
            }
            card.element("ul", ["class": "chips"]) { list in
                for count in counts { list.element("li", text: "\(count.reason): \(WrittenText.number(count.lines))") }
            }
            let heads = [
                TableHead("Line"), TableHead("Reason"), TableHead("What is wrong"), TableHead("Learner"),
                TableHead("Event source"), TableHead("Received"),
            ]
            card.table("Quarantined lines", heads) { rows in
                for line in lines.prefix(100) { rows.element("tr") { write(line, &$0) } }
            }
            if lines.count > 100 {
                let next = Link("intake", query: ["after": "\(lines[99].id)"]).at("quarantine")
                card.pages(.current, next: next.text)
            }
        }
    }

    private func write(_ line: QuarantinedLine, _ row: inout HTML) {
        row.element("th", ["scope": "row"]) { cell in
            cell.link(Link("intake", "quarantine", "\(line.id)"), "Repair \(line.id)")
        }
        row.element("td") { $0.badge("\(line.reason)", "warn") }
        row.element("td", ["class": "name"]) { $0.data(line.message) }
        row.dataCell(line.learner)
        row.dataCell(line.source)
        row.element("td") { $0.time(line.receivedAt, now: visit.now) }
    }
}
