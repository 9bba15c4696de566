// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Runs docs/rules.md and the cookbook: every example is checked, tested and covered, and every command prints the shown
/// output.
@Suite struct RulesTutorialTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let guide = read("docs/rules.md")
    private static let cookbook = read("docs/guides/cookbook.md")

    private static func read(_ path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    /// A fenced block of a document.
    private struct Block {
        var language: String
        /// The line before the fence.
        var mark: String
        var content: String
    }

    private static let blocks: [Block] = {
        var blocks: [Block] = []
        var open: Block?
        var last = ""
        for line in (guide + cookbook).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(language: String(line.dropFirst(3)), mark: last, content: "") : nil
            } else {
                open?.content += line + "\n"
            }
            last = line
        }
        return blocks
    }()

    /// The files of one kind: `<!-- example: first.yaml -->`.
    private static func files(_ kind: String) -> [(name: String, content: String)] {
        blocks.filter { $0.language == "yaml" && $0.mark.hasPrefix("<!-- \(kind): ") }.map { block in
            (String(block.mark.dropFirst("<!-- \(kind): ".count).dropLast(" -->".count)), block.content)
        }
    }

    private func folder() throws -> Laurel {
        let laurel = try Laurel()
        for kind in ["example", "broken", "example-file"] {
            for file in Self.files(kind) { try laurel.write(file.content, to: file.name) }
        }
        return laurel
    }

    @Test(arguments: files("example").map(\.name)) func anExampleIsRightAndCoveredByItsTests(_ name: String) throws {
        let laurel = try folder()
        let check = try laurel.run("rules", "check", "--strict", name)
        #expect(check.status == 0, "\(check)")
        let tests = try laurel.run("rules", "test", "--coverage", name)
        #expect(tests.status == 0 && tests.output.contains("\n  ok "), "\(tests)")
    }

    private static let recipe = "<!-- recipe -->"

    @Test(arguments: blocks.filter { $0.language == "console" && $0.mark != recipe }.map(\.content))
    func aCommandLinePrintsWhatIsShown(_ session: String) throws {
        let lines = session.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("$ laurel "))
        #expect(try folder().shell("\(lines[0].dropFirst(2)) 2>&1").output == String(lines[1]))
    }

    /// The recipes use one store, and run in their order.
    @Test func theRecipesPrintWhatIsShown() throws {
        let laurel = try folder()
        for recipe in Self.blocks where recipe.mark == Self.recipe {
            let shown = recipe.content.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
            var commands: [(line: String, output: String)] = []
            for line in shown {
                if line.hasPrefix("$ ") {
                    commands.append((String(line.dropFirst(2)), ""))
                } else if line.hasPrefix("> ") {
                    commands[commands.count - 1].line += "\n" + line.dropFirst(2)
                } else {
                    commands[commands.count - 1].output += line + "\n"
                }
            }
            #expect(commands.count >= 3)
            for command in commands {
                let outcome = try laurel.shell("\(command.line)")
                #expect(outcome.output == command.output && outcome.status == 0, "\(command.line): \(outcome)")
            }
        }
    }

    @Test func allOfItIsRun() {
        let names = Self.files("example").map(\.name)
        #expect(Set(names).count == names.count && names.count >= 26)
        #expect(Self.cookbook.split(separator: "\n").count { $0.hasPrefix("## ") } == 22)
        #expect(Self.cookbook.split(separator: "\n").count { $0.hasPrefix("<!-- example: ") } == 22)
        #expect(Self.blocks.count { $0.language == "console" } >= 3)
        for block in Self.blocks where block.language == "yaml" && !block.mark.hasPrefix("<!-- ") {
            #expect(block.content.hasPrefix("#"), "neither an example nor a comment: \(block.content)")
        }
    }

    /// Without any rule, condition, threshold or reward, a test of its rule set fails.
    @Test func theShippedRulesAreFreeOfWarningsAndCovered() throws {
        let laurel = try Laurel()
        let rules = Self.root.appending(path: "Rules")
        let names = try FileManager.default.contentsOfDirectory(atPath: rules.path).filter { $0.hasSuffix(".yaml") }
        #expect(
            names.sorted() == [
                "bab-language.yaml", "flippin.yaml", "gamification.yaml", "immersion-rooms.yaml", "starter.yaml",
                "vocabmaster.yaml",
            ]
        )
        let check = try laurel.run("rules", "check", "--strict", rules.path)
        #expect(check.status == 0, "\(check)")
        let tests = try laurel.run("rules", "test", "--coverage", rules.path)
        #expect(tests.status == 0, "\(tests)")
        for name in names {
            let text = try String(contentsOf: rules.appending(path: name), encoding: .utf8)
            #expect(text.hasPrefix("# yaml-language-server: $schema=schema.json\n"))
        }
    }
}
