// SPDX-License-Identifier: Apache-2.0

import LaurelResults
import Testing

@testable import LaurelReports

/// Texts of the dashboard, with values in them.
@Suite struct PageTextTests {
    private static let german = LocaleText(
        identifier: "de_DE",
        texts: TextTable(
            language: "de",
            entries: [
                "Cancel": .text("Abbrechen"),
                "{1} of {2|one day|other days}": .text("von {2|one Tag|other Tagen}: {1}"),
                "{1} gave {2|one review|other reviews}": .text("{2|one Wiederholung|other Wiederholungen} durch {1}"),
                "for {{a} and more": .text("für {{a} und mehr"),
            ]
        )
    )

    static let rows: [(name: String, text: PageText, english: String, german: String)] = [
        ("a literal", "Cancel", "Cancel", "Abbrechen"),
        ("data", "\("Cancel")", "Cancel", "Cancel"),
        ("one", "\("x") of \(1, "day")", "x of 1 day", "von 1 Tag: x"),
        ("a thousand", "\("x") of \(1000, "day")", "x of 1,000 days", "von 1.000 Tagen: x"),
        ("no translation", "\(2, "reply", "replies") here", "2 replies here", "2 replies here"),
        ("a text in a text", "\("Cancel" as PageText): \(5)", "Cancel: 5", "Abbrechen: 5"),
        ("nothing", "\(nil as PageText?)", "", ""),
        ("two parts", "\("x") of " + "\(2, "day")", "x of 2 days", "von 2 Tagen: x"),
        ("braces", "for {a} and" + " more", "for {a} and more", "für {a} und mehr"),
        ("braces in data", "\("{1}")", "{1}", "{1}"),
        ("an element", "a\(HTML { $0.write("b" as PageText) })", "a", "a"),
    ]

    @Test("Texts in English and in German", arguments: rows.indices)
    func texts(index: Int) {
        let row = Self.rows[index]
        #expect(row.text.written(for: .english) == row.english, "\(row.name)")
        #expect(row.text.written(for: Self.german) == row.german, "\(row.name)")
    }

    @Test func `data is escaped, and keeps its direction`() {
        let html = HTML { $0.write("<i> \(data: "<b>") \(HTML { $0.element("b", text: "x") })" as PageText) }
        #expect(html.text == "&lt;i&gt; <bdi>&lt;b&gt;</bdi> <b>x</b>")
    }

    @Test func `stories are translated as wholes`() {
        let story: Story = "\(.data("ana")) gave \(2, "review")"
        let spans = Self.german.spans(of: story).map { span in
            switch span {
            case .text(let text), .data(let text): text
            case .number(let number, _): "\(Int(number))"
            default: "?"
            }
        }
        #expect(spans.joined() == "2 Wiederholungen durch ana")
    }
}
