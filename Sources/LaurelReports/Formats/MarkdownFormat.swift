// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Writes Markdown for mail and chat: headings, lists, and tables. Bars in tables are made of block characters.
struct MarkdownFormat {
    let locale: LocaleText
    /// The names of the files with the learners' own reports, by learner id.
    var pages: [String: String] = [:]
    private static let barWidth = 16
    /// The maximum number of a calendar's weeks in a mail.
    private static let mostWeeks = 12

    func text(_ document: Document) -> String {
        var blocks = ["# " + document.texts.named(escape(document.title), escape(DocumentHead.subject(document)))]
        blocks.append(paragraph(DocumentHead(locale: locale).parts(document).joined(separator: DocumentHead.separator)))
        for section in document.sections {
            if let title = section.title { blocks.append("## \(escape(title))") }
            blocks += section.exhibits.filter { !$0.isLeftOut }.flatMap(self.blocks)
        }
        blocks.append(escape(DocumentHead(locale: locale).foot(document)))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func blocks(_ exhibit: Exhibit) -> [String] {
        var blocks: [String] = []
        if let title = exhibit.title, exhibit.show != .headline { blocks.append("### \(escape(title))") }
        if let text = exhibit.text {
            blocks.append(paragraph(text))
        } else {
            switch exhibit.show {
            case .headline: blocks.append(headlines(exhibit))
            case .calendar: blocks.append(calendar(exhibit))
            case .ring: blocks.append(ring(exhibit))
            case .bar, .line, .stackedBar, .histogram, .dots, .heatmap, .funnel, .table, .text:
                blocks.append(table(exhibit))
            }
        }
        if let hidden = exhibit.hidden(locale) {
            blocks.append("_\(escape("\(hidden) \(locale.texts(.inOtherFormats))"))_")
        }
        if let note = exhibit.note, !exhibit.isNothing { blocks.append("_\(escape(note))_") }
        return blocks
    }

    private func headlines(_ exhibit: Exhibit) -> String {
        Headline.all(of: exhibit, locale).map { headline in
            // The colon belongs to the heading, so it is inside the bold text.
            var line = "- **\(locale.texts.heading(escape(headline.title)))** \(escape(headline.value))"
            if let change = headline.change { line += " (\(escape(change.sentence)))" }
            if let note = headline.note { line += ", \(escape(note))" }
            return line
        }.joined(separator: "\n")
    }

    private func ring(_ exhibit: Exhibit) -> String {
        let ring = Ring(exhibit, locale)
        return "\(bar(ring.share)) \(escape(ring.percent)), \(escape(ring.detail))"
    }

    private func table(_ exhibit: Exhibit) -> String {
        let table = exhibit.series == nil ? exhibit.table : Pivot(exhibit, locale).table
        let barred = exhibit.show == .table ? nil : table.barredColumn
        let most = barred.map { table.longestBar($0) } ?? 0
        let shown = table.shown
        var head = shown.map { escape(table.columns[$0].titleWithUnit) }
        var rule = shown.map { !table.columns[$0].type.isNumeric ? "---" : "---:" }
        if barred != nil {
            head.append("")
            rule.append("---")
        }
        var lines = [line(head), line(rule)]
        for row in table.rows.prefix(exhibit.rows ?? .max) {
            var cells = shown.map { index in
                let text = escape(locale.value(row[index], table.columns[index]))
                return table.learner(row, index).flatMap { pages[$0] }.map { "[\(text)](\($0))" } ?? text
            }
            if let barred { cells.append(most > 0 ? bar((row[barred].number ?? 0) / most, filling: false) : "") }
            lines.append(line(cells))
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    private func bar(_ share: Double, filling: Bool = true) -> String {
        let filled = Int((min(max(share, 0), 1) * Double(MarkdownFormat.barWidth)).rounded())
        let rest = filling ? String(repeating: "░", count: MarkdownFormat.barWidth - filled) : ""
        return String(repeating: "█", count: filled) + rest
    }

    /// A calendar with a line per week and a character per day.
    private func calendar(_ exhibit: Exhibit) -> String {
        let calendar = CalendarDays(exhibit)
        var lines = calendar.latest(MarkdownFormat.mostWeeks).map { week in
            let days = week.map { day in day.map { MarkdownFormat.sign($0) } ?? " " }.joined()
            return "\(locale.date(week.compactMap(\.self)[0].day, .short))  \(days)"
        }
        let key = Phrase.states.filter { state in calendar.states.contains(state.name) }
            .map { "\(MarkdownFormat.signs[$0.name] ?? " ") \(locale.texts($0.title))" }
        if !key.isEmpty { lines.append("\n" + key.joined(separator: "   ")) }
        return "```text\n\(lines.joined(separator: "\n"))\n```"
    }

    private static let signs = [
        "active": "■", "repaired": "▣", "frozen": "❄", "rest": "–", "missed": "·", "open": "□",
    ]

    private static func sign(_ day: CalendarDays.Day) -> String {
        if let state = day.state { return signs[state] ?? "?" }
        return (day.value ?? 0) > 0 ? "■" : "·"
    }

    /// A paragraph that Markdown does not read as a list or a heading. Its beginning is escaped if necessary.
    func paragraph(_ text: String) -> String {
        let line = escape(text)
        let start = line.drop { $0.isNumber }
        if start.startIndex > line.startIndex, [". ", ") "].contains(start.prefix(2)) {
            return "\(line[..<start.startIndex])\\\(start)"
        }
        return ["- ", "+ "].contains(line.prefix(2)) || line.hasPrefix("=") ? "\\" + line : line
    }

    /// The text with escaped characters, so that no value acts as markup or ends a cell of a table.
    private func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "!": result += "\\\(scalar)"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\n", "\r", "\t": result += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            // Characters that change the text direction would affect the rest of the line.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{2028}", "\u{2029}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension DataTable {
    /// The value that fills a bar completely: 100 for percentages, otherwise the largest value.
    fileprivate func longestBar(_ column: Int) -> Double {
        let most = rows.compactMap { $0[column].number }.max() ?? 0
        return columns[column].type == .percent && most <= 100 ? 100 : most
    }

    /// The index of the only column of numbers, if bars can show its values; otherwise nil.
    fileprivate var barredColumn: Int? {
        let numeric = columns.indices.filter { columns[$0].type.isNumeric }
        guard let last = numeric.last, numeric.count == 1 || columns[last].name == "count" else { return nil }
        return rows.contains { ($0[last].number ?? 0) < 0 } ? nil : last
    }
}
