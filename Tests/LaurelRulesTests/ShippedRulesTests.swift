// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules
@testable import LaurelYAML

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("What the project ships")
struct ShippedRulesTests {
    private func read(_ name: String, file: String = #filePath) throws -> [UInt8] {
        let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
        let stream = try #require(fopen("/\(root)/\(name)", "r"))
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes[..<count])
    }

    @Test("bab-language.yaml holds the app's numbers")
    func babLanguage() throws {
        let rules = try RuleSet(yaml: read("Rules/bab-language.yaml"), file: "bab-language.yaml") { $0 == "UTC" }
        #expect(rules.warnings.isEmpty)
        #expect(rules.name == "bab-language")
        #expect(
            rules.achievements.map(\.id) == [
                "first_multiplayer", "perfect_pair", "chatterbox", "language_partner", "flawless_scene",
                "streak_master",
                "speed_reader",
            ]
        )
        #expect(rules.cefr?.bands == [0, 1500, 2500, 3250, 3750, 4500])
        #expect(rules.tests.count == 41)
    }

    @Test("A file that was checked before is read without what only its author wants to know, and comes to the same")
    func checkedBefore() throws {
        let source = try read("Rules/bab-language.yaml")
        let checked = try RuleSet(yaml: source, file: "bab-language.yaml") { $0 == "UTC" }
        let again = try RuleSet(checkedBefore: source, file: "bab-language.yaml") { $0 == "UTC" }
        #expect(again.foldedContent == checked.foldedContent)
        #expect(again.levels.start(of: 77) == checked.levels.start(of: 77))
        #expect(again.tests.map(\.name) == checked.tests.map(\.name))
        #expect(RulesComparison(again, checked).changes.isEmpty)
        let doubtful = Array("version: 1\nmetrics: {lines: {count: line.spoken, where: event.accuracy > 1}}\n".utf8)
        #expect(try !RuleSet(yaml: doubtful, file: "r.yaml") { _ in true }.warnings.isEmpty)
        #expect(try RuleSet(checkedBefore: doubtful, file: "r.yaml") { _ in true }.warnings.count == 1)
        let wrong = Array("version: 1\nmetrics: {lines: {count: 3}}\n".utf8)
        #expect(throws: RulesError.self) { try RuleSet(checkedBefore: wrong, file: "r.yaml") { _ in true } }
    }

    @Test("The rules that are switched off are right, too")
    func switchedOff() throws {
        let text = String(decoding: try read("Rules/bab-language.yaml"), as: UTF8.self)
        let guide = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let rule = line.drop { $0 == " " }
            let isRule = ["# - {", "# - id:", "#   ", "# scenarios", "# starts"].contains { rule.hasPrefix($0) }
            return isRule && line.hasPrefix("  #") ? "  " + rule.dropFirst(2) : String(line)
        }
        let renamed = guide.map { $0.hasPrefix("  - {id: line_together") ? "" : $0 }.joined(separator: "\n")
        #expect(complaints(renamed) == [])
        let rules = try load(renamed)
        #expect(rules.xpRules.contains { $0.id == "guide_scenario" } && rules.metrics.contains { $0.name == "starts" })
    }

    /// The keys of the schema's definitions are exactly those that the loader knows.
    @Test("schema.json and the loader know the same keys")
    func schema() throws {
        let schema = try JSONReader.read(read("Rules/schema.json")).root
        let definitions = try #require(schema["$defs"])
        for keys in RulesKeys.allCases {
            let properties = try #require(definitions[keys.rawValue]?["properties"], "no section \(keys.rawValue)")
            #expect(properties.keys.sorted() == keys.names.sorted(), "\(keys.rawValue)")
            for key in properties.keys {
                let property = try #require(properties[key])
                let hasDescription = property["description"] != nil || property["$ref"] != nil
                #expect(hasDescription, "\(keys.rawValue).\(key) needs a description")
            }
        }
        let sections = definitions.keys.filter { definitions[$0]?["properties"] != nil }
        #expect(sections.sorted() == RulesKeys.allCases.map(\.rawValue).sorted())
    }

    @Test("docs/rules-language.md: its example loads, and it names every key and function")
    func documentation() throws {
        let text = String(decoding: try read("docs/rules-language.md"), as: UTF8.self)
        let afterFence = try #require(text.split(separator: "```yaml\n", maxSplits: 1).last)
        let example = try #require(afterFence.split(separator: "```", maxSplits: 1).first)
        #expect(complaints(String(example)) == [])
        for key in RulesKeys.allCases.flatMap(\.names) {
            #expect(text.contains("`\(key)") || example.contains("\(key):"), "\(key) is not documented")
        }
        for function in Syntax.Function.allCases {
            #expect(text.contains("`\(function.rawValue)(x"), "\(function.rawValue) is not documented")
        }
    }
}

extension YAMLNode {
    fileprivate var keys: [String] {
        if case .mapping(let entries) = content { entries.map(\.key) } else { [] }
    }

    fileprivate subscript(_ key: String) -> YAMLNode? {
        if case .mapping(let entries) = content { entries.first { $0.key == key }?.value } else { nil }
    }
}
