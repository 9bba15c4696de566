// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire
import Testing

@testable import LaurelAdapters

/// Mappings with `reads: csv`.
@Suite struct TableMappingTests {
    private static let mapping = """
        version: 1
        name: list
        reads: csv
        events:
          - what: words
            type: word.added
            id: key('word', $.Word)
            time: "'2026-02-05T18:00:00Z'"
            subject: "'ana'"
            data: {word: $.Word, translation: '$."In English"'}
        """

    /// Reads a file with a mapping. Each result is `line: word=translation`, or `line: ! reason`.
    private static func read(_ bytes: [UInt8], _ yaml: String = mapping, portion: Int = 1 << 20) throws -> [String] {
        let mapping = try Mapping(yaml: Array(yaml.utf8), file: "list.yaml")
        var adapter = try AdapterKind(mapping: mapping).adapter(AdapterOptions())
        var reader = InputReader(PortionedSource(bytes, portion: portion))
        var found: [String] = []
        _ = try adapter.read(&reader, path: nil) { record in
            switch record.outcome {
            case .event(let json):
                let (table, refusal) = decode(json, clock: 4_000_000_000_000)
                found.append("\(record.line): " + (refusal.map { "! \($0.message)" } ?? fields(encoded(table))))
            case .refused(let refusal): found.append("\(record.line): ! \(refusal.message)")
            }
        }
        return found
    }

    private static func fields(_ event: String) -> String {
        guard case .object(let members)? = JSONValue(validated: Array(event.utf8)),
            case .object(let data)? = members["data"]
        else { return event }
        let texts = ["word", "translation"].map { name in
            if case .string(let text)? = data[name] { text } else { "–" }
        }
        return texts.joined(separator: "=")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var expected: [String]

        init(_ name: String, _ text: String, _ expected: [String], as encode: (String) -> [UInt8] = { Array($0.utf8) })
        {
            (testDescription, bytes, self.expected) = (name, encode(text), expected)
        }
    }

