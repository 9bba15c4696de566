// SPDX-License-Identifier: Apache-2.0

/// The list of the reports that were written, in the format of the reports.
struct IndexPage {
    struct Row {
        var file: String
        var learner: String
        var name: String?
        /// XP of the week, streak, level.
        var numbers: [Double]
    }

    let document: Document
    let rows: [Row]
    let locale: LocaleText

    private var columns: [DataTable.Column] {
        [
            .init(name: "learner", title: locale.texts(.learner), type: .text, unit: nil, decimals: nil),
            .init(name: "name", title: locale.texts(.name), type: .text, unit: nil, decimals: nil),
            .init(
                name: "week_xp",
                title: locale.texts(.weekXP),
                type: .number,
                unit: locale.texts.unit(Phrase.xp),
                decimals: nil
            ),
            .init(
                name: "streak",
                title: locale.texts(.streak),
                type: .number,
                unit: locale.texts.unit(Phrase.days),
                decimals: 0
            ),
            .init(name: "level", title: locale.texts(.level), type: .number, unit: nil, decimals: 0),
            .init(name: "file", title: locale.texts(.file), type: .text, unit: nil, decimals: nil),
        ]
    }

    func files(_ format: ReportFormat) -> [(suffix: String, content: String)] {
        if format == .html { return [(".html", page)] }
        var document = document
        document.sections = [DocumentSection(title: nil, exhibits: [exhibit])]
        if format == .csv { return CSVFormat.files(document).map { (".csv", $0.content) } }
        return format.files(document, locale)
    }

    private var exhibit: Exhibit {
        let table = DataTable(
            columns: columns,
            rows: rows.map { row in
                [.text(row.learner), row.name.map(Cell.text) ?? .null] + row.numbers.map(Cell.number) + [
                    .text(row.file)
                ]
            }
        )
        return Exhibit(
            name: Phrase.learners.rawValue,
            title: locale.texts(.learners),
            show: .table,
            width: .full,
            table: table,
            columns: []
        )
    }

    /// As a report, with links to those of the learners.
    private var page: String {
        var markup = Markup()
        let subject = DocumentHead.subject(document)
        HTMLFormat.begin(&markup, document)
        markup.element("header") { header in
            header.element("p", "class=\"report\"", text: document.title)
            header.element("h1", "dir=\"auto\"", text: subject)
            HTMLFormat.writeMeta(document, locale, &header)
        }
        markup.element("main") { main in
            main.element("h2", text: "\(locale.texts(.learners)) (\(locale.number(Double(rows.count))))")
            main.element("figure", "class=\"exhibit long\"") { figure in
                if rows.isEmpty {
                    figure.element("p", "class=\"empty\"", text: locale.texts(.nothing))
                } else {
                    list(&figure)
                }
            }
        }
        HTMLFormat.end(&markup, document)
        return markup.text
    }

    private func list(_ figure: inout Markup) {
        figure.element("div", "class=\"scroll\" tabindex=\"0\"") { scroll in
            scroll.element("table") { table in
                table.element("thead") { head in
                    head.element("tr") { row in
                        row.element("th", "scope=\"col\"", text: locale.texts(.learner))
                        for column in columns[2...4] {
                            row.element("th", "scope=\"col\" class=\"n\"", text: column.title)
                        }
                    }
                }
                table.element("tbody") { body in
                    for row in rows { line(row, &body) }
                }
            }
        }
    }

    private func line(_ row: Row, _ body: inout Markup) {
        body.raw("\n")
        body.element("tr") { cells in
            let name = row.name.map { $0.isEmpty ? row.learner : $0 } ?? row.learner
            cells.element("td", HTMLTable.breaking("\(name) \(row.learner)", columns[0])) { cell in
                cell.element("a", "href=\"\(row.file)\"") { $0.isolated(name) }
                if name != row.learner {
                    cell.raw(" ")
                    cell.element("span", "class=\"empty\"") { $0.isolated(row.learner) }
                }
            }
            for (number, column) in zip(row.numbers, columns[2...4]) {
                cells.element("td", "class=\"n\"", text: locale.text(.number(number), column))
            }
        }
    }
}
