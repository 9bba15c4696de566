// SPDX-License-Identifier: Apache-2.0

/// A list of the reports that were written, in the format of the reports. Learners who need their teacher come first.
struct IndexPage {
    struct Row {
        var file: String
        var learner: String
        var name: String?
        /// The reason why the learner needs a teacher; nil if there is no reason.
        var why: Phrase?
        /// The numbers of the learner, in this order: XP of the week, streak, level.
        var numbers: [Double]
    }

    let document: Document
    let rows: [Row]
    /// The file with the report on all learners together; nil if there is no such report.
    let overallFile: String?
    let locale: LocaleText

    private var columns: [DataTable.Column] {
        [
            .init(name: "learner", title: locale.texts(.learner), type: .text, unit: nil, decimals: nil),
            .init(name: "name", title: locale.texts(.name), type: .text, unit: nil, decimals: nil),
            .init(name: "why", title: locale.texts(.why), type: .phrase, unit: nil, decimals: nil),
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

    /// The pages of the list. If there is more than one page, a table of all learners is added.
    func files(_ format: ReportFormat) -> [(name: String, content: String)] {
        var document = document
        document.sections = [DocumentSection(title: nil, exhibits: [exhibit])]
        switch format {
        case .html:
            let count = ListPage(1, of: rows, size: HTMLTable.mostRows).count
            let files = (1...count).map { (IndexPage.file($0), page($0)) }
            return count == 1 ? files : files + [("index.csv", CSVFormat.text(exhibit.table))]
        case .csv: return [("index.csv", CSVFormat.text(exhibit.table))]
        case .markdown, .json: return format.files(document, locale, base: "index")
        }
    }

    private static func file(_ page: Int) -> String { page == 1 ? "index.html" : "index-\(page).html" }

    private var exhibit: Exhibit {
        let table = DataTable(
            columns: columns,
            rows: rows.map { row in
                [.text(row.learner), row.name.map(Cell.text) ?? .null, row.why.map { .text($0.rawValue) } ?? .null]
                    + row.numbers.map(Cell.number) + [.text(row.file)]
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

    /// One page of the list, with links to the learners' reports.
    private func page(_ number: Int) -> String {
        let page = ListPage(number, of: rows, size: HTMLTable.mostRows)
        return HTMLFormat(locale: locale).page(document) { main in
            if let overallFile {
                main.element("p", ["class": "links"]) { line in
                    line.element("a", ["href": "\(overallFile)"], text: locale.texts(.wholeClass))
                }
            }
            main.element("h2", text: "\(locale.texts(.learners)) (\(locale.number(Double(rows.count))))")
            main.element("figure", ["class": "exhibit long"]) { figure in
                if rows.isEmpty {
                    figure.element("p", ["class": "empty"], text: locale.texts(.nothing))
                } else {
                    list(page.rows, &figure)
                }
            }
            guard page.count > 1 else { return }
            main.pages(page, locale, address: IndexPage.file)
            main.element("p", ["class": "links"]) { line in
                line.element("a", ["href": "index.csv"], text: locale.texts(.asCSV))
            }
        }
    }

    private func list(_ rows: [Row], _ figure: inout HTML) {
        figure.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
            scroll.element("table") { table in
                table.element("thead") { head in
                    head.element("tr") { row in
                        row.element("th", ["scope": "col"], text: locale.texts(.learner))
                        row.element("th", ["scope": "col"], text: locale.texts(.why))
                        for column in columns[3...5] {
                            row.element("th", ["scope": "col", "class": "n"], text: column.title)
                        }
                    }
                }
                table.element("tbody") { body in
                    for row in rows { line(row, &body) }
                }
            }
        }
    }

    private func line(_ row: Row, _ body: inout HTML) {
        body.lines("\n")
        body.element("tr") { cells in
            let name = row.name.map { $0.isEmpty ? row.learner : $0 } ?? row.learner
            cells.element("td", HTMLTable.breaking("\(name) \(row.learner)", columns[0])) { cell in
                cell.element("a", ["href": "\(row.file)"]) { $0.isolated(name) }
                if name != row.learner {
                    cell.write(" ")
                    cell.element("span", ["class": "empty"]) { $0.isolated(row.learner) }
                }
            }
            cells.element("td", text: row.why.map { locale.texts($0) } ?? "")
            for (number, column) in zip(row.numbers, columns[3...5]) {
                cells.element("td", ["class": "n"], text: locale.text(.number(number), column))
            }
        }
    }
}
