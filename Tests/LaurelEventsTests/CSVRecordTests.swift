// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Records written for spreadsheets, and records read from them.
@Suite struct CSVRecordTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var cells: [CSVRecord.Cell]
        var text: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "nothing", cells: [], text: ""),
        Row(name: "an empty cell, an empty text", cells: [.null, .text("")], text: ","),
        Row(name: "plain text", cells: [.text("ana"), .text("1=1")], text: "ana,1=1"),
        Row(name: "a comma and quotes", cells: [.text("a,\"b\"")], text: "\"a,\"\"b\"\"\""),
        Row(name: "line ends", cells: [.text("a\r\nb")], text: "\"a\r\nb\""),
        Row(name: "whole numbers", cells: [.number(-3), .number(0), .number(1e15)], text: "-3,0,1000000000000000"),
        Row(name: "other numbers", cells: [.number(-1.5), .number(1e-7)], text: "-1.5,1e-07"),
        Row(name: "a formula", cells: [.text("=cmd|' /C calc'!A0")], text: "'=cmd|' /C calc'!A0"),
        Row(name: "a sum", cells: [.text("+1")], text: "'+1"),
        Row(name: "a text that looks like a negative number", cells: [.text("-1")], text: "'-1"),
        Row(name: "a function of old", cells: [.text("@SUM(A1)")], text: "'@SUM(A1)"),
        Row(name: "a formula behind a tab", cells: [.text("\t=x")], text: "\"'\t=x\""),
        Row(name: "a formula behind a carriage return", cells: [.text("\r=x")], text: "\"'\r=x\""),
        Row(name: "a formula behind a line feed", cells: [.text("\n=x")], text: "\"'\n=x\""),
        Row(name: "a formula behind both", cells: [.text("\r\n=x")], text: "\"'\r\n=x\""),
        Row(name: "full width", cells: [.text("＝cmd()"), .text("＠x")], text: "'＝cmd(),'＠x"),
        Row(name: "a formula in quotes", cells: [.text("=\"a\",1")], text: "\"'=\"\"a\"\",1\""),
        Row(name: "what a semicolon would part", cells: [.text("a;=cmd()")], text: "\"a;=cmd()\""),
        Row(name: "an apostrophe of its own", cells: [.text("'=1")], text: "'=1"),
    ])
    func `cells as they are written`(row: Row) { #expect("\(CSVRecord(row.cells))" == row.text) }

    @Test(
        arguments: [
            ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), ("\"a,\"\"b\"\"\",c", ["a,\"b\"", "c"]),
            ("\"a\r\nb\"", ["a\r\nb"]), ("a\"b", ["a\"b"]), ("'=1", ["'=1"]), ("\"a", nil), ("\"a\"b", nil),
        ] as [(String, [String]?)]
    )
    func `fields as they are read`(record: String, fields: [String]?) {
        let found = CSVRecord.fields(of: Array(record.utf8)[...])
        #expect(found?.map { String(decoding: $0, as: UTF8.self) } == fields)
    }

    @Test(arguments: 1...20) func `what is written is read again`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let texts = (0...random.pick([1, 2, 5])).map { _ in
                String((0..<random.pick([0, 1, 4, 9])).map { _ in random.pick(Array("ab1 ,;\"'\n\té語")) })
            }
            let record = "\(CSVRecord(texts: texts))"
            let fields = CSVRecord.fields(of: Array(record.utf8)[...])?.map { String(decoding: $0, as: UTF8.self) }
            let safe = texts.map { $0.first.map { "\n\t".contains($0) } == true ? "'" + $0 : $0 }
            #expect(fields == safe, "seed \(seed): \(record)")
        }
    }
}
