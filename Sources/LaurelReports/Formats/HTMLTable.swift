// SPDX-License-Identifier: Apache-2.0

/// A table for people.
struct HTMLTable {
    let table: DataTable
    let locale: LocaleText
    /// Beyond it a page would be slow to open.
    static let mostRows = 2000

    /// The first rows, and a way to the others.
    func write(into markup: inout Markup, caption: String, first count: Int?) {
        guard let count, table.rows.count > count else { return write(into: &markup, caption: caption) }
        var first = self.table
        first.rows.removeSubrange(count...)
        HTMLTable(table: first, locale: locale).write(into: &markup, caption: caption)
        markup.element("p", "class=\"note\"", text: hidden(count))
        let others = table.rows.count - count
        markup.element("details") { details in
            details.element(
                "summary",
                text: others == 1
                    ? locale.texts(.showOther) : locale.texts(.showOthers, ["count": locale.number(Double(others))])
            )
            var rest = self.table
            rest.rows.removeSubrange(..<count)
            HTMLTable(table: rest, locale: locale).write(into: &details, caption: caption)
        }
    }

    private func hidden(_ count: Int) -> String {
        locale.shown(count, of: table.rows.count)
    }

    func write(into markup: inout Markup, caption: String) {
        markup.element("div", "class=\"scroll\" tabindex=\"0\"") { scroll in
            scroll.element("table", "aria-label=\"\(Markup.escape(caption))\"") { body in
                body.element("thead") { head in
                    head.element("tr") { row in
                        for column in table.columns {
                            row.element("th", "scope=\"col\"\(isNumber(column))", text: column.titleWithUnit)
                        }
                    }
                }
                body.element("tbody") { body in
                    for row in table.rows.prefix(HTMLTable.mostRows) { write(row, &body) }
                }
            }
        }
        guard table.rows.count > HTMLTable.mostRows else { return }
        markup.element("p", "class=\"note\"", text: "\(hidden(HTMLTable.mostRows)) \(locale.texts(.inOtherFormats))")
    }

    private func write(_ cells: [Cell], _ body: inout Markup) {
        body.element("tr") { row in
            for (cell, column) in zip(cells, table.columns) {
                let text = locale.value(cell, column)
                if column.type.isNumeric {
                    row.element("td", "class=\"n\"", text: text)
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
