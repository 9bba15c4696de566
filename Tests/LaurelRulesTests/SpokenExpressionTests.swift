// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

/// Scores of rules in words, for people who do not know rules files.
@Suite("Expressions in words")
struct SpokenExpressionTests {
    typealias Case = Row<String, String>

    private func score(_ expression: String) throws -> String {
        let rules = try load(
            """
            version: 1
            metrics: {new_words: {count: word.added}, lines: {count: line.spoken}}
            cefr: {score: '\(expression)', bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
            """
        )
        return try #require(rules.cefr).score.spoken { $0 == "new_words" ? "new words" : $0 }
    }

    @Test(
        "Every operator and function",
        arguments: [
            Case("a name", "words.learned", "words learned"), Case("XP", "total.xp", "XP"),
            Case("a metric", "total.new_words", "new words"),
            Case("a sum", "words.known + 0.5 * total.lines", "words met plus 0.5 times lines"),
            Case("parentheses", "(words.known + 1) * 2", "(words met plus 1) times 2"),
            Case("no needless ones", "words.known - 1 - 2", "words met minus 1 minus 2"),
            Case("needed on the right", "words.known - (1 - 2)", "words met minus (1 minus 2)"),
            Case("division", "total.lines / 10 % 3", "(lines divided by 10) modulo 3"),
            Case("a choice", "level >= 3 ? words.mastered : 0", "words mastered if the level is at least 3, else 0"),
            Case(
                "conditions",
                "level < 3 && !(level == 2) || level != 1 ? 1 : 2",
                "1 if the level is below 3 and (not (the level is 2)) or the level is not 1, else 2"
            ),
            Case("bounds", "min(words.learned, 10, total.xp)", "the least of words learned, 10 and XP"),
            Case("rounding", "floor(total.xp / 2) + 1", "((XP divided by 2) rounded down) plus 1"),
            Case("the most", "max(streak.current, 3)", "the most of days of the streak and 3"),
            Case("a default", "default(total.lines, 0)", "lines, or 0 where there is none"),
            Case("a sign", "-words.known", "minus words met"),
            Case("a list", "level in [1, 2] ? 1 : 0", "1 if the level among 1, 2, else 0"),
        ]
    )
    func spoken(_ row: Case) throws { #expect(try score(row.input) == row.expected) }
}
