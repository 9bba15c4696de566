// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

/// Expressions with every name replaced by its value.
@Suite("Evaluated expressions")
struct EvaluatedExpressionTests {
    typealias Case = Row<String, String>

    /// a = 7, b = -2.5, c is null, p is true, q is null, s is `so"lo`, t is null.
    private static let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["so\"lo", nil])

    @Test(
        "Substituted",
        arguments: [
            Case("a constant", "50", "50"),
            Case("a name alone", "a", "7"),
            Case("a negative name alone", "b", "-2.5"),
            Case("blanks and parentheses stay", "( 1 -  a/2 ) * 30", "( 1 -  7/2 ) * 30"),
            Case("a name that comes twice", "a + a * a", "7 + 7 * 7"),
            Case("negative behind an operator", "a - b", "7 - (-2.5)"),
            Case("negative behind a sign", "-b", "-(-2.5)"),
            Case("negative behind a comma", "max(a, b)", "max(7, -2.5)"),
            Case("null", "default(c, 1) + 1", "default(null, 1) + 1"),
            Case("booleans", "p && !q ? 1 : 2", "true && !null ? 1 : 2"),
            Case("text in quotes", "s == 'a' || t == null", #""so\"lo" == 'a' || null == null"#),
            Case("names within text stay", "s in ['a', \"b\"]", #""so\"lo" in ['a', "b"]"#),
            Case("a name that begins as another word", "has(a) && true", "has(7) && true"),
        ]
    )
    func substituted(_ row: Case) throws {
        #expect(try Self.inputs.explain(row.input).substituted == row.expected)
    }

    @Test("The value and the inputs")
    func values() throws {
        let explained = try Self.inputs.explain("s == null ? c : a + a")
        #expect(explained.source == "s == null ? c : a + a")
        #expect(explained.value == .number(14))
        #expect(explained.inputs.map(\.name) == ["s", "c", "a"])
        #expect(explained.inputs.map(\.value) == [.text("so\"lo"), .null, .number(7)])
    }

    @Test("Long texts are cut, letters left whole")
    func longTexts() throws {
        let inputs = Inputs(texts: [String(repeating: "é", count: 100), nil])
        #expect(try inputs.explain("s").substituted == "\"\(String(repeating: "é", count: 60))…\"")
    }

    @Test("What stands there gives the same value, in 500 random expressions")
    func equivalence() throws {
        let seed: UInt64 = 0xE_4A1
        var random = SeededGenerator(seed: seed)
        var compared = 0
        for round in 0..<500 {
            let source = Self.number(depth: 4, &random)
            let numbers = (0..<3).map { _ in Double(Int.random(in: -400...400, using: &random)) / 8 }
            let inputs = Inputs(numbers: numbers + [1, 0], texts: ["x", "y"])
            let explained = try inputs.explain(source)
            if explained.substituted != source { compared += 1 }
            let value = try Inputs().evaluate(explained.substituted)
            #expect(value == explained.value, "seed \(seed), round \(round): \(source), \(explained.substituted)")
        }
        #expect(compared > 250)
    }

    private static func number(depth: Int, _ random: inout SeededGenerator) -> String {
        guard depth > 0 else { return ["a", "b", "c", "2", "0.5"].randomElement(using: &random)! }
        func part() -> String { number(depth: depth - 1, &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "\(part())-\(part())"
        case 1: return "(\(part()) + \(part()))"
        case 2: return "\(part()) * -\(part())"
        case 3: return "min(\(part()), \(part()))"
        case 4: return "(\(part()) / \(part()))"
        default: return "(\(part()) > \(part()) && p ? \(part()) : default(\(part()), 1))"
        }
    }
}
