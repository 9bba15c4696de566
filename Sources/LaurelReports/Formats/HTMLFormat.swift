// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A self-contained page: no script, no network, no other files.
struct HTMLFormat {
    let locale: LocaleText
    /// The names of the files with the learners' own reports, by learner id.
    var pages: [String: String] = [:]

    /// The style sheet. Each page contains it.
    static let style = String(decoding: PackageResources.report_css, as: UTF8.self)

    func page(_ document: Document) -> String {
        page(document) { main in
            for section in document.sections { write(section, &main) }
        }
    }

    /// A page with the top and bottom lines of the report.
    /// - Parameter main: writes the content between these lines.
    func page(_ document: Document, main: (inout HTML) -> Void) -> String {
        let subject = DocumentHead.subject(document)
        // Whatever the data contains, the page may load nothing and run no scripts.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
        return HTML.page(
            document.texts.named(document.title, "\(subject), \(document.week)"),
            language: document.texts.language,
            direction: document.texts.isRightToLeft ? "rtl" : nil
        ) { head in
            head.void("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
            head.void("meta", ["name": "color-scheme", "content": "light dark"])
            head.void("link", ["rel": "icon", "href": "data:,"])
            head.style(HTMLFormat.style)
        } body: { body in
            ChartPatterns.define(in: &body)
            body.element("header") { header in
                header.element("p", ["class": "report"], text: document.title)
                header.element("h1", ["dir": "auto"], text: subject)
                writeMeta(document, &header)
            }
            body.element("main", content: main)
            body.lines("\n")
            body.element("footer") { $0.element("p", text: DocumentHead(locale: locale).foot(document)) }
        }
    }

    /// The content of a page without its top and bottom lines, for use in another page.
    func part(_ document: Document) -> HTML {
        var markup = HTML()
        ChartPatterns.define(in: &markup)
        markup.element("header", ["class": "report-head"]) { header in
            header.element("h2", ["dir": "auto"]) { $0.isolated(DocumentHead.subject(document)) }
            writeMeta(document, &header)
        }
        for section in document.sections { write(section, &markup) }
        return markup
    }

    private func writeMeta(_ document: Document, _ header: inout HTML) {
        header.element("p", ["class": "meta"]) { line in
            for (index, part) in DocumentHead(locale: locale).parts(document).enumerated() {
                if index > 0 { line.write(DocumentHead.separator) }
                line.isolated(part)
            }
        }
    }

    private func write(_ section: DocumentSection, _ main: inout HTML) {
        let rows = PageLayout.rows(section.exhibits)
        guard !rows.isEmpty else { return }
        main.lines("\n")
        main.element("section") { body in
            if let title = section.title { body.element("h2", text: title) }
            for row in rows {
                switch row {
                case .full(let exhibit): write(exhibit, &body)
                case .columns(let columns):
                    body.element("div", ["class": "columns"]) { body in
                        for column in columns {
                            body.element("div", ["class": "column"]) { for exhibit in column { write(exhibit, &$0) } }
                        }
                    }
                }
            }
        }
    }

    private func write(_ exhibit: Exhibit, _ body: inout HTML) {
        let isSaying = exhibit.show == .text && exhibit.title == nil
        let isTiles = exhibit.show == .headline && exhibit.text == nil
        let kind =
            exhibit.isEmphatic
            ? " call" : isSaying ? " say" : isTiles ? " tiles" : PageLayout.isLong(exhibit) ? " long" : ""
        body.lines("\n")
        body.element("figure", ["class": "exhibit\(kind)\(tileStyle(exhibit, isTiles))"]) { figure in
            if let title = exhibit.title, !isTiles { figure.element("h3", text: title) }
            if let text = exhibit.text {
                figure.element("p", exhibit.show == .text ? ["dir": "auto"] : ["class": "empty"], text: text)
            } else {
                draw(exhibit, &figure)
            }
            if let note = exhibit.note, !exhibit.isNothing { figure.element("p", ["class": "note"], text: note) }
        }
    }

    private func draw(_ exhibit: Exhibit, _ figure: inout HTML) {
        let title = exhibit.title ?? exhibit.table.columns.last?.title ?? ""
        switch exhibit.show {
        case .headline:
            for headline in Headline.all(of: exhibit, locale) { write(headline, &figure) }
        case .table:
            HTMLTable(table: exhibit.table, locale: locale, tableFile: exhibit.tableFile, pages: pages)
                .write(into: &figure, caption: title, first: exhibit.rows)
        case .text: break
        case .ring: RingChart(ring: Ring(exhibit, locale), title: title).draw(into: &figure)
        case .calendar:
            let chart = CalendarChart(exhibit, title: title, locale: locale)
            chart.draw(into: &figure)
            chart.drawKey(into: &figure)
            writeTable(chart.days.eventful(exhibit.table), title, &figure)
        case .dots:
            DotChart(table: exhibit.table, title: title, locale: locale).draw(into: &figure)
            writeTable(exhibit.table, title, &figure)
        case .heatmap:
            let across = exhibit.table.columns[1].titleWithUnit
            HeatGrid(table: Pivot(exhibit, locale).table, across: across, locale: locale)
                .draw(into: &figure, caption: title)
        case .funnel:
            FunnelChart(table: exhibit.table, locale: locale).draw(into: &figure)
            writeTable(exhibit.table, title, &figure)
        case .bar, .stackedBar, .line, .histogram:
            let pivot = exhibit.series == nil ? nil : Pivot(exhibit, locale)
            var charted = pivot?.charted(exhibit.colors) ?? exhibit.table
            if let rows = exhibit.rows { charted.rows.removeSubrange(min(rows, charted.rows.count)...) }
            drawChart(exhibit, charted, title, &figure)
            if let hidden = exhibit.hidden(locale) { figure.element("p", ["class": "note"], text: hidden) }
            writeTable(pivot?.table ?? exhibit.table, title, &figure)
        }
    }

    private func drawChart(_ exhibit: Exhibit, _ table: DataTable, _ title: String, _ figure: inout HTML) {
        let show = exhibit.show
        let isList = !table.columns[0].type.isUpright && (show == .bar || show == .stackedBar)
        if isList {
            BarList(
                table: table,
                isStacked: show == .stackedBar,
                colors: SeriesColors(
                    palette: exhibit.palette,
                    names: table.columns.dropFirst().map(\.name),
                    numbers: exhibit.colors
                ),
                target: exhibit.target.flatMap(table.index),
                locale: locale
            ).draw(into: &figure)
        }
        let style: ColumnChart.Style =
            switch show {
            case .stackedBar: .stacked
            case .line: .line
            case .histogram: .histogram
            default: .grouped
            }
        let chart = ColumnChart(table: table, style: style, title: title, exhibit: exhibit, locale: locale)
        if !isList { chart.draw(into: &figure) }
        chart.drawKey(into: &figure, ofList: isList)
    }

    private func writeTable(_ table: DataTable, _ title: String, _ figure: inout HTML) {
        HTMLTable(table: table, locale: locale).writeBelowChart(into: &figure, caption: title)
    }

    /// The style attribute with the length of the longest number. This length decides the font size of all tiles.
    private func tileStyle(_ exhibit: Exhibit, _ isTiles: Bool) -> String {
        guard isTiles else { return "" }
        let longest = Headline.all(of: exhibit, locale).filter(\.isNumber).map(\.value.count).max() ?? 1
        return " letters\(min(max(longest, 4), 24))"
    }

    private func write(_ headline: Headline, _ figure: inout HTML) {
        figure.element("div", ["class": "tile"]) { tile in
            tile.element("p", ["class": "label"], text: headline.title)
            let whole = headline.isNumber ? " whole" : ""
            tile.element("p", ["class": "value\(whole)", "dir": "auto"], text: headline.value)
            if let change = headline.change {
                let tone = change.isGood.map { $0 ? " good" : " bad" } ?? ""
                let arrow = change.direction > 0 ? "▲ " : change.direction < 0 ? "▼ " : ""
                tile.element("p", ["class": "change\(tone)"]) { line in
                    line.element("span", ["aria-hidden": "true"], text: arrow)
                    line.write(change.sentence)
                }
            }
            if let note = headline.note { tile.element("p", ["class": "small", "dir": "auto"], text: note) }
        }
    }
}
