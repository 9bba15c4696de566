// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import Testing

@testable import LaurelReports

@Suite struct FormatTests {
    private func document() throws -> Document {
        let yaml = """
            version: 1
            title: "A *report*"
            cohort:
              sections:
                - exhibits:
                    - title: Names
                      show: table
                      query: SELECT '=a|b"c' AS name, 1234.5 AS number, '2026-02-02' AS day, NULL AS missing
                      columns: {day: {type: date}, number: {unit: XP}}
                    - title: Shares
                      show: bar
                      query: SELECT 'one' AS name, 3 AS number UNION ALL SELECT 'two', 6
            """
        let definition = try ReportLoader.load(Array(yaml.utf8), file: "small.yaml")
        let engine = try Class.engine([])
        let request = try ReportRequest(week: "2026-W06", at: "2026-06-01T00:00:00Z")
        return try ReportMaker(definition, engine, request).cohort()
    }

    @Test func markdown() throws {
        let text = try #require(ReportFormat.markdown.write(try document(), locale: "en_GB"))
        #expect(
            text == """
                # A \\*report\\*: Everyone

                2\u{2009}–\u{2009}8 February 2026 · Week 2026-W06

                ### Names

                | Name | Number (XP) | Day | Missing |
                | --- | ---: | --- | --- |
                | =a\\|b"c | 1,234.5 | Mon, 2 Feb 2026 | – |

                ### Shares

                | Name | Number |  |
                | --- | ---: | --- |
                | one | 3 | ████████ |
                | two | 6 | ████████████████ |

                As of 8 February 2026, 23:59

                """
        )
    }

    @Test func csvHasAFilePerTableAndNoFormulas() throws {
        let files = CSVFormat.files(try document(), base: "x")
        #expect(files.map(\.name) == ["x-01-names.csv", "x-02-shares.csv"])
        #expect(files[0].content == "name,number,day,missing\r\n\"'=a|b\"\"c\",1234.5,2026-02-02,\r\n")
        #expect(files[1].content == "name,number\r\none,3\r\ntwo,6\r\n")
    }

    @Test(
        "Numbers and dates by locale",
        arguments: [
            ("en_GB", "1,234.5", "Mon, 2 Feb 2026", "85%"), ("de_DE", "1.234,5", "Mo. 2. Feb. 2026", "85\u{A0}%"),
            ("en_US", "1,234.5", "Mon, Feb 2, 2026", "85%"), ("ja_JP", "1,234.5", "2026年2月2日(月)", "85%"),
            ("ar_EG", "١٬٢٣٤٫٥", "اثنين، ٢ فبراير، ٢٠٢٦", "٨٥٪\u{61C}"),
        ]
    )
    func locales(identifier: String, number: String, date: String, percent: String) {
        let texts = TextTable(language: String(identifier.prefix(2)), entries: ["Table": .text("T")])
        let locale = LocaleText(identifier: identifier, texts: texts)
        #expect(locale.number(1234.5) == number)
        #expect(locale.date(LocalDay(year: 2026, month: 2, day: 2), .full) == date)
        #expect(locale.percent(85) == percent)
    }

    @Test("Where there are no texts, all is English", arguments: ["ar_EG", "sv_SE", "zh_Hant_TW"])
    func untranslated(identifier: String) {
        let locale = LocaleText(identifier: identifier)
        #expect(locale.number(1234.5) == "1,234.5" && locale.percent(85) == "85%")
        #expect(locale.date(LocalDay(year: 2026, month: 2, day: 2), .full) == "Mon, 2 Feb 2026")
        #expect(!locale.texts.isRightToLeft)
    }

    @Test(
        "Languages by their names, and what is none as it is",
        arguments: [
            ("ja", "Japanese"), ("pt-BR", "Portuguese (Brazil)"), ("qqz", "qqz"), ("", ""), ("<b>", "<b>"),
            ("de-", "German"),
        ]
    )
    func languages(tag: String, name: String) { #expect(LocaleText(identifier: "de_DE").language(tag) == name) }

    @Test(
        "Lines of Markdown are no lists",
        arguments: [("1. of all", "1\\. of all"), ("- x", "\\- x"), ("2 days", "2 days"), ("1.234 XP", "1.234 XP")]
    )
    func markdownLines(text: String, line: String) {
        #expect(MarkdownFormat(locale: LocaleText()).paragraph(text) == line)
    }

    @Test("Less than all never reads as all", arguments: [(99.9, "99%"), (100.0, "100%"), (0.4, "0%"), (99.4, "99%")])
    func percents(percent: Double, text: String) { #expect(LocaleText().percent(percent) == text) }

    @Test(
        "Durations",
        arguments: [
            (0.0, "0\u{A0}min"), (900, "0\u{A0}min"), (1000, "1\u{A0}s"), (59_999, "59\u{A0}s"), (60_000, "1\u{A0}min"),
            (3_600_000, "1\u{A0}h\u{A0}00\u{A0}min"),
        ]
    )
    func durations(milliseconds: Double, text: String) { #expect(LocaleText().duration(milliseconds) == text) }

    @Test func fileNamesAreSafeAndNeverTheSame() {
        let ids =
            PageTests.hostile + [
                "ana", "Ana", "ANA", "index", "con", "com1", ".", "..", "-rf", "a/b", "a\\b", "ana-0123456789abcdef",
                "é", "e\u{301}",
            ]
        let names = ids.map(FileName.of)
        #expect(Set(names.map { $0.lowercased() }).count == ids.count)
        for name in names {
            #expect(name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 })
            #expect(name.utf8.count <= 64 && !name.hasPrefix("-"))
        }
        #expect(FileName.of("ana") == "ana")
        // No id gives the file name of another id.
        #expect(FileName.of(FileName.of("Ana")) != FileName.of("Ana"))
    }
}