    private static func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
    }

    /// Latin letters have the same numbers in Windows-1252 and in Unicode.
    private static func windows(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
    }

    private static let pair = ["2: niño=child", "3: año=year"]
    static let rows = [
        Row("commas", "Word,In English\nniño,child\naño,year\n", pair),
        Row("semicolons and CRLF", "Word;In English\r\nniño;child\r\naño;year\r\n", pair),
        Row("tabs, without a line break at the end", "Word\tIn English\nniño\tchild\naño\tyear", pair),
        Row("bars", "Word|In English\nniño|child\naño|year\n", pair),
        Row("columns in another order and case", "in english,Note,WORD\nchild,x,niño\nyear,,año\n", pair),
        Row("Excel's mark of UTF-8", "\u{FEFF}Word;In English\nniño;child\naño;year\n", pair),
        Row(
            "Excel's Unicode text",
            "\u{FEFF}Word\tIn English\r\nniño\tchild\r\naño\tyear\r\n",
            pair,
            as: { utf16($0) }
        ),
        Row("UTF-16 without a mark", "Word\tIn English\nniño\tchild\naño\tyear\n", pair, as: { utf16($0) }),
        Row(
            "big-endian UTF-16",
            "\u{FEFF}Word,In English\nniño,child\naño,year\n",
            pair,
            as: { utf16($0, bigEndian: true) }
        ),
        Row("Windows-1252", "Word;In English\r\nniño;child\r\naño;year\r\n", pair, as: windows),
        Row("the euro sign of Windows-1252", "Word;In English\n€;euro\n", ["2: €=euro"], as: windows),
        Row("the line that names the separator", "sep=;\nWord;In English\nniño;child\n", ["3: niño=child"]),
        Row("commas in texts", "Word;In English\nuno;one, a\ndos;two, b\n", ["2: uno=one, a", "3: dos=two, b"]),
        Row(
            "quoted separators, quotes and line breaks",
            "Word,In English\n\"a,b\",\"c \"\"d\"\"\"\n\"e\nf\",g\nh,i\n",
            ["2: a,b=c \"d\"", "3: e\nf=g", "5: h=i"]
        ),
        Row(
            "ragged rows",
            "Word,In English\nuno\ndos,two,more\ntres,three,,\ncuatro,four\n",
            [
                "2: ! the row has 1 cell; the table has 2 columns", "3: ! the row has 3 cells; the table has 2 columns",
                "4: tres=three", "5: cuatro=four",
            ]
        ),
        Row("empty rows and cells", "Word,In English\n\n,\nuno,\n   \ndos,two\n", ["4: uno=–", "6: dos=two"]),
        Row("only a header", "Word,In English\n", []),
        Row(
            "a quote too many",
            "Word,In English\n\"uno\"x,one\ndos,two\n",
            ["2: ! the row has a quotation mark too few or too many", "3: dos=two"]
        ),
        Row(
            "a quote in the middle of a cell",
            "Word,In English\nun\"o,one\ndos,two\n",
            ["2: un\"o=one", "3: dos=two"]
        ),
        Row(
            "a NUL byte",
            "Word,In English\nu\0o,one\ndos,two\n",
            ["2: ! the row has a NUL byte; texts have none", "3: dos=two"]
        ),
    ]

    @Test(arguments: rows) func `a row is an event`(row: Row) throws {
        for portion in [1, 3, 1 << 16] {
            // Refused rows are emitted when they are read, and events in batches.
            let found = try Self.read(row.bytes, portion: portion).sorted { line($0) < line($1) }
            #expect(found == row.expected)
        }
    }

    private func line(_ text: String) -> Int { Int(text.prefix { $0 != ":" }) ?? 0 }

    @Test func `a byte that the encoding does not have refuses its row alone`() throws {
        let named = Self.mapping.replacing("reads: csv\n", with: "reads: csv\ncsv: {encoding: utf-8}\n")
        let text = Array("Word,In English\nuno,one\nni".utf8) + [0xF1] + Array("o,child\ntres,three\n".utf8)
        let expected = [
            "3: ! the row has bytes that are not utf-8; `csv: {encoding: …}` names another encoding", "2: uno=one",
            "4: tres=three",
        ]
        #expect(try Self.read(text, named) == expected)
        // Half a character at the end.
        let half = [0xFF, 0xFE] + Self.utf16("Word,In English\nuno,one\ndos,two") + [0x41]
        #expect(try Self.read(half).count == 2)
        #expect(try Self.read(half)[0].hasPrefix("3: ! the row has bytes that are not UTF-16LE"))
    }

    @Test func `a cell of two megabytes refuses its row alone`() throws {
        let long = String(repeating: "x", count: 2 << 20)
        let found = try Self.read(Array("Word,In English\nuno,one\n\(long),two\ntres,three\n".utf8))
        #expect(
            found == ["3: ! the row is longer than 1 MiB; is a quotation mark missing?", "2: uno=one", "4: tres=three"]
        )
    }

    @Test(
        arguments: [
            ("an empty file", "", "it is empty; a line with the columns is missing"),
            ("a line without names", ",,\n", "its first row names no column"),
            ("two columns with a name", "Word,In English,Word\n", "it has two columns Word"),
            (
                "a column that the file lacks", "Wort,In English\nuno,one\n",
                "list.yaml:7:21: words, `id`: the file has no column `Word`; did you mean `Wort`?"
            ),
            (
                "no column like it", "a,b\n",
                "list.yaml:7:21: words, `id`: the file has no column `Word`; its columns are a, b"
            ),
        ]
    )
    func `another table is refused whole`(name: String, text: String, message: String) throws {
        let error = #expect(throws: AdapterError.self) { try Self.read(Array(text.utf8)) }
        #expect(error?.message == message)
    }

    @Test func `columns without a header, and a column that may be missing`() throws {
        let listed = Self.mapping.replacing(
            "reads: csv\n",
            with: "reads: csv\ncsv: {separator: tab, columns: [Word, In English]}\n"
        )
        #expect(try Self.read(Array("uno\tone\ndos\ttwo\n".utf8), listed) == ["1: uno=one", "2: dos=two"])
        let optional = Self.mapping.replacing("reads: csv\n", with: "reads: csv\ncsv: {optional: [In English]}\n")
        #expect(try Self.read(Array("Word\nuno\n".utf8), optional) == ["2: uno=–"])
    }

    @Test func `a refused event keeps its row as it is in the file`() throws {
        let mapping = try Mapping(
            yaml: Array(Self.mapping.replacing("'2026-02-05T18:00:00Z'", with: "$.Word").utf8),
            file: "list.yaml"
        )
        var adapter = try AdapterKind(mapping: mapping).adapter(AdapterOptions())
        var reader = InputReader(MemorySource(Array("Word,In English\n\"u,o\",one\n".utf8), name: "words.csv"))
        var originals: [String] = []
        _ = try adapter.read(&reader, path: nil) { originals.append(String(decoding: $0.original, as: UTF8.self)) }
        #expect(originals == ["\"u,o\",one"])
    }
}

/// A file that is read in small portions, so that characters and line breaks are cut in two.
private final class PortionedSource: ByteSource {
    let name = "words.csv"
    private(set) var consumed: Int64 = 0
    var total: Int64? { Int64(bytes.count) }
    private let bytes: [UInt8]
    private let portion: Int

    init(_ bytes: [UInt8], portion: Int) { (self.bytes, self.portion) = (bytes, portion) }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        let start = Int(consumed)
        let count = min(buffer.count, portion, bytes.count - start)
        _ = buffer.update(fromContentsOf: bytes[start..<start + count])
        consumed += Int64(count)
        return count
    }
}
