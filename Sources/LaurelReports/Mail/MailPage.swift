// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A message as a web page for mail programs: tables with inline styles, without drawings, scripts or external content.
enum MailPage {
    private static let (ink, quiet, line, card, ground) = ("#1d2129", "#5b6270", "#e3e1dc", "#ffffff", "#f7f6f3")
    private static let mark = "#2f6680"
    private static let font = "font-family:Arial,Helvetica,sans-serif;color:\(ink);"
    private static let layout: HTML.Attributes = [
        "role": "presentation", "width": "100%", "cellpadding": "0", "cellspacing": "0", "border": "0",
    ]

    static func page(_ letter: Letter) -> String {
        HTML.page(
            letter.title,
            language: letter.texts.language,
            direction: letter.texts.isRightToLeft ? "rtl" : "ltr",
            bodyStyle: "margin:0;padding:0;background-color:\(ground)"
        ) { body in
            body.element("table", layout + ["bgcolor": ground]) { outer in
                outer.element("tr") { row in
                    row.element("td", ["align": "center", "style": "padding:16px 8px"]) { cell in
                        let style: HTML.Attributes = ["style": "max-width:600px;text-align:start"]
                        cell.element("table", layout + style) { write(letter, &$0) }
                    }
                }
            }
        }
    }

    private static func write(_ letter: Letter, _ rows: inout HTML) {
        row("font-size:17px;line-height:24px;padding:8px", &rows) { $0.isolated(letter.greeting) }
        row("font-size:14px;color:\(quiet);padding:0 8px 8px", &rows) { $0.write(letter.title) }
        if let sentence = letter.sentence {
            row("font-size:20px;line-height:28px;font-weight:bold;padding:8px", &rows) { $0.write(sentence) }
        }
        if !letter.numbers.isEmpty { row("padding:8px", &rows) { write(letter.numbers, &$0) } }
        if let button = letter.button { row("padding:16px 8px", &rows) { write(button: button, &$0) } }
        if let page = letter.page {
            row("font-size:15px;padding:8px", &rows) { write(page, "color:\(mark)", &$0) }
        }
        if let unsubscribe = letter.unsubscribe {
            row("font-size:12px;padding:16px 8px", &rows) { write(unsubscribe, "color:\(quiet)", &$0) }
        }
    }

    private static func row(_ style: String, _ rows: inout HTML, _ body: (inout HTML) -> Void) {
        rows.lines("\n")
        rows.element("tr") { row in row.element("td", ["style": "\(font)\(style)"], content: body) }
    }

    /// Writes the numbers side by side.
    private static func write(_ numbers: [Headline], _ cell: inout HTML) {
        let box = "\(font)background-color:\(card);border:1px solid \(line);padding:12px 14px"
        cell.element("table", layout) { table in
            table.element("tr") { row in
                for number in numbers {
                    let place: HTML.Attributes = ["width": "\(100 / numbers.count)%", "valign": "top", "style": box]
                    row.element("td", place) { tile in
                        paragraph(number.title, "font-size:13px;color:\(quiet)", &tile)
                        paragraph(number.value, "font-size:22px;font-weight:bold", &tile)
                        for remark in number.remarks { paragraph(remark, "font-size:13px;color:\(quiet)", &tile) }
                    }
                }
            }
        }
    }

    private static func paragraph(_ text: String, _ style: String, _ cell: inout HTML) {
        cell.element("p", ["style": "margin:0;\(style)"], text: text)
    }

    /// Writes a link as a button. The table cell has the colour, because some mail programs ignore the colour of a
    /// link.
    private static func write(button: Letter.Link, _ cell: inout HTML) {
        cell.element("table", ["role": "presentation", "cellpadding": "0", "cellspacing": "0", "border": "0"]) {
            table in
            table.element("tr") { row in
                row.element("td", ["bgcolor": mark, "style": "border-radius:6px"]) { box in
                    let style = "display:inline-block;padding:13px 24px;color:#ffffff;text-decoration:none"
                    write(button, "\(font)font-size:17px;font-weight:bold;\(style)", &box)
                }
            }
        }
    }

    private static func write(_ link: Letter.Link, _ style: String, _ cell: inout HTML) {
        cell.element("a", ["href": link.address, "style": style], text: link.words)
    }
}
