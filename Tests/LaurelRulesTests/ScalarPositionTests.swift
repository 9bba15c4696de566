// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelYAML

@Suite("Where a scalar's text was written")
struct ScalarPositionTests {
    /// The characters of the file for the text `x`, whatever the scalar's style.
    @Test(
        "Every byte leads back to its own",
        arguments: [
            Row("plain", "award: a x b", "7..9"),
            Row("plain over lines, with blanks and tabs", "award: a \n  \n   b\t x", "7..19"),
            Row("single quotes, one inside", "award: 'a''x'", "8..11"),
            Row(
                "double quotes, every escape",
                #"award: "\"\\\/\b\f\n\r\t\a\v\e\0\ \N\_\L\P\x41\u00e9\U0001F600x""#,
                "8..62"
            ),
            Row("a line continued", "award: \"a \\\n    x\"", "8..16"),
            Row("a folded block", "award: >-\n  a\n  b\n\n  c\n    d\n  x\n", "12..31"),
            Row("a block with blank lines before", "award: |\n\n\n  a\n  x\n", "9..17"),
            Row("a block that says its indentation", "award: |2\n   a\n  x\n", "12..17"),
            Row("a block in CRLF", "award: |\r\n  a\r\n  x\r\n", "12..17"),
            Row("an anchored one", "award: &name\n  a x", "15..17"),
            Row("JSON with a surrogate pair", #"{"award": "\ud83d\ude00x"}"#, "11..23"),
        ]
    )
    func rows(_ row: Row<String, String>) throws {
        let bytes = Array(row.input.utf8)
        let root = try YAMLReader.read(bytes).root
        guard case .mapping(let entries) = root.content, let scalar = entries[0].value.scalar else {
            Issue.record("no scalar")
            return
        }
        let position = ScalarPosition(scalar, in: bytes)
        #expect(Array(position.text) == Array(scalar.text.utf8))
        let x = try #require(scalar.text.utf8.lastIndex(of: UInt8(ascii: "x")))
        let index = scalar.text.utf8.distance(from: scalar.text.utf8.startIndex, to: x)
        let start = position.source(of: 0..<1).lowerBound
        let found = position.source(of: index..<index + 1)
        #expect("\(start)..\(found.lowerBound)" == row.expected)
        #expect(bytes[found] == [UInt8(ascii: "x")])
    }

    @Test("4,000 random scalars read again are what libyaml read")
    func random() throws {
        let seed: UInt64 = 0x5CA1A2
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "b", "é", "😀", "日本", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\\n", "\\\"", "\\x41", "\\u00e9", "\\_",
            "\\L",
            "\\\n", "''", "\u{85}", "\u{2028}", "x", "+ ", "1 ",
        ]
        var read = 0
        for round in 0..<4_000 {
            let body = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            let yaml = Self.scalar(body.joined(), style: round % 6)
            let bytes = Array(yaml.utf8)
            guard let root = try? YAMLReader.read(bytes).root, case .mapping(let entries) = root.content else {
                continue
            }
            // A block of blanks alone has an undefined indentation, and contains no expression.
            for scalar in entries.compactMap(\.value.scalar) where scalar.text.contains(where: { !$0.isWhitespace }) {
                read += 1
                let text = ScalarPosition(scalar, in: bytes).text
                #expect(text.elementsEqual(scalar.text.utf8), "seed \(seed), round \(round): \(yaml.debugDescription)")
            }
        }
        #expect(read > 1_000)
    }

    private static func scalar(_ body: String, style: Int) -> String {
        let indented = body.replacing("\n", with: "\n  ")
        switch style {
        case 0: return "k: \(indented)\nl: 1\n"
        case 1: return "k: '\(indented)'\nl: 1\n"
        case 2: return "k: \"\(indented)\"\nl: 1\n"
        case 3: return "k: |\n  \(indented)\nl: 1\n"
        case 4: return "k: >+\n  \(indented)\n\nl: 1\n"
        default: return "k: >-\n  \(indented)\nl: 1\n"
        }
    }
}
