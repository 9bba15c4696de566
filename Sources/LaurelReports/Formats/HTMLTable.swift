// SPDX-License-Identifier: Apache-2.0

/// A table for people.
struct HTMLTable {
    var table: DataTable
    let locale: LocaleText
    /// Where the whole of it is: a file beside the page.
    var wholeFile: String?
    /// The files of learners' own pages, by their ids.
    var pages: [String: String] = [:]
    /// More nobody reads, and a page would be slow to open.
    static let mostRows = 200

    /// The first rows, and a way to the others.
    func write(into markup: inout Markup, caption: String, first count: Int?) {
        guard let count, table.rows.count > count else { return write(into: &markup, caption: caption) }
        part(..<count).writeRows(into: &markup, caption: caption)
        let most = min(table.rows.count, HTMLTable.mostRows)
        markup.element("p", "class=\"note\"", text: locale.shown(count, of: table.rows.count))
        let others = most - count
        markup.element("details") { details in
            details.element(
                "summary",
                text: others == 1
                    ? locale.texts(.showOther) : locale.texts(.showOthers, ["count": locale.number(Double(others))])
            )
            part(count..<most).writeRows(into: &details, caption: caption)
            tellOfRest(&details)
        }
    }

    func write(into markup: inout Markup, caption: String) {
        part(..<min(table.rows.count, HTMLTable.mostRows)).writeRows(into: &markup, caption: caption)
        tellOfRest(&markup)
    }

    private func part(_ rows: some RangeExpression<Int>) -> HTMLTable {
        var part = self
        part.table.rows = Array(table.rows[rows])
        return part
    }

    private func tellOfRest(_ markup: inout Markup) {
        guard table.rows.count > HTMLTable.mostRows else { return }
        markup.element("p", "class=\"note\"") { note in
            note.escaped(locale.shown(HTMLTable.mostRows, of: table.rows.count) + " ")
            guard let wholeFile else { return note.escaped(locale.texts(.inOtherFormats)) }
            note.element("a", "href=\"\(Markup.escape(wholeFile))\"", text: locale.texts(.asCSV))
        }
    }

    private func writeRows(into markup: inout Markup, caption: String) {
        let shown = table.shown
        markup.element("div", "class=\"scroll\" tabindex=\"0\"") { scroll in
            scroll.element("table", "aria-label=\"\(Markup.escape(caption))\"") { body in
                body.element("thead") { head in
                    head.element("tr") { row in
                        for column in shown.map({ table.columns[$0] }) {
                            row.element("th", "scope=\"col\"\(isNumber(column))", text: column.titleWithUnit)
                        }
                    }
                }
                body.element("tbody") { body in
                    for row in table.rows { write(row, shown, &body) }
                }
            }
        }
    }

    private func write(_ cells: [Cell], _ shown: [Int], _ body: inout Markup) {
        body.element("tr") { row in
            for index in shown {
                let column = table.columns[index]
                let text = locale.value(cells[index], column)
                if column.type.isNumeric {
                    row.element("td", "class=\"n\"", text: text)
                } else if let page = table.learner(cells, index).flatMap({ pages[$0] }) {
                    row.element("td", HTMLTable.breaking(text, column)) { cell in
                        cell.element("a", "href=\"\(Markup.escape(page))\"") { $0.isolated(text) }
                    }
                } else {
                    row.element("td", HTMLTable.breaking(text, column)) { $0.isolated(text) }
                }
            }
        }
    }

    /// Words are broken only where they are longer than any column, dates nowhere.
    static func breaking(_ text: String, _ column: DataTable.Column) -> String {
        if column.type == .date { return "class=\"d\"" }
        let longest = text.utf8.count <= 18 ? 0 : text.split(separator: " ").map(\.count).max() ?? 0
        return longest > 18 ? "class=\"break\"" : ""
    }

    private func isNumber(_ column: DataTable.Column) -> String { column.type.isNumeric ? " class=\"n\"" : "" }
}
