import LaurelEvents

/// One page that needs nothing else: no script, no network, no file beside it.
struct HTMLFormat {
    let locale: LocaleText

    /// The style sheet, in each page.
    static let style = String(decoding: PackageResources.report_css, as: UTF8.self)

    func page(_ document: Document) -> String {
        let subject = DocumentHead.subject(document)
        var markup = Markup()
        HTMLFormat.begin(&markup, title: "\(document.title): \(subject), \(document.week)")
        markup.element("header") { header in
            header.element("p", "class=\"report\"", text: document.title)
            header.element("h1", "dir=\"auto\"", text: subject)
            header.element("p", "class=\"meta\"") { $0.isolated(DocumentHead(locale: locale).line(document)) }
        }
        markup.element("main") { main in
            for section in document.sections { write(section, &main) }
        }
        HTMLFormat.end(&markup, document)
        return markup.text
    }

    static func begin(_ markup: inout Markup, title: String) {
        markup.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        markup.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        // Nothing may be fetched or run, whatever stands in the page.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
        markup.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">")
        markup.raw("<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">")
        markup.element("title", text: title)
        markup.element("style") { $0.raw(style) }
        markup.raw("</head>\n<body>")
    }

    static func end(_ markup: inout Markup, _ document: Document) {
        markup.raw("\n")
        markup.element("footer") { $0.element("p", text: Strings.asOf("\(document.asOf)")) }
        markup.raw("</body></html>\n")
    }

    private func write(_ section: DocumentSection, _ main: inout Markup) {
        main.raw("\n")
        main.element("section") { body in
            if let title = section.title { body.element("h2", text: title) }
            body.element("div", "class=\"grid\"") { grid in
                for exhibit in section.exhibits { write(exhibit, &grid) }
            }
        }
    }

    private func write(_ exhibit: Exhibit, _ grid: inout Markup) {
        let isSaying = exhibit.show == .text && exhibit.title == nil
        let isTiles = exhibit.show == .headline && exhibit.text == nil
        let kind = isSaying ? " say" : isTiles ? " tiles" : exhibit.table.rows.count > 25 ? " long" : ""
        let width = exhibit.width == .half ? " half" : ""
        grid.raw("\n")
        grid.element("figure", "class=\"exhibit\(kind)\(width)\"") { figure in
            if let title = exhibit.title, !isTiles { figure.element("h3", text: title) }
            if let text = exhibit.text {
                figure.element("p", exhibit.show == .text ? "dir=\"auto\"" : "class=\"empty\"", text: text)
            } else {
                draw(exhibit, &figure)
            }
            if let note = exhibit.note { figure.element("p", "class=\"note\"", text: note) }
        }
    }

    private func draw(_ exhibit: Exhibit, _ figure: inout Markup) {
        let title = exhibit.title ?? exhibit.table.columns.last?.title ?? ""
        switch exhibit.show {
        case .headline:
            for headline in Headline.all(of: exhibit, locale) { write(headline, &figure) }
        case .table: HTMLTable(table: exhibit.table, locale: locale).write(into: &figure, caption: title)
        case .text: break
        case .ring: RingChart(ring: Ring(exhibit, locale), title: title).draw(into: &figure)
        case .calendar:
            let chart = CalendarChart(exhibit, title: title, locale: locale)
            chart.draw(into: &figure)
            chart.drawKey(into: &figure)
            writeTable(exhibit.table, title, &figure)
        case .bar, .stackedBar, .line, .histogram:
            let pivot = exhibit.series == nil ? nil : Pivot(exhibit)
            drawChart(exhibit, pivot?.charted ?? exhibit.table, title, &figure)
            writeTable(pivot?.table ?? exhibit.table, title, &figure)
        }
    }

    private func drawChart(_ exhibit: Exhibit, _ table: DataTable, _ title: String, _ figure: inout Markup) {
        let show = exhibit.show
        let isList = table.columns[0].type != .date && (show == .bar || show == .stackedBar)
        if isList {
            BarList(table: table, isStacked: show == .stackedBar, title: title, locale: locale).draw(into: &figure)
        }
        let style: ColumnChart.Style =
            switch show {
            case .stackedBar: .stacked
            case .line: .line
            case .histogram: .histogram
            default: .grouped
            }
        let chart = ColumnChart(
            table: table,
            style: style,
            title: title,
            target: exhibit.target.flatMap(table.index),
            locale: locale
        )
        if !isList { chart.draw(into: &figure) }
        chart.drawKey(into: &figure)
    }

    private func writeTable(_ table: DataTable, _ title: String, _ figure: inout Markup) {
        figure.element("details") { details in
            details.element("summary", text: Strings.showTable)
            HTMLTable(table: table, locale: locale).write(into: &details, caption: title)
        }
    }

    private func write(_ headline: Headline, _ figure: inout Markup) {
        figure.element("div", "class=\"tile\"") { tile in
            tile.element("p", "class=\"label\"", text: headline.title)
            tile.element("p", "class=\"value\" dir=\"auto\"", text: headline.value)
            if let change = headline.change {
                let tone = change.isGood.map { $0 ? " good" : " bad" } ?? ""
                let arrow = change.direction > 0 ? "▲ " : change.direction < 0 ? "▼ " : ""
                tile.element("p", "class=\"change\(tone)\"") { line in
                    line.element("span", "aria-hidden=\"true\"", text: arrow)
                    line.escaped(change.sentence)
                }
            }
            if let note = headline.note { tile.element("p", "class=\"small\" dir=\"auto\"", text: note) }
        }
    }
}

/// A table for people.
struct HTMLTable {
    let table: DataTable
    let locale: LocaleText

    func write(into markup: inout Markup, caption: String) {
        markup.element("div", "class=\"scroll\" tabindex=\"0\"") { scroll in
            scroll.element("table", "aria-label=\"\(Markup.escape(caption))\"") { body in
                body.element("thead") { head in
                    head.element("tr") { row in
                        for column in table.columns {
                            row.element("th", "scope=\"col\"\(isNumber(column))", text: title(column))
                        }
                    }
                }
                body.element("tbody") { body in
                    for row in table.rows { write(row, &body) }
                }
            }
        }
    }

    private func write(_ cells: [Cell], _ body: inout Markup) {
        body.element("tr") { row in
            for (cell, column) in zip(cells, table.columns) {
                let text = locale.value(cell, column)
                if column.type.isNumeric {
                    row.element("td", "class=\"n\"", text: text)
                } else {
                    row.element("td") { $0.isolated(text) }
                }
            }
        }
    }

    private func isNumber(_ column: DataTable.Column) -> String { column.type.isNumeric ? " class=\"n\"" : "" }

    private func title(_ column: DataTable.Column) -> String {
        guard let unit = column.unit?.other, unit != column.title, column.type == .number else { return column.title }
        return column.title.lowercased().hasSuffix(unit.lowercased()) ? column.title : "\(column.title) (\(unit))"
    }
}
