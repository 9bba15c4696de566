// SPDX-License-Identifier: Apache-2.0

/// A compiled expression.
package struct Program: Sendable, CustomStringConvertible {
    /// The type, never `.null`. An expression that is always null has the type that its place in the rules requires.
    package let staticType: ValueType
    /// The names in the expression, in the order of their first occurrence.
    package let usedSlots: [NamedSlot]
    /// The syntax tree, stored for explanations. Its nodes contain their ranges in the text.
    let syntax: Syntax
    /// The code that a ``StepCompiler`` turns into steps.
    let code: PostfixCode
    /// The compiled form for evaluations outside the fold.
    let calculation: Calculation

    init(syntax: Syntax, type: ValueType, names: [NamedSlot], code: PostfixCode) {
        staticType = type
        usedSlots = names
        self.syntax = syntax
        self.code = code
        calculation = Calculation(code, inputs: names.map(\.slot), givesText: type == .text)
    }

    /// The expression as written in the rules.
    package var source: String { syntax.source }
    package var description: String { source }

    /// The value if it is the same for every event; else nil. NaN stands for null, and 0 or 1 is the value of a
    /// condition.
    package var constantNumber: Double? {
        if code.count == 1, case .number(let number) = code.steps[0] { number } else { nil }
    }

    /// The value of a number or of a condition (0 or 1); NaN for null.
    /// - Complexity: O(length of the expression). To evaluate many expressions, it is faster to run their steps in a
    ///   frame.
    package func number(_ frame: Frame) -> Double { calculation.number(frame) }
    /// True if the condition is true. Null counts as false.
    package func isTrue(_ frame: Frame) -> Bool { number(frame) == 1 }
    /// The value of a text expression.
    package func text(_ frame: Frame) -> ExpressionValue {
        withExtendedLifetime(calculation) { ExpressionValue(calculation.text(frame)) }
    }
}

/// A value, as explanations show it.
package enum ExpressionValue: Sendable, Equatable {
    case null
    case number(Double)
    case boolean(Bool)
    case text(String)
}

extension Program {
    /// The names in the expression with their values in `frame`, in the order of their first occurrence.
    package func inputs(_ frame: Frame) -> [(name: String, value: ExpressionValue)] {
        usedSlots.map { named in
            switch named.slot {
            case .track(let index): (named.name, ExpressionValue(frame.track[index], named.type))
            case .event(let index): (named.name, ExpressionValue(frame.event[index], named.type))
            case .text(let index): (named.name, ExpressionValue(frame.texts[index]))
            }
        }
    }

    /// The value in `frame`.
    package func value(_ frame: Frame) -> ExpressionValue {
        staticType == .text ? text(frame) : ExpressionValue(number(frame), staticType)
    }
}

extension ExpressionValue {
    init(_ number: Double, _ type: ValueType) {
        self = number.isNaN ? .null : type == .boolean ? .boolean(number == 1) : .number(number)
    }

    init(_ slice: TextSlice) {
        guard let start = slice.start else {
            self = .null
            return
        }
        self = .text(String(decoding: UnsafeBufferPointer(start: start, count: slice.count), as: UTF8.self))
    }
}
