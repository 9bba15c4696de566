// SPDX-License-Identifier: Apache-2.0

/// Writes a table for people.
struct HTMLTable {
    var table: DataTable
    let locale: LocaleText
    /// The name of the file with the whole table; nil if the page contains the whole table.
    var tableFile: String?
    /// The names of the files with the learners' own reports, by learner id.
    var pages: [String: String] = [:]
    /// The maximum number of rows on a page. Longer pages open slowly, and nobody reads so many rows.
    static let mostRows = 200

    /// Writes the first rows, and a link to the other rows.
    func write(into html: inout HTML, caption: String, first count: Int?) {
        guard let count, table.rows.count > count else { return write(into: &html, caption: caption) }
        part(..<count).writeRows(into: &html, caption: caption)
        let most = min(table.rows.count, HTMLTable.mostRows)
        html.element("p", ["class": "note"], text: locale.shown(count, of: table.rows.count))
        let others = most - count
        html.element("details") { details in
            let phrase = most == table.rows.count ? Phrase.showOthers : .showNext
            details.element(
                "summary",
                text: others == 1 && phrase == .showOthers
                    ? locale.texts(.showOther) : locale.texts(phrase, ["count": locale.number(Double(others))])
            )
            part(count..<most).writeRows(into: &details, caption: caption)
            writeRestNote(&details)
        }
        html.exportLink(caption) { CSVFormat.text(table) }
    }

    func write(into html: inout HTML, caption: String) {
        part(..<min(table.rows.count, HTMLTable.mostRows)).writeRows(into: &html, caption: caption)
        writeRestNote(&html)
        html.exportLink(caption) { CSVFormat.text(table) }
    }

    /// Writes the numbers of a chart, which are shown on request.
    func writeBelowChart(into html: inout HTML, caption: String) {
        html.element("details") { details in
            details.element("summary", text: locale.texts(.table))
            write(into: &details, caption: caption)
        }
    }

    private func part(_ rows: some RangeExpression<Int>) -> HTMLTable {
        var part = self
        part.table.rows = Array(table.rows[rows])
        return part
    }

    private func writeRestNote(_ html: inout HTML) {
        guard table.rows.count > HTMLTable.mostRows else { return }
        html.element("p", ["class": "note"]) { note in
            note.write(locale.shown(HTMLTable.mostRows, of: table.rows.count) + " ")
            guard let tableFile else { return note.write(locale.texts(.inOtherFormats)) }
            note.element("a", ["href": tableFile], text: locale.texts(.asCSV))
        }
    }

    private func writeRows(into html: inout HTML, caption: String) {
        let shown = table.shown
        html.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
            scroll.element("table", ["aria-label": caption]) { body in
                body.element("thead") { head in
                    head.element("tr") { row in
                        for column in shown.map({ table.columns[$0] }) {
                            row.element(
                                "th",
                                ["scope": "col", "class": column.type.isNumeric ? "n" : nil],
                                text: column.titleWithUnit
                            )
                        }
                    }
                }
                body.element("tbody") { body in
                    for row in table.rows { write(row, shown, &body) }
                }
            }
        }
    }

    private func write(_ cells: [Cell], _ shown: [Int], _ body: inout HTML) {
        body.element("tr") { row in
            for index in shown {
                let column = table.columns[index]
                let text = locale.value(cells[index], column)
                if column.type.isNumeric {
                    row.element("td", ["class": "n"], text: text)
                } else if let page = table.learner(cells, index).flatMap({ pages[$0] ?? LearnerLinks.address(of: $0) })
                    ?? LearnerLinks.address(cells[index], column)
                {
                    row.element("td", HTMLTable.breaking(text, column)) { cell in
                        cell.element("a", ["href": page]) { $0.isolated(text) }
                    }
                } else {
                    row.element("td", HTMLTable.breaking(text, column)) { $0.isolated(text) }
                }
            }
        }
    }

    /// The attributes that control line breaks. A date is never broken. A word is broken only if it is longer than any
    /// column.
    static func breaking(_ text: String, _ column: DataTable.Column) -> HTML.Attributes {
        if column.type == .date { return ["class": "d"] }
        let longest = text.utf8.count <= 18 ? 0 : text.split(separator: " ").map(\.count).max() ?? 0
        return longest > 18 ? ["class": "break"] : [:]
    }
}
