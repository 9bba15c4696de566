// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelYAML
import Testing

/// The messages to authors of mappings, and their places.
@Suite struct MappingDiagnosticTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var mapping: String
        /// The expected diagnostics, as `LINE:COLUMN: severity: message`.
        var expected: [String]

        init(_ name: String, _ mapping: String, _ expected: String...) {
            (testDescription, self.mapping, self.expected) = (name, mapping, expected)
        }
    }

    private static func records(_ entry: String, top: String = "") -> String {
        "version: 1\nname: x\nreads: json-records\n\(top)events:\n  - \(entry)\n"
    }

    private static func sqlite(_ sql: String, type: String = "line.spoken") -> String {
        "version: 1\nname: x\nreads: sqlite\nevents:\n  - what: a\n    type: \(type)\n    sql: \(sql)\n"
    }

    static let rows = [
        Row(
            "no version",
            "name: x\nreads: sqlite\nevents: []\n",
            "1:1: error: `version` is missing: write `version: 1`"
        ),
        Row(
            "unknown source",
            "version: 1\nname: x\nreads: sqlit\nevents: []\n",
            "3:8: error: `reads` cannot be `sqlit`; did you mean `sqlite`?"
        ),
        Row("no events", "version: 1\nname: x\nreads: sqlite\nevents: []\n", "4:9: error: `events` is empty"),
        Row(
            "SQL that is none",
            sqlite("SELECT 1 AS id FORM a"),
            #"7:25: error: SQL: near "FORM": syntax error"#
        ),
        Row("SQL that writes", sqlite("DELETE FROM a"), "7:10: error: a mapping only reads: write a SELECT"),
        Row(
            "a column that the type needs",
            sqlite("SELECT 1 AS id, 2 AS time", type: "review.graded"),
            "5:5: error: `review.graded` needs `word`",
            "5:5: error: `review.graded` needs `grade`"
        ),
        Row(
            "no id",
            sqlite("SELECT 2 AS time"),
            "5:5: error: `id` is missing: it must be the same for the same thing whenever a file is read, and for nothing else"
        ),
        Row(
            "a type that looks mistyped",
            sqlite("SELECT 1 AS id, 2 AS time", type: "line.spokn"),
            "6:11: warning: `line.spokn` is not in the catalogue; did you mean `line.spoken`?"
        ),
        Row(
            "an option that there is not",
            sqlite("SELECT :sbject AS id, 2 AS time"),
            "7:10: error: there is no option `:sbject`; there are :subject, :language, :timezone, :source"
        ),
        Row(
            "a text without quotes",
            records("{what: a, type: line.spoken, id: $.id, time: $.at, data: {role: guest}}"),
            "5:69: error: `data.role`: no such column: guest; a value of the record is written $.name, "
                + "a text in single quotes within double ones: \"'text'\""
        ),
        Row(
            "a name that nobody gave",
            records("{what: a, type: line.spoken, id: $word.id, time: $.at}"),
            "5:38: error: `id`: no such column: word.type; a value of the record is written $.name, "
                + "a text in single quotes within double ones: \"'text'\""
        ),
        Row(
            "an unknown function",
            records("{what: a, type: line.spoken, id: kee($.id), time: $.at}"),
            "5:38: error: `id`: no such function: kee"
        ),
        Row(
            "of without kind",
            records("{what: a, type: line.spoken, of: b, id: $.id, time: $.at}"),
            "5:38: error: `of` needs `kind` at the top, which says of what kind a record is"
        ),
        Row(
            "keys of the other kind of source",
            records("{what: a, type: line.spoken, id: $.id, time: $.at}", top: "members: [a]\n"),
            "4:1: error: `members` means nothing with `reads: json-records`"
        ),
        Row(
            "retracting without saying what a newer copy is",
            sqlite("SELECT 1 AS id, 2 AS time").replacing("    sql:", with: "    retracts: true\n    sql:"),
            "7:5: error: `retracts` needs `copies` at the top, which defines newer copies"
        ),
        Row(
            "copies without an order",
            sqlite("SELECT 1 AS id, 2 AS time").replacing("events:", with: "copies: {store: SELECT 1}\nevents:"),
            "4:9: error: `copies` needs `order`"
        ),
        Row(
            "copies of a stream",
            records("{what: a, type: line.spoken, id: $.id, time: $.at}", top: "copies: {order: SELECT 1}\n"),
            "4:1: error: `copies` means nothing with `reads: json-records`"
        ),
        Row(
            "an app's total as an adjustment",
            sqlite("SELECT 1 AS id, 2 AS time, 3 AS total", type: "xp.adjusted"),
            "5:5: error: `xp.adjusted` needs `amount`; an app's total is `xp.declared`"
        ),
        Row(
            "read as another format, and with events",
            "version: 1\nname: x\nreads: sqlite\nas: bab-export\ndocument: SELECT d FROM a\nevents: []\n",
            "6:1: error: `events` means nothing beside `as`: that format's are taken"
        ),
        Row(
            "read as a format that is no document",
            "version: 1\nname: x\nreads: sqlite\nas: firebase\ndocument: SELECT d FROM a\n",
            "4:5: error: a SQLite database can be read as a format of `reads: json-document`"
        ),
        Row(
            "read as another format, without a document",
            "version: 1\nname: x\nreads: sqlite\nas: bab-export\n",
            "1:1: error: a mapping needs `document`"
        ),
        Row(
            "tables of a stream",
            records(
                "{what: a, type: line.spoken, id: $.id, time: $.at}",
                top: "tables: {t: SELECT value FROM record}\n"
            ),
            "4:1: error: `tables` are made of all records together: add `whole: true`"
        ),
        Row(
            "an unknown key of a table",
            table("csv: {seperator: tab}\n"),
            "4:7: error: unknown key `seperator` in `csv`; did you mean `separator`?"
        ),
        Row(
            "a separator of two characters",
            table("csv: {separator: ', '}\n"),
            "4:18: error: `separator` cannot be `, `: write one character such as \";\", or tab"
        ),
        Row(
            "an unknown encoding",
            table("csv: {encoding: windows-1225}\n"),
            "4:17: error: there is no encoding `windows-1225`; did you mean `windows-1252`?"
        ),
        Row(
            "a column that is not listed",
            table("csv: {columns: [id, att]}\n"),
            "6:50: error: `time`: `at` is not in `columns`; did you mean `att`?"
        ),
        Row(
            "a table of JSON",
            records("{what: a, type: line.spoken, id: $.id, time: $.at}", top: "csv: {}\n"),
            "4:1: error: `csv` means nothing with `reads: json-records`"
        ),
    ]

    private static func table(_ top: String) -> String {
        "version: 1\nname: x\nreads: csv\n\(top)events:\n  - {what: a, type: line.spoken, id: $.id, time: $.at}\n"
    }

    @Test(arguments: rows) func `is told with its place`(row: Row) {
        var found: [Diagnostic] = []
        do {
            found = try Mapping(yaml: Array(row.mapping.utf8), file: "m.yaml").warnings
        } catch {
            found = error.diagnostics
        }
        #expect(found.map { String("\($0)".dropFirst("m.yaml:".count)) } == row.expected)
    }

    @Test func `the shipped mappings have no mistakes, and an example with their name`() {
        for kind in Adapters.all {
            #expect(kind.mapping?.warnings.isEmpty != false)
            #expect(kind.example.hasPrefix("laurel ingest --format \(kind.name) "))
            #expect(!kind.summary.isEmpty && kind.needs.allSatisfy(kind.takes.contains))
        }
    }
}
