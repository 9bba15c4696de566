// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A report as a web page for mail programs: tables with inline styles, without drawings, scripts or external content.
struct MailPage {
    let locale: LocaleText

    private static let (ink, quiet, line, card, page) = ("#1d2129", "#5b6270", "#e3e1dc", "#ffffff", "#f7f6f3")
    private static let (mark, track, good, bad) = ("#3b7995", "#ecebe7", "#1a7f4b", "#b3420f")
    private static let font = "font-family:Arial,Helvetica,sans-serif;color:\(ink);"
    private static let layout: HTML.Attributes = [
        "role": "presentation", "width": "100%", "cellpadding": "0", "cellspacing": "0", "border": "0",
    ]
    /// The maximum number of a calendar's weeks that fit into a mail.
    private static let mostWeeks = 12

    func page(_ document: Document, unsubscribe: String?) -> String {
        HTML.page(
            document.texts.named(document.title, DocumentHead.subject(document)),
            language: document.texts.language,
            direction: document.texts.isRightToLeft ? "rtl" : "ltr",
            bodyStyle: "margin:0;padding:0;background-color:\(MailPage.page)"
        ) { body in
            body.element("table", MailPage.layout + ["bgcolor": MailPage.page]) { outer in
                outer.element("tr") { row in
                    row.element("td", ["align": "center", "style": "padding:16px 8px"]) { cell in
                        let style: HTML.Attributes = ["style": "max-width:600px;text-align:start"]
                        cell.element("table", MailPage.layout + style) { rows in
                            writeHead(document, &rows)
                            for section in document.sections { write(section, &rows) }
                            writeFoot(document, unsubscribe, &rows)
                        }
                    }
                }
            }
        }
    }

    // MARK: Frame

    private func row(_ style: String, _ rows: inout HTML, _ body: (inout HTML) -> Void) {
        rows.lines("\n")
        rows.element("tr") { row in row.element("td", ["style": "\(MailPage.font)\(style)"], content: body) }
    }

    private func writeHead(_ document: Document, _ rows: inout HTML) {
        row("font-size:15px;color:\(MailPage.quiet);padding:8px 8px 0", &rows) { $0.write(document.title) }
        row("font-size:26px;font-weight:bold;padding:2px 8px", &rows) { $0.isolated(DocumentHead.subject(document)) }
        row("font-size:14px;color:\(MailPage.quiet);padding:0 8px 12px", &rows) { line in
            for (index, part) in DocumentHead(locale: locale).parts(document).enumerated() {
                if index > 0 { line.write(DocumentHead.separator) }
                line.isolated(part)
            }
        }
    }

    private func writeFoot(_ document: Document, _ unsubscribe: String?, _ rows: inout HTML) {
        row("font-size:12px;color:\(MailPage.quiet);padding:16px 8px", &rows) { foot in
            foot.write(DocumentHead(locale: locale).foot(document))
            guard let unsubscribe else { return }
            foot.void("br")
            let link: HTML.Attributes = ["href": unsubscribe, "style": "color:\(MailPage.quiet)"]
            foot.element("a", link, text: document.texts(.unsubscribe))
        }
    }

    private func write(_ section: DocumentSection, _ rows: inout HTML) {
        let exhibits = section.exhibits.filter { !$0.isLeftOut }
        if let title = section.title, !exhibits.isEmpty {
            row("font-size:19px;font-weight:bold;padding:20px 8px 8px", &rows) { $0.write(title) }
        }
        for exhibit in exhibits {
            if exhibit.show == .text, exhibit.title == nil {
                let side = exhibit.isEmphatic ? "border-left:4px solid \(MailPage.mark);font-weight:bold;" : ""
                row("\(side)font-size:17px;line-height:24px;padding:8px", &rows) { $0.write(exhibit.text ?? "") }
                row("font-size:8px;line-height:8px", &rows) { $0.write("\u{A0}") }
            } else {
                let frame = "background-color:\(MailPage.card);border:1px solid \(MailPage.line);padding:14px 16px"
                row(frame, &rows) { write(exhibit, &$0) }
                row("font-size:10px;line-height:10px", &rows) { $0.write("\u{A0}") }
            }
        }
    }

    private func paragraph(_ text: String, _ style: String, _ cell: inout HTML) {
        cell.element("p", ["style": "margin:0;\(style)"], text: text)
    }

    private var small: String { "font-size:13px;color:\(MailPage.quiet)" }

