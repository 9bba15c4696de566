// SPDX-License-Identifier: Apache-2.0

/// Arithmetic written with one division, at its end: `(1 - a / b) * c` as `(b - a) * c / b`.
struct OneQuotient {
    /// A piece of an expression.
    private struct Term {
        var text: String
        var isSum = false
        /// A whole number that stands for itself.
        var constant: Int?
        var isOne: Bool { constant == 1 }

        static let one = Term(text: "1", constant: 1)

        static func * (a: Term, b: Term) -> Term {
            if a.isOne { return b }
            if b.isOne { return a }
            if let one = a.constant, let two = b.constant, one.magnitude < 1 << 20, two.magnitude < 1 << 20 {
                return Term(text: "\(one * two)", constant: one * two)
            }
            return Term(text: "\(a.asFactor) * \(b.asFactor)")
        }

        static func sum(_ a: Term, _ operation: String, _ b: Term) -> Term {
            let second = b.isSum && operation == "-" ? "(\(b.text))" : b.text
            return Term(text: "\(a.text) \(operation) \(second)", isSum: true)
        }

        var asFactor: String { isSum ? "(\(text))" : text }
    }

    private struct Fraction {
        var above: Term
        var below = Term.one
    }

    private let result: Fraction

    init?(_ syntax: Syntax, _ top: Int) {
        var fractions: [Int: Fraction] = [:]
        var members: Set<Int> = [top]
        var order: [Int] = []
        for index in stride(from: top, through: 0, by: -1) where members.contains(index) {
            order.append(index)
            if syntax.nodes[index].kind.isArithmetic { members.formUnion(syntax.nodes[index].operands) }
        }
        for index in order.reversed() {
            let node = syntax.nodes[index]
            let operands = node.operands.compactMap { fractions[$0] }
            switch node.kind {
            case .binary(let operation) where node.kind.isArithmetic:
                fractions[index] = Self.combined(operands[0], operation, operands[1])
            case .negate:
                fractions[index] = Fraction(
                    above: Term(text: "-" + operands[0].above.asFactor),
                    below: operands[0].below
                )
            default: fractions[index] = Fraction(above: Self.leaf(syntax, index))
            }
        }
        guard let result = fractions[top] else { return nil }
        self.result = result
    }

    var text: String {
        guard !result.below.isOne else { return result.above.text }
        let isProduct = result.below.constant == nil && result.below.text.contains("*")
        let below = isProduct ? "(\(result.below.text))" : result.below.asFactor
        return "\(result.above.asFactor) / \(below)"
    }

    private static func leaf(_ syntax: Syntax, _ index: Int) -> Term {
        let text = syntax.words(of: index)
        switch syntax.nodes[index].kind {
        case .number(let number): return Term(text: text, constant: Int(exactly: number))
        case .name, .function: return Term(text: text)
        default: return Term(text: "(\(text))")
        }
    }

    private static func combined(_ a: Fraction, _ operation: BinaryOperator, _ b: Fraction) -> Fraction {
        switch operation {
        case .multiply: return Fraction(above: a.above * b.above, below: a.below * b.below)
        case .divide: return Fraction(above: a.above * b.below, below: a.below * b.above)
        default:
            if a.below.text == b.below.text {
                return Fraction(above: .sum(a.above, operation.rawValue, b.above), below: a.below)
            }
            let sum = Term.sum(a.above * b.below, operation.rawValue, b.above * a.below)
            return Fraction(above: sum, below: a.below * b.below)
        }
    }
}
