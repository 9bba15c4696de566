// SPDX-License-Identifier: Apache-2.0

@_exported public import SeededRandom
import Testing

@testable import LaurelRules
@testable import LaurelYAML

/// A row of a table test, shown by its name.
struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
    let input: Input
    let expected: Output
    let name: String

    init(_ name: String, _ input: Input, _ expected: Output) {
        self.name = name
        self.input = input
        self.expected = expected
    }

    var testDescription: String { name }
}

func load(_ yaml: String, file: String = "rules.yaml") throws(RulesError) -> RuleSet {
    try RuleSet(yaml: Array(yaml.utf8), file: file) { ["UTC", "Europe/Berlin"].contains($0) }
}

/// The mistakes in a rules file, one per line; empty if there are none.
func complaints(_ yaml: String) -> [String] {
    do throws(RulesError) {
        return try load(yaml).warnings.map(\.description)
    } catch {
        return error.diagnostics.map(\.description)
    }
}

/// Values for the names of a test: numbers `a`, `b`, `c`; booleans `p`, `q`; texts `s`, `t`; `nil` is null.
struct Inputs {
    var numbers: [Double] = [.nan, .nan, .nan, .nan, .nan]
    var texts: [String?] = [nil, nil]

    static let names = ["a", "b", "c", "p", "q"]

    static func resolve(_ name: String) -> NameResolution {
        if let index = names.firstIndex(of: name) { return .slot(.event(index), index < 3 ? .number : .boolean) }
        switch name {
        case "s": return .slot(.text(0), .text)
        case "t": return .slot(.text(1), .text)
        default: return .failure(message: "unknown name `\(name)`", suggestion: nil)
        }
    }

    func evaluate(_ source: String) throws -> ExpressionValue { try explain(source).value }

    func explain(_ source: String) throws -> EvaluatedExpression {
        let program = try Compiler.compile(source, for: "it", expecting: nil, resolve: Self.resolve).get()
        let utf8 = texts.map { $0.map { Array($0.utf8) } }
        let first = utf8[0] ?? []
        let second = utf8[1] ?? []
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
                let empty: [UInt8] = [0]
                return empty.withUnsafeBufferPointer { empty in
                    let slices = [
                        utf8[0] == nil
                            ? TextSlice()
                            : TextSlice(start: first.baseAddress ?? empty.baseAddress, count: first.count),
                        utf8[1] == nil
                            ? TextSlice()
                            : TextSlice(start: second.baseAddress ?? empty.baseAddress, count: second.count),
                    ]
                    return numbers.withUnsafeBufferPointer { numbers in
                        slices.withUnsafeBufferPointer { slices in
                            program.explained(
                                Frame(
                                    track: numbers.baseAddress!,
                                    event: numbers.baseAddress!,
                                    texts: slices.baseAddress!
                                )
                            )
                        }
                    }
                }
            }
        }
    }
}