    // MARK: Exhibits

    private func write(_ exhibit: Exhibit, _ cell: inout HTML) {
        if let title = exhibit.title, exhibit.show != .headline {
            paragraph(title, "font-size:15px;font-weight:bold;padding-bottom:8px", &cell)
        }
        if let text = exhibit.text { return paragraph(text, "font-size:14px;color:\(MailPage.quiet)", &cell) }
        switch exhibit.show {
        case .text: break
        case .headline: writeHeadlines(Headline.all(of: exhibit, locale), &cell)
        case .ring:
            let ring = Ring(exhibit, locale)
            writeBar(100 * ring.share, of: 100, &cell)
            paragraph("\(ring.percent), \(ring.detail)", "font-size:14px", &cell)
        case .calendar: writeCalendar(CalendarDays(exhibit), exhibit.table.columns[1], &cell)
        case .table, .line:
            writeTable(exhibit.series == nil ? exhibit.table : Pivot(exhibit, locale).table, exhibit, &cell)
        case .bar, .stackedBar, .histogram: writeBars(exhibit, &cell)
        }
        if let note = exhibit.note { paragraph(note, small + ";padding-top:8px", &cell) }
    }

    /// Writes headlines, two in each row.
    private func writeHeadlines(_ headlines: [Headline], _ cell: inout HTML) {
        cell.element("table", MailPage.layout) { table in
            for first in stride(from: 0, to: headlines.count, by: 2) {
                table.element("tr") { row in
                    for headline in headlines[first..<min(first + 2, headlines.count)] {
                        row.element(
                            "td",
                            ["width": "50%", "valign": "top", "style": "\(MailPage.font)padding:6px 8px 6px 0"]
                        ) { tile in
                            paragraph(headline.title, small, &tile)
                            paragraph(headline.value, "font-size:22px;font-weight:bold", &tile)
                            if let change = headline.change {
                                let tone = change.isGood.map { $0 ? MailPage.good : MailPage.bad } ?? MailPage.quiet
                                paragraph(change.sentence, "font-size:13px;color:\(tone)", &tile)
                            }
                            if let note = headline.note { paragraph(note, small, &tile) }
                        }
                    }
                }
            }
        }
    }

    private func writeBar(_ value: Double, of most: Double, _ cell: inout HTML) {
        let share = most > 0 ? Int((100 * min(max(value / most, 0), 1)).rounded()) : 0
        cell.element("table", MailPage.layout + ["style": "margin:2px 0 8px"]) { table in
            table.element("tr") { row in
                for (width, colour) in [(share, MailPage.mark), (100 - share, MailPage.track)] where width > 0 {
                    let box: HTML.Attributes = ["width": "\(width)%", "height": "8", "bgcolor": colour]
                    row.element("td", box + ["style": "font-size:8px;line-height:8px"], text: "\u{A0}")
                }
            }
        }
    }

    /// Writes each category with a bar. If the parts are stacked, their sum is shown.
    private func writeBars(_ exhibit: Exhibit, _ cell: inout HTML) {
        let table = exhibit.series == nil ? exhibit.table : Pivot(exhibit, locale).table
        let numbers = table.shown.dropFirst().filter {
            table.columns[$0].type.isNumeric && table.columns[$0].name != exhibit.target
        }
        let isSummed = exhibit.show == .stackedBar
        guard let column = exhibit.show == .histogram ? numbers.last : numbers.first else { return }
        func value(_ row: [Cell]) -> Double {
            isSummed ? numbers.reduce(0) { $0 + (row[$1].number ?? 0) } : row[column].number ?? 0
        }
        let rows = table.rows.prefix(min(exhibit.rows ?? .max, 14))
        let most = table.columns[column].type == .percent ? 100 : rows.map(value).max() ?? 0
        for row in rows {
            cell.element("table", MailPage.layout) { line in
                line.element("tr") { line in
                    line.element("td", ["style": "\(MailPage.font)font-size:13px"]) {
                        $0.isolated(locale.value(row[0], table.columns[0]))
                    }
                    let style = "\(MailPage.font)font-size:13px;font-weight:bold"
                    line.element(
                        "td",
                        ["align": "right", "style": style],
                        text: locale.text(.number(value(row)), table.columns[column])
                    )
                }
            }
            writeBar(value(row), of: most, &cell)
            if isSummed { writeParts(row, table, numbers, &cell) }
        }
        if table.rows.count > rows.count { paragraph(locale.shown(rows.count, of: table.rows.count), small, &cell) }
        if let target = exhibit.targetText(locale) { paragraph(target, small, &cell) }
    }

