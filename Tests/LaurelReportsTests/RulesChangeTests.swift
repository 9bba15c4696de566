// SPDX-License-Identifier: Apache-2.0

import LaurelResults
import LaurelRules
import Testing

@testable import LaurelReports

/// Changes of rules as sentences for readers.
@Suite struct RulesChangeTests {
    private static let before = """
        version: 1
        metrics: {lines: {count: line.spoken}, words: {count: word.added}}
        streak: {when: day.lines >= 1}
        xp:
          - {id: line, on: line.spoken, award: 10, daily_cap: 500}
          - {id: word, on: word.added, award: 2}
          - {id: old, on: hint.used, award: 1}
        levels: {table: [0, 100, 300]}
        achievements:
          - {id: social, value: total.lines, at_least: 3}
          - {id: reader, value: total.words, at_least: 3}
        """

    private static let after = """
        version: 1
        metrics: {lines: {count: line.spoken}, words: {count: word.added}}
        streak: {when: day.lines >= 2}
        xp:
          - {id: word, on: word.added, award: 1 + 1}
          - {id: line, on: line.spoken, award: 12}
          - {id: new, on: hint.used, award: 3}
        levels: {table: [0, 120, 300]}
        achievements:
          - {id: reader, value: total.words, at_least: 2}
          - {id: social, value: total.lines, at_least: 5}
        """

    private static func rules(_ yaml: String) throws -> RuleSet {
        try RuleSet(yaml: Array(yaml.utf8), file: "rules.yaml") { _ in false }
    }

    /// The changes from the first rules to the second.
    private static func changes(_ before: String, _ after: String) throws -> [RulesChange] {
        let (old, new) = (try rules(before), try rules(after))
        return try RulesComparison(old, new).changes.map { change in
            let kind = try #require(RulesChange.Kind(rawValue: change.kind.rawValue))
            let part = try #require(RulesChange.Part(rawValue: change.part.rawValue))
            var result = RulesChange(kind, of: part, statement: change.statement)
            (result.id, result.key, result.before, result.after) = (change.id, change.key, change.before, change.after)
            return result
        }
    }

    private static func written(_ story: Story, _ text: LocaleText) -> String {
        text.spans(of: story).map { span in
            switch span {
            case .text(let text), .code(let text), .data(let text): text
            case .number(let number, _): "\(Int(number))"
            default: "?"
            }
        }.joined()
    }

    @Test(
        "An English sentence is the change's statement",
        arguments: [("forwards", before, after), ("backwards", after, before)]
    )
    func english(name: String, before: String, after: String) throws {
        let changes = try Self.changes(before, after)
        let kinds = Set(changes.map(\.kind))
        #expect(kinds.isSuperset(of: [.added, .removed, .moved, .changed]), "\(name): \(kinds)")
        for (change, sentence, _) in DifferenceStory.changes(changes) {
            // The page shows names as code, without backticks.
            let written = Self.written(sentence, .english).replacing("`", with: "")
            #expect(written == change.statement.replacing("`", with: ""), "\(name)")
        }
    }

    @Test(
        "A sentence in the reader's language",
        arguments: [
            ("de", "Erfolg social: at_least steigt von 3 auf 5", "Level 2 beginnt bei 120 XP statt bei 100"),
            ("fr", "succès social : at_least passe de 3 à 5", "le niveau 2 commence à 120 XP au lieu de 100"),
            ("ja", "実績social：at_leastが3から5に上がります", "レベル2は100ではなく120 XPから始まります"),
        ]
    )
    func translated(language: String, raised: String, level: String) throws {
        let text = try #require(LocaleText.shipped(for: language))
        let found = DifferenceStory.changes(try Self.changes(Self.before, Self.after)).map {
            Self.written($0.sentence, text)
        }
        #expect(found.contains(raised) && found.contains(level), "\(found)")
    }
}
