// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Runs the commands of `docs/adapters.md`.
@Suite struct AdapterTutorialTests {
    private static let document = URL(filePath: Laurel.fixtures).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/adapters.md")

    /// A fenced block, and the paragraph before it.
    private struct Block {
        var language: String
        var text: String
        var before: String
    }

    private func blocks() throws -> [Block] {
        let lines = try String(contentsOf: Self.document, encoding: .utf8).components(separatedBy: "\n")
        var blocks: [Block] = []
        var before: [String] = []
        var isParagraph = false
        var index = 0
        while index < lines.count {
            if lines[index].hasPrefix("```") {
                let end = try #require(lines[(index + 1)...].firstIndex(of: "```"))
                let text = lines[(index + 1)..<end].joined(separator: "\n") + "\n"
                blocks.append(
                    Block(
                        language: String(lines[index].dropFirst(3)),
                        text: text,
                        before: before.joined(separator: " ")
                    )
                )
                before = []
                index = end
            } else if !lines[index].isEmpty {
                before = isParagraph ? before + [lines[index]] : [lines[index]]
            }
            isParagraph = !lines[index].isEmpty
            index += 1
        }
        return blocks
    }

    /// The name in ``Save … as `NAME```.
    private func fileName(_ paragraph: String) -> String? {
        guard let start = paragraph.range(of: "Save ")?.upperBound,
            let open = paragraph[start...].range(of: "as `")?.upperBound,
            let close = paragraph[open...].firstIndex(of: "`")
        else { return nil }
        return String(paragraph[open..<close])
    }

    @Test func `every command prints what the page says`() throws {
        let laurel = try Laurel()
        var commands = 0
        for block in try blocks() {
            if let file = fileName(block.before) { try laurel.write(block.text, to: file) }
            guard block.language == "console" else { continue }
            for step in block.text.components(separatedBy: "\n$ ").map({ $0.trimmingPrefix("$ ") }) {
                let lines = step.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                let expected = lines.dropFirst().filter { !$0.isEmpty }
                let outcome = try laurel.shell("{ \(lines[0])\n} 2>&1")
                #expect(outcome.output.split(separator: "\n").map(String.init) == expected, "\(lines[0])")
                commands += 1
            }
        }
        #expect(commands > 6)
    }

    @Test func `the page names every format`() throws {
        let page = try String(contentsOf: Self.document, encoding: .utf8)
        let formats = try Laurel().shell("laurel formats --json | jq -r '.[].name'").output.split(separator: "\n")
        #expect(formats.count > 10)
        for format in formats { #expect(page.contains("### `\(format)`"), "\(format)") }
    }
}
