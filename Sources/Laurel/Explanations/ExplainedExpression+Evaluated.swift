// SPDX-License-Identifier: Apache-2.0

import LaurelResults
import LaurelRules

extension ExplainedExpression {
    init(_ expression: EvaluatedExpression) {
        self.init(
            source: expression.source,
            substituted: expression.substituted,
            values: expression.inputs.map { NamedValue(name: $0.name, value: Value($0.value)) },
            value: Value(expression.value)
        )
    }
}

extension ExplainedExpression.Value {
    init(_ value: ExpressionValue) {
        switch value {
        case .null: self = .null
        case .number(let number): self = .number(number)
        case .boolean(let boolean): self = .boolean(boolean)
        case .text(let text): self = .text(text)
        }
    }
}

extension Program {
    /// The expression as text, with the values of its names in a frame.
    func explanation(_ frame: Frame) -> ExplainedExpression { ExplainedExpression(explained(frame)) }
}
