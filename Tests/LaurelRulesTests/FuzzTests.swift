import Testing

@testable import LaurelRules
@testable import LaurelYAML

/// Input from outside never crashes: whatever it is, it is read or refused.
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

    private static let rules = """
        version: 1
        name: &n fuzz
        calendar: {default_timezone: UTC, day_starts_at: "04:00", week_starts_on: monday}
        events: {quest.finished: {difficulty: number, kind: text}}
        metrics:
          lines: {count: line.spoken, where: "event.accuracy > 0.5", by: event.role}
          run: {run: [line.spoken], while: 'event.accuracy >= 0.9'}
        streak: {when: day.lines >= 1, freezes: {earn_every: 7, hold: 2}, rest_days: [sunday]}
        xp: [{id: a, on: line.spoken, award: "earned * min(streak.current, 5)", daily_cap: 10}]
        levels: {xp_for: "n < 20 ? 50 * n * (n - 1) : null"}
        mastery: {scheduler: fsrs, learned_at: 3}
        cefr: {score: words.learned, bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
        achievements: [{id: b, value: session.lines, at_least: [1, 2], requires: [], xp: 5}]
        tests: [{name: *n, events: [{type: line.spoken, time: T, data: {accuracy: 1}}], expect: {total.lines: 1}}]
        """

    @Test("20,000 mutations of an expression")
    func expressions() {
        var random = SeededGenerator(state: Self.seed)
        let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["solo", nil])
        var right = 0
        for round in 0..<20_000 {
            let source = String(decoding: mutate(Array(Self.expression.utf8), Self.tokens, &random), as: UTF8.self)
            guard let value = try? inputs.evaluate(source) else { continue }
            right += 1
            if case .number(let number) = value {
                #expect(number.isFinite, "seed \(Self.seed), round \(round): \(source)")
            }
        }
        #expect(right > 100)
    }

    @Test("20,000 expressions of random tokens")
    func tokenSoup() {
        var random = SeededGenerator(state: Self.seed)
        let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["solo", nil])
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &random)
            let source = (0..<count).map { _ in Self.tokens.randomElement(using: &random)! }.joined()
            _ = try? inputs.evaluate(source)
        }
    }

    @Test("20,000 mutations of a rules file")
    func files() throws {
        _ = try load(Self.rules)
        var random = SeededGenerator(state: Self.seed)
        let tokens = Self.tokens + ["\n", "\n  ", ": ", "{", "}", "&n ", "*n", "|\n", "- ", "#", "\t", "---\n", "'"]
        for _ in 0..<20_000 {
            let bytes = mutate(Array(Self.rules.utf8), tokens, &random)
            do throws(RulesError) {
                _ = try RuleSet(yaml: bytes, file: "fuzz.yaml") { $0 == "UTC" }
            } catch {
                #expect(!error.diagnostics.isEmpty)
            }
        }
    }

    /// One to four edits: a byte changed, bytes removed, a token put in, or a piece copied elsewhere.
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
