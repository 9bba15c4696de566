// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules
@testable import LaurelYAML

/// Untrusted expressions: each is refused, or gives a finite number. Tests/Fuzz tests whole files.
@Suite("Fuzz")
struct FuzzTests {
    private static let seed: UInt64 = 0x1A0_2E1

    private static let expression =
        "default(a, 1) + min(b, 2.5, -c) * 3 >= 4 && !p || s in ['x', \"y\"] ? floor(a % 2) : has(t) ? null : 1e3"
    private static let tokens = [
        "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", "?", ":", "&&", "||", "!", "==", "!=", "<", ">=", " in ",
        "null",
        "true", "a", "p", "s", "zz", "1", "0", "1e308", "'x'", "\"\\u00e9\"", "min(", "default(", "has(", "\u{0}", "é",
    ]

    @Test("5,000 mutations of an expression")
    func expressions() {
        var random = SeededGenerator(seed: Self.seed)
        let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["solo", nil])
        var right = 0
        for round in 0..<5_000 {
            let source = String(decoding: mutate(Array(Self.expression.utf8), Self.tokens, &random), as: UTF8.self)
            guard let value = try? inputs.evaluate(source) else { continue }
            right += 1
            if case .number(let number) = value {
                #expect(number.isFinite, "seed \(Self.seed), round \(round): \(source)")
            }
        }
        #expect(right > 25)
    }

    @Test("5,000 expressions of random tokens")
    func tokenSoup() {
        var random = SeededGenerator(seed: Self.seed)
        let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["solo", nil])
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...12, using: &random)
            let source = (0..<count).map { _ in Self.tokens.randomElement(using: &random)! }.joined()
            _ = try? inputs.evaluate(source)
        }
    }

    /// Makes one to four edits: a byte changed, bytes removed, a token inserted, or a piece copied elsewhere.
    private func mutate(_ bytes: [UInt8], _ tokens: [String], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random)!
            let end = min(bytes.count, index + Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random)!.utf8, at: index)
            default:
                let piece = Array(bytes[index..<end])
                bytes.insert(contentsOf: piece, at: bytes.indices.randomElement(using: &random)!)
            }
        }
        return bytes
    }
}
