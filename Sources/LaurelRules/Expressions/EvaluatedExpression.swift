// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// An expression with the values that its names had when it was evaluated. Creating an instance copies the values.
/// Texts are built only when they are read.
package struct EvaluatedExpression: Sendable {
    private let program: Program
    /// The values, in the order of ``Program/usedSlots``.
    private let values: [ExpressionValue]
    package let value: ExpressionValue

    init(_ program: Program, _ frame: Frame) {
        self.program = program
        values = program.inputs(frame).map(\.value)
        value = program.value(frame)
    }

    /// The expression as written in the rules: `(1 - session.errors / session.lines) * 30`.
    package var source: String { program.source }

    /// The names in the expression and their values, in the order of their first occurrence.
    package var inputs: [(name: String, value: ExpressionValue)] {
        zip(program.usedSlots, values).map { ($0.name, $1) }
    }

    /// The expression with each name replaced by its value: `(1 - 2 / 12) * 30`.
    package var substituted: String {
        let known = Dictionary(inputs.map { ($0.name, $0.value) }) { first, _ in first }
        let source = Array(program.source.utf8)
        var text: [UInt8] = []
        var position = 0
        for node in program.syntax.nodes.sorted(by: { $0.offset < $1.offset }) {
            guard case .name(let name) = node.kind, let value = known[name] else { continue }
            text += source[position..<node.offset]
            text += value.literal(after: text.last { $0 > 0x20 }).utf8
            position = node.offset + name.utf8.count
        }
        return String(decoding: text + source[position...], as: UTF8.self)
    }
}

extension Program {
    package func explained(_ frame: Frame) -> EvaluatedExpression { EvaluatedExpression(self, frame) }
}

extension ExpressionValue {
    /// The value in the syntax of expressions. Long texts are cut.
    package var literal: String {
        switch self {
        case .null: "null"
        case .number(let number): number.brief
        case .boolean(let value): value ? "true" : "false"
        case .text(let text): ExpressionLiteral.spell(text)
        }
    }

    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The value in the syntax of expressions. A negative number after an operator is put in parentheses, so that its
    /// sign is not misread.
    fileprivate func literal(after byte: UInt8?) -> String {
        guard let number, number < 0, let byte, "+-*/%!".utf8.contains(byte) else { return literal }
        return "(\(literal))"
    }
}
