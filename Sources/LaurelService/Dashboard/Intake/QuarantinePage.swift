// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The page of a refused line. The reader can correct the line and send it again.
struct QuarantinePage {
    let visit: Visit
    private let id: Int
    /// The maximum length of a line that can be edited, in bytes.
    private static let mostBytes = 1 << 20

    init(_ visit: Visit) throws {
        self.visit = visit
        guard let id = Int(visit.path("line")) else { throw Problem.notFound("there is no such line") }
        self.id = id
    }

    private func line() throws -> QuarantinedLine {
        guard let line = try visit.engine.quarantinedLines(after: id - 1, limit: 1).first, line.id == id else {
            throw Problem.notFound("there is no such line any more")
        }
        return line
    }

    func page() throws -> Page { try page(text: nil, problem: nil) }

    private func page(text: String?, problem: String?) throws -> Page {
        let line = try line()
        let shown = try text ?? content()
        return Page("Quarantined line \(id)", .intake) { html in
            html.head("Repair a line", origin(of: line)) { $0.crumb(to: .intake, "Line \(id)") }
            html.element("div", ["class": "notice \(problem == nil ? "warn" : "bad")", "role": "alert"]) {
                notice in
                notice.element("p") { text in
                    text.element("span", ["class": "strong"], text: "\(line.reason): ")
                    text.data(problem ?? line.message)
                }
            }
            guard let shown else {
                return html.empty("Too long to be repaired here", "laurel quarantine export writes it to a file.")
            }
            html.card("The line") { card in
                card.post(Link("intake", "quarantine", "\(id)"), class: "stack") { form in
                    form.area(
                        "Event as JSON",
                        name: "line",
                        value: shown,
                        rows: 10,
                        help: "One CloudEvent. It is fed as if it came now, and leaves quarantine once it is stored.",
                        isInvalid: true
                    )
                    form.button("Feed again", class: "primary")
                }
            }
            html.element("p", ["class": "actions"]) { row in
                row.link(Link("intake", "quarantine", "\(id)", "remove"), "Remove for good", class: "button danger")
            }
        }
    }

    /// A sentence with the time at which a line was received, the file that contained the line, and the line's size.
    private func origin(of line: QuarantinedLine) -> PageText {
        let (time, size) = (HTML { $0.time(line.receivedAt, now: visit.now) }, WrittenText.bytes(line.bytes))
        guard let file = line.file else { return "Received \(time), \(size)." }
        return "Received \(time) by \(data: file.shortened), \(size)."
    }

    /// The content of the line; nil if it is too long to be edited.
    private func content() throws -> String? {
        var bytes: [UInt8] = []
        try visit.engine.quarantinedLine(id) { piece in
            if bytes.count <= Self.mostBytes { bytes += piece }
        }
        guard bytes.count <= Self.mostBytes else { return nil }
        return JSONValue(validated: bytes) != nil ? PrettyJSON.text(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    func feed() throws -> HTTPResponse {
        let text = visit.fields["line"] ?? ""
        let report = try visit.service.feed(id, Array(text.utf8), for: visit.caller)
        guard let problem = report.problems.first else {
            return Visit.seeOther(Link("intake").with("done", "fed").at("quarantine"))
        }
        var page = try page(text: text, problem: problem.message)
        page.status = 422
        return Frame(visit).response(page)
    }

    func askToRemove() throws -> Page {
        let line = try line()
        let confirmation = Confirmation(
            question: "Remove line \(id) for good?",
            button: "Remove for good",
            action: Link("intake", "quarantine", "\(id)", "remove"),
            back: Link("intake", "quarantine", "\(id)")
        )
        return confirmation.page(.intake) { card in
            card.element("p") { text in
                text.write("\(line.reason): ")
                text.data(line.message)
            }
            card.element("p", text: consequence(of: line))
        }
    }

    private func consequence(of line: QuarantinedLine) -> PageText {
        guard let learner = line.learner else {
            return "The line is deleted from the store. It counts for nobody, unless its sender sends it again."
        }
        return "The line of \(data: learner.shortened) is deleted from the store. "
            + "It counts for nobody, unless its sender sends it again."
    }

    func remove() throws -> HTTPResponse {
        _ = try visit.engine.dropQuarantined([id], by: visit.actor)
        return Visit.seeOther(Link("intake").with("done", "removed").at("quarantine"))
    }
}
