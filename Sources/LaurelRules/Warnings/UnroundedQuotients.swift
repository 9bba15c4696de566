// SPDX-License-Identifier: Apache-2.0

/// Finds quotients that are used in further arithmetic before the result is rounded to a whole number.
///
/// A double cannot represent most quotients exactly: `(1 - 3 / 10) * 30` is 20.999999999999996, which rounds down to
/// 20.
struct UnroundedQuotients {
    /// The way in which an expression uses the value of a node.
    private enum Use {
        /// The value is never rounded to a whole number.
        case open
        /// The value itself is rounded to a whole number.
        case rounded
        /// The value is used in arithmetic whose result is rounded to a whole number.
        case computedWith
    }

    private(set) var findings: [ExpressionWarnings.Finding] = []

    /// - Parameter isAward: true if the result of the whole expression is rounded down.
    /// - Complexity: O(nodes)
    init(_ syntax: Syntax, _ ranges: [ValueRange], isAward: Bool) {
        var uses = Array(repeating: Use.open, count: syntax.nodes.count)
        if isAward { uses[uses.endIndex - 1] = .rounded }
        for (index, node) in syntax.nodes.enumerated().reversed() {
            let isWhole = node.operands.map { ranges[$0].numbers?.isWhole ?? false }
            let use = Self.use(ofOperandsOf: node.kind, isWhole, usedAs: uses[index])
            for operand in node.operands { uses[operand] = use }
            guard case .binary(.divide) = node.kind, uses[index] == .computedWith else { continue }
            let text = syntax.text(of: index)
            let message =
                "`\(text)` may be inexact and goes into further arithmetic before it is rounded, which can change the "
                + "result by 1: divide last, as in `a * b / c`, or write `round(\(text))`"
            findings.append(.init(range: node.range, message: message))
        }
    }

    private static func use(ofOperandsOf kind: Syntax.Kind, _ isWhole: [Bool], usedAs use: Use) -> Use {
        switch kind {
        case .function(.floor), .function(.ceil), .function(.round): .rounded
        case .function(.min), .function(.max), .function(.abs), .function(.fallback), .conditional: use
        case .negate, .binary(.remainder): use
        // Adding a whole number moves the quotient and the nearest doubles by the same amount, so the addition causes
        // no incorrect rounding.
        case .binary(.add) where isWhole.contains(true), .binary(.subtract) where isWhole.contains(true): use
        case .binary(.add), .binary(.subtract), .binary(.multiply), .binary(.divide):
            use == .open ? .open : .computedWith
        default: .open
        }
    }
}