    /// Writes the parts of a bar.
    private func writeParts(_ row: [Cell], _ table: DataTable, _ numbers: [Int], _ cell: inout HTML) {
        let parts = numbers.filter { row[$0].number ?? 0 != 0 }
            .map { "\(table.columns[$0].title) \(locale.value(row[$0], table.columns[$0]))" }
        guard !parts.isEmpty else { return }
        paragraph(parts.joined(separator: DocumentHead.separator), small + ";padding-bottom:8px", &cell)
    }

    private func writeTable(_ table: DataTable, _ exhibit: Exhibit, _ cell: inout HTML) {
        let shown = table.shown
        let rows = table.rows.prefix(min(exhibit.rows ?? .max, 14))
        cell.element("table", ["width": "100%", "cellpadding": "4", "cellspacing": "0", "border": "0"]) { body in
            let line = "border-bottom:1px solid \(MailPage.line)"
            body.element("tr") { head in
                for column in shown.map({ table.columns[$0] }) {
                    head.element(
                        "th",
                        ["align": "\(side(column))", "style": "\(MailPage.font)\(small);\(line)"],
                        text: column.titleWithUnit
                    )
                }
            }
            for row in rows {
                body.element("tr") { cells in
                    for index in shown {
                        let column = table.columns[index]
                        cells.element(
                            "td",
                            [
                                "align": "\(side(column))", "valign": "top",
                                "style": "\(MailPage.font)font-size:13px;\(line)",
                            ]
                        ) {
                            $0.isolated(locale.value(row[index], column))
                        }
                    }
                }
            }
        }
        if table.rows.count > rows.count {
            paragraph(locale.shown(rows.count, of: table.rows.count), small + ";padding-top:8px", &cell)
        }
    }

    /// The side to which a column is aligned. Numbers are aligned to the end of the line, so that they can be compared.
    private func side(_ column: DataTable.Column) -> String {
        let isRightToLeft = locale.texts.isRightToLeft
        return column.type.isNumeric != isRightToLeft ? "right" : "left"
    }

    /// Writes a calendar with a line per weekday and a cell per week. A darker cell has a larger value.
    private func writeCalendar(_ days: CalendarDays, _ column: DataTable.Column, _ cell: inout HTML) {
        let weeks = days.latest(MailPage.mostWeeks)
        let known = weeks.flatMap { $0.compactMap { $0?.day } }
        guard let first = known.first, let last = known.last, let start = days.start else { return }
        cell.element("table", MailPage.calendar) { table in
            for weekday in 0..<7 {
                table.element("tr") { row in
                    let name = locale.weekdayName(LocalDay(number: start.number + Int32(weekday)).weekday)
                    let style = "\(MailPage.font)\(small);font-size:11px;line-height:14px;padding-right:5px"
                    row.element("td", ["style": style], text: name)
                    for week in weeks {
                        let day = week[weekday]
                        let level = day?.state == "active" ? max(1, days.level(day?.value)) : days.level(day?.value)
                        MailPage.shade(day == nil ? MailPage.card : MailPage.shades[level], &row)
                    }
                }
            }
        }
        cell.element("table", MailPage.calendar) { table in
            table.element("tr") { row in
                let style: HTML.Attributes = ["style": "\(MailPage.font)\(small);padding:4px 4px 0 0"]
                row.element(
                    "td",
                    style,
                    text: locale.period(first, last) + DocumentHead.separator + locale.texts(.less)
                )
                for level in 1...4 { MailPage.shade(MailPage.shades[level], &row) }
                let more = locale.texts(.more, ["unit": column.axisUnit(locale.texts) ?? column.title])
                row.element("td", style, text: more)
            }
        }
    }

    private static let shades = [track, "#b9d3de", "#7fb0c4", "#3b7995", "#1d4a63"]
    private static let calendar: HTML.Attributes = [
        "role": "presentation", "cellpadding": "0", "cellspacing": "3", "border": "0", "dir": "ltr",
    ]

    private static func shade(_ colour: String, _ row: inout HTML) {
        let box: HTML.Attributes = ["width": "14", "height": "14", "bgcolor": colour]
        row.element("td", box + ["style": "font-size:10px;line-height:14px"], text: "\u{A0}")
    }
}
