// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelResults
import LaurelWire

/// The pages for a file. The first page shows the file's first records as events. After a confirmation, the next page
/// shows the result of storing all events.
struct FilePage {
    private let visit: Visit
    private let file: ChosenFile

    init(_ visit: Visit) throws {
        self.visit = visit
        file = try ChosenFile(visit.fields, source: visit.caller.source)
    }

    /// Writes the form with which the reader chooses a file.
    static func writeBox(_ html: inout HTML) {
        let note: PageText =
            "A spreadsheet saved as CSV, or a file of an app. You see its first rows as events before anything is stored."
        html.card("A file", id: "file", note: note) { card in
            card.post(Link("intake", "files"), class: "stack", hasFiles: true) { form in
                form.element("div", ["class": "filters"]) { row in
                    row.field("File", name: "file", type: "file", isRequired: true)
                    row.choice("Format", name: "format", [("", "Recognise it")] + formats, chosen: nil)
                    row.field("Learner", name: "learner", help: "The id of the learner, for a file of one learner.")
                }
                form.button("Show the first rows", class: "primary")
            }
        }
    }

    /// The formats to choose from.
    private static let formats: [(value: String, title: PageText)] = {
        var formats: [(value: String, title: PageText)] = [
            (ChosenFile.Choice.draft, "A mapping drafted from the file"),
            (ChosenFile.Choice.cloudEvents, "CloudEvents"),
        ]
        for format in InputFormat.all where !format.comparesFiles { formats.append((format.name, "\(format.name)")) }
        return formats
    }()

    func answer() throws -> Page {
        let format: InputFormat?
        let converted: ConvertedFile
        do {
            format = try file.format()
            converted = try file.converted(format, now: visit.now)
        } catch let error as EngineError {
            return unreadable(error)
        }
        let missing = file.missing(format)
        guard isToBeStored, file.isShown, missing.isEmpty, converted.events > 0 else {
            return preview(format, converted, missing)
        }
        return result(try visit.service.store(converted, for: visit.caller))
    }

    private var isToBeStored: Bool { visit.fields["step"] == "store" }

    private func page(_ title: PageText, _ lead: PageText, _ body: (inout HTML) -> Void) -> Page {
        Page("A file", .intake) { html in
            html.head(title, lead) { $0.crumb(to: .intake, "A file") }
            body(&html)
        }
    }

    // MARK: Mistakes

