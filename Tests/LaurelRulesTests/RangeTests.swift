// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

/// The basis of warnings: the value of an expression is always in its range.
@Suite("Ranges of expressions")
struct RangeTests {
    private static let seed: UInt64 = 0x2A11_6E5

    /// The ranges of the test's names; `a`, `b` and `p` are never null.
    private static let ranges: [String: ValueRange] = [
        "a": .number(NumberRange(low: 0, high: 1)),
        "b": .number(NumberRange(low: -3, high: 4, isWhole: true)),
        "c": .number(NumberRange(low: 0, isWhole: true), orNull: true),
        "p": .truth(true, true),
        "q": .truth(true, true, orNull: true),
        "s": ValueRange(content: .texts(["x", "y"]), mayBeNull: false),
        "t": ValueRange(content: .texts(nil), mayBeNull: true),
    ]

    @Test("3,000 random expressions, with ten inputs each")
    func sound() throws {
        var random = SeededGenerator(seed: Self.seed)
        var told = 0
        for round in 0..<3_000 {
            let source = round % 2 == 0 ? number(4, &random) : condition(4, &random)
            let program = try Compiler.compile(source, for: "it", expecting: nil, resolve: Inputs.resolve).get()
            let range = RangeAnalysis(program.syntax) { Self.ranges[$0] ?? .null }.result
            if range != .any(program.staticType) { told += 1 }
            for _ in 0..<10 {
                let inputs = inputs(&random)
                let value = try inputs.evaluate(source)
                #expect(range.holds(value), "seed \(Self.seed), round \(round): \(source) = \(value), \(inputs)")
            }
        }
        #expect(told > 1_000)
    }

    private func inputs(_ random: inout SeededGenerator) -> Inputs {
        func orNull(_ value: Double) -> Double { Int.random(in: 0..<4, using: &random) == 0 ? .nan : value }
        let a = [0, 1, 0.5, Double.random(in: 0...1, using: &random)].randomElement(using: &random)!
        let b = Double(Int.random(in: -3...4, using: &random))
        let c = orNull([0, 1, 7, 1e6].randomElement(using: &random)!)
        let p = Double(Int.random(in: 0...1, using: &random))
        let q = orNull(Double(Int.random(in: 0...1, using: &random)))
        let t = [nil, "x", "z"].randomElement(using: &random)!
        return Inputs(numbers: [a, b, c, p, q], texts: [["x", "y"].randomElement(using: &random)!, t])
    }

    private func number(_ depth: Int, _ random: inout SeededGenerator) -> String {
        func next() -> String { number(depth - 1, &random) }
        guard depth > 0, Int.random(in: 0..<5, using: &random) > 0 else {
            return ["a", "b", "c", "0", "1", "2.5", "-3", "null", "7"].randomElement(using: &random)!
        }
        switch Int.random(in: 0..<9, using: &random) {
        case 0...3: return "(\(next()) \(["+", "-", "*", "/", "%"].randomElement(using: &random)!) \(next()))"
        case 4: return "\(["floor", "ceil", "round", "abs", "-"].randomElement(using: &random)!)(\(next()))"
        case 5: return "min(\(next()), \(next()))"
        case 6: return "max(\(next()), \(next()), \(next()))"
        case 7: return "default(\(next()), \(next()))"
        default: return "(\(condition(depth - 1, &random)) ? \(next()) : \(next()))"
        }
    }

    private func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
        func next() -> String { condition(depth - 1, &random) }
        guard depth > 0, Int.random(in: 0..<5, using: &random) > 0 else {
            return ["p", "q", "true", "false", "s == 'x'", "t != s", "s in ['y', 'z']", "t in ['x']", "q in [true]"]
                .randomElement(using: &random)!
        }
        let number = number(depth - 1, &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0...3:
            let operation = ["==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
            return "(\(number) \(operation) \(self.number(depth - 1, &random)))"
        case 4: return "(\(next()) && \(next()))"
        case 5: return "(\(next()) || \(next()))"
        case 6: return "!(\(next()))"
        case 7: return "(\(number) in [0, 1, -3])"
        default: return "has(\(number))"
        }
    }
}

extension ValueRange {
    fileprivate func holds(_ value: ExpressionValue) -> Bool {
        switch (value, content) {
        case (.null, _): mayBeNull
        case (.number(let number), .numbers(let range)): range.contains(number)
        case (.boolean(let boolean), .booleans(let canBeTrue, let canBeFalse)): boolean ? canBeTrue : canBeFalse
        case (.text(let text), .texts(let texts)): texts.map { $0.contains(text) } ?? true
        default: false
        }
    }
}
