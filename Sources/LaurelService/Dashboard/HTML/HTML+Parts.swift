// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelReports
import LaurelResults
import LaurelWire

/// The parts of pages.
extension HTML {
    /// Writes text from data. The text does not change the direction of the text around it, and is cut to a length that
    /// fits a page.
    mutating func data(_ text: String) { isolated(text.shortened) }

    /// Writes texts from data with points between them. Missing and empty ones are left out.
    mutating func data(_ texts: [String?]) {
        for (index, text) in texts.compactMap(\.self).filter({ !$0.isEmpty }).enumerated() {
            if index > 0 { write(" · " as String) }
            data(text)
        }
    }

    /// Writes the head of a page: the way to it, its title, and a sentence on what it is for.
    mutating func head(_ title: PageText, _ lead: PageText? = nil, path: (inout HTML) -> Void = { _ in }) {
        head(title, path: path) { html in
            if let lead { html.write(lead) }
        }
    }

    /// Writes the head of a page.
    /// - Parameters:
    ///   - path: writes links to the pages above this one.
    ///   - lead: writes what stands below the title. If it writes nothing, the head has the title alone.
    mutating func head(
        _ title: PageText,
        class names: String = "head",
        path: (inout HTML) -> Void = { _ in },
        lead: (inout HTML) -> Void
    ) {
        element("div", ["class": names]) { head in
            path(&head)
            head.element("h1", text: title)
            let lead = HTML(lead)
            if !lead.text.isEmpty { head.element("p", ["class": "lead"]) { $0.add(lead) } }
        }
    }

    mutating func link(_ link: Link, _ text: PageText, class names: String? = nil) {
        element("a", ["href": link.text, "class": names], text: text)
    }

    /// A card with a heading.
    mutating func card(_ title: PageText, id: String? = nil, note: PageText? = nil, _ body: (inout HTML) throws -> Void)
        rethrows
    {
        try element("section", ["class": "exhibit", "id": id]) { card in
            card.element("h2", text: title)
            if let note { card.element("p", ["class": "note"], text: note) }
            try body(&card)
        }
    }

    /// Writes the text that stands in place of an empty list.
    mutating func empty(_ title: PageText, _ hint: PageText) { empty(title) { $0.write(hint) } }

    mutating func empty(_ title: PageText, _ hint: (inout HTML) -> Void) {
        element("div", ["class": "nothing"]) { box in
            box.element("p", ["class": "strong"], text: title)
            box.element("p", content: hint)
        }
    }

    /// Writes a relative time such as `5 minutes ago`, with the exact time as its tooltip.
    mutating func time(_ date: Date, now: Date) {
        let exact = Timestamp.utc(date.milliseconds)
        element("time", ["datetime": exact, "title": exact], text: WrittenText.ago(date, now: now))
    }

    /// Writes a table that can be scrolled if it is wider than the page, and a link to its rows as CSV.
    mutating func table(
        _ title: PageText,
        _ heads: [TableHead],
        class names: String? = nil,
        _ rows: (inout HTML) throws -> Void
    ) rethrows {
        let body = try HTML(rows)
        element(
            "div",
            [
                "class": "scroll", "id": "table-\(title.english.identifier)", "tabindex": "0", "role": "region",
                "aria-label": title.written(),
            ]
        ) { scroll in
            scroll.element("table", ["class": names]) { table in
                table.element("caption", ["class": "hidden"], text: title)
                table.element("thead") { head in
                    head.element("tr") { row in
                        for head in heads { row.write(head) }
                    }
                }
                table.element("tbody") { $0.add(body) }
            }
        }
        exportLink(title, heads.map(\.title), rows: body)
    }

    private mutating func write(_ head: TableHead) {
        element("th", ["scope": "col", "class": head.isNumber ? "n" : nil, "aria-sort": head.sorted]) { cell in
            guard let link = head.link else { return cell.write(head.title) }
            cell.element("a", ["href": link.text, "class": "sort"]) { anchor in
                anchor.write(head.title)
                let arrow = head.sorted == "ascending" ? " ▲" : head.sorted == "descending" ? " ▼" : ""
                if !arrow.isEmpty { anchor.element("span", ["aria-hidden": "true"], text: arrow) }
            }
        }
    }

    mutating func cell(_ text: PageText) { element("td", text: text) }
    /// Writes a number for people, with grouped digits. The plain number is written, too, because exports use it.
    mutating func number(_ number: Int) {
        let (plain, text) = ("\(number)", WrittenText.number(number))
        guard text != plain else { return element("td", ["class": "n"], text: text) }
        element("td", ["class": "n"]) { $0.element("data", ["value": plain], text: text) }
    }
    mutating func dataCell(_ text: String?) { element("td", ["class": "name"]) { $0.data(text ?? "–") } }

    /// Writes a number with its name, and a link to its explanation.
    mutating func tile(_ label: PageText, _ value: PageText, why: Link? = nil, small: PageText? = nil) {
        element("div", ["class": "tile"]) { tile in
            tile.element("p", ["class": "label"], text: label)
            tile.element("p", ["class": "value"], text: value)
            if let small { tile.element("p", ["class": "small"], text: small) }
            if let why {
                tile.element(
                    "a",
                    ["href": why.text, "class": "why", "aria-label": WrittenText.text("Why: \(label)")],
                    text: "Why"
                )
            }
        }
    }

    /// Writes a bar that shows a share of a whole.
    /// - Parameter share: the share, 0…1.
    mutating func meter(_ label: PageText, _ share: Double) {
        element(
            "progress",
            [
                "max": "100", "value": "\(Int((min(max(share, 0), 1) * 100).rounded(.down)))",
                "aria-label": label.written().shortened,
            ],
            text: WrittenText.percent(share * 100)
        )
    }

    mutating func badge(_ text: PageText, _ tone: String = "") {
        element("span", ["class": "badge \(tone)"], text: text)
    }
}

/// The heading of a column.
struct TableHead {
    var title: PageText
    var isNumber = false
    /// A link that sorts by the column.
    var link: Link?
    /// The present order of the table by this column: `ascending`, `descending`, or nil for neither.
    var sorted: String?

    init(_ title: PageText, isNumber: Bool = false, link: Link? = nil, sorted: String? = nil) {
        (self.title, self.isNumber, self.link, self.sorted) = (title, isNumber, link, sorted)
    }
}

extension String {
    /// The beginning of an arbitrary text, short enough for a page. Exported tables have whole texts.
    var shortened: String {
        guard utf8.count > 160, !TableExport.isRequested else { return self }
        let head = prefix(160)
        return head.endIndex < endIndex ? head + "…" : self
    }

    /// The text as the id of an element in a page: only letters and digits, in lower case.
    fileprivate var identifier: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension HTML {
    /// Writes links to the previous and the next page.
    mutating func pages<Row>(_ page: ListPage<Row>, _ link: Link) {
        pages(page, .current) { link.with("page", "\($0)").text }
    }
}
