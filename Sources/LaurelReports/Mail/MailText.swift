// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A report as plain text, for mail programs that do not show web pages.
struct MailText {
    let locale: LocaleText
    /// The maximum number of a table's rows. The web page has more rows.
    static let mostRows = 14

    func text(_ document: Document, unsubscribe: String?) -> String {
        var blocks = [document.texts.named(document.title, DocumentHead.subject(document))]
        blocks.append(DocumentHead(locale: locale).parts(document).joined(separator: DocumentHead.separator))
        for section in document.sections {
            let exhibits = section.exhibits.filter { !$0.isLeftOut }
            if let title = section.title, !exhibits.isEmpty { blocks.append("== \(title) ==") }
            blocks += exhibits.compactMap(block)
        }
        blocks.append(DocumentHead(locale: locale).foot(document))
        if let unsubscribe { blocks.append(document.texts.named(document.texts(.unsubscribe), unsubscribe)) }
        return blocks.map(EncodedLines.clean).joined(separator: "\n\n") + "\n"
    }

    private func block(_ exhibit: Exhibit) -> String? {
        let title = exhibit.show == .headline ? nil : exhibit.title
        var lines = title.map { [locale.texts.heading($0)] } ?? []
        if let text = exhibit.text {
            lines.append(text)
        } else {
            switch exhibit.show {
            case .calendar, .text: return nil
            case .ring:
                let ring = Ring(exhibit, locale)
                lines.append("\(ring.percent), \(ring.detail)")
            case .headline:
                lines += Headline.all(of: exhibit, locale).map { headline in
                    let change = headline.change.map { " (\($0.sentence))" } ?? ""
                    let note = headline.note.map { ", \($0)" } ?? ""
                    return locale.texts.named(headline.title, "\(headline.value)\(change)\(note)")
                }
            case .bar, .line, .stackedBar, .histogram, .table: lines += rows(exhibit)
            }
        }
        return lines.joined(separator: "\n")
    }

    private func rows(_ exhibit: Exhibit) -> [String] {
        let table = exhibit.series == nil ? exhibit.table : Pivot(exhibit, locale).table
        let most = min(exhibit.rows ?? .max, MailText.mostRows)
        // The target is shown once, and not in each row.
        let shown = table.shown.filter { exhibit.target == nil || table.columns[$0].name != exhibit.target }
        var lines = table.rows.prefix(most).map { row in
            let first = shown.first.map { locale.value(row[$0], table.columns[$0]) } ?? ""
            let others = shown.dropFirst().filter { row[$0] != .null && row[$0] != .number(0) }
                .map { index in
                    let text = locale.text(row[index], table.columns[index])
                    // If there is only one column of values, the title already names the value.
                    return shown.count == 2 ? text : "\(table.columns[index].title) \(text)"
                }
            return "- " + locale.texts.named(first, others.isEmpty ? "–" : others.joined(separator: ", "))
        }
        if table.rows.count > most { lines.append(locale.shown(most, of: table.rows.count)) }
        if let target = exhibit.targetText(locale) { lines.append(target) }
        return lines
    }
}

/// Cleans the lines of a text, so that data in a line cannot imitate another line.
enum EncodedLines {
    static func clean(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { EncodedWord.clean(String($0)) }
            .joined(separator: "\n")
    }
}