    /// The page for a file that the format cannot read, or for a mapping with mistakes.
    private func unreadable(_ error: EngineError) -> Page {
        let lead: PageText = "Nothing of \(data: file.name.shortened) is stored."
        var page = page("The file cannot be read so", lead) { html in
            if error.diagnostics.isEmpty {
                html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(error.message) }
            } else if let mapping = file.mapping {
                html.card("Mistakes in the mapping") { $0.source(mapping, Self.lines, error.diagnostics) }
            }
            writeForm(events: nil, &html)
        }
        page.status = 422
        return page
    }

    private static let lines: PageText = "The mapping, line by line"

    // MARK: The first rows

    private func preview(
        _ format: InputFormat?,
        _ converted: ConvertedFile,
        _ missing: [FormatAttributes.Name]
    ) -> Page {
        let lead: PageText = "\(data: file.name.shortened): \(converted.events, "event"). Nothing is stored yet."
        var page = page("The first rows as events", lead) { html in
            if isToBeStored, !file.isShown {
                let text: PageText = "You have changed how the file is read. Check the rows, and then store them."
                html.element("p", ["class": "notice", "role": "alert"], text: text)
            }
            for name in missing {
                html.element("p", ["class": "notice bad", "role": "alert"], text: Self.request(for: name))
            }
            writeRows(converted, &html)
            writeProblems(converted, &html)
            if let mapping = file.mapping, let warnings = format?.warnings, !warnings.isEmpty {
                html.card("Probable mistakes in the mapping") { $0.source(mapping, Self.lines, warnings) }
            }
            writeForm(events: converted.events, &html)
        }
        if isToBeStored { page.status = 422 }
        return page
    }

    private static func request(for name: FormatAttributes.Name) -> PageText {
        switch name {
        case .learner: "The file does not name the learner. Enter the id of the learner below."
        case .language: "The file does not name the language. Enter its tag below, such as es."
        case .timeZone: "The file does not name a time zone. Enter it below, such as Europe/Madrid."
        case .source: "The file does not name a source of events. Choose another format."
        }
    }

    private func writeRows(_ converted: ConvertedFile, _ html: inout HTML) {
        html.card("The first rows as events") { card in
            guard !converted.rows.isEmpty else {
                return card.empty("The file gives no event", "Choose another format, or change the mapping.")
            }
            let heads = [
                TableHead("Line", isNumber: true), TableHead("Type"), TableHead("What the event says"),
                TableHead("Learner"), TableHead("Time"), TableHead("Language"),
            ]
            card.table("The first rows as events", heads) { rows in
                for row in converted.rows { rows.element("tr") { Self.write(row, &$0) } }
            }
            for part in converted.leftOut {
                let text: PageText = "No event comes from \(data: part.what): \(data: part.why)."
                card.element("p", ["class": "note"], text: text)
            }
        }
    }

    private static func write(_ row: ConvertedFile.Row, _ html: inout HTML) {
        html.number(row.line)
        guard row.problem == nil, case .object(let event)? = JSONValue(validated: row.event) else {
            return html.element("td", ["colspan": "5", "class": "name"]) { $0.data(row.problem ?? "–") }
        }
        html.dataCell(event["type"].map(text))
        html.dataCell(event["data"].map(fields))
        for name in ["subject", "time", "language"] { html.dataCell(event[name].map(text)) }
    }

    private static func fields(_ data: JSONValue) -> String {
        guard case .object(let members) = data else { return text(data) }
        return members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: " · ")
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { value.json }
    }

    private func writeProblems(_ converted: ConvertedFile, _ html: inout HTML) {
        guard converted.refused > 0 else { return }
        let note: PageText = "\(converted.refused, "row gives", "rows give") no event and will go to quarantine."
        let heads = [TableHead("Line", isNumber: true), TableHead("What is wrong")]
        html.card("Mistakes in the file", note: note) { card in
            card.table("Mistakes in the file", heads) { rows in
                for problem in converted.problems {
                    rows.element("tr") { row in
                        row.number(problem.line)
                        row.dataCell(problem.problem)
                    }
                }
            }
        }
    }

    // MARK: The form

    /// - Parameter events: the number of events that can be stored; nil if the file cannot be read.
    private func writeForm(events: Int?, _ html: inout HTML) {
        html.card("How the file is read") { card in
            card.post(Link("intake", "files"), class: "stack", hasFiles: true) { form in
                form.hidden("name", file.name)
                form.hidden("content", file.content)
                form.hidden("shown", events == nil ? nil : file.digest)
                var formats = Self.formats
                if file.mapping != nil { formats.insert((ChosenFile.Choice.mapping, "The mapping below"), at: 0) }
                form.choice("Format", name: "format", formats, chosen: file.choice)
                if let mapping = file.mapping {
                    form.area(
                        "Mapping",
                        name: "mapping",
                        value: mapping,
                        rows: 16,
                        help: "Check each line with a comment. The mapping says which column is what.",
                        isInvalid: events == nil
                    )
                }
                form.element("div", ["class": "filters"]) { row in
                    row.field(
                        "Learner",
                        name: "learner",
                        value: file.attributes.learner,
                        help: "The id of the learner, for a file of one learner."
                    )
                    row.field("Language", name: "language", value: file.attributes.language, help: "Such as es.")
                    row.field(
                        "Time zone",
                        name: "timezone",
                        value: file.attributes.timeZone,
                        help: "Such as Europe/Madrid."
                    )
                }
                form.element("div", ["class": "actions"]) { row in
                    // The Enter key sends a form with its first button, so the first one stores nothing.
                    row.button("Show the first rows again", name: "step", value: "show")
                    if let events, events > 0 {
                        row.button("Store \(events, "event")", class: "primary", name: "step", value: "store")
                    }
                    row.link(Page.Section.intake.link, "Cancel", class: "button")
                }
            }
        }
    }

    // MARK: The result

    private func result(_ report: RequestReport) -> Page {
        page(
            report.stored > 0 ? "The file is stored" : "Nothing new was stored",
            "\(data: file.name.shortened): \(report.stored) stored, \(report.duplicates) stored before, "
                + "\(report.refused + report.conflicts) refused."
        ) { html in
            for problem in report.problems {
                html.element("p", ["class": "notice bad"]) { $0.data(problem.message) }
            }
            html.element("p", ["class": "actions"]) { row in
                if report.refused + report.conflicts > 0 {
                    row.link(Page.Section.intake.link.at("quarantine"), "To the quarantine")
                }
                row.link(Page.Section.learners.link, "To the list of learners")
            }
        }
    }
}
