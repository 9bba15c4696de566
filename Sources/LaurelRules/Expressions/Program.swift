// SPDX-License-Identifier: Apache-2.0

/// A compiled expression.
package struct Program: Sendable, CustomStringConvertible {
    /// Never `.null`: what is always null counts as the type its place calls for.
    package let staticType: ValueType
    /// The names it reads, in the order written, each once.
    package let usedSlots: [NamedSlot]
    /// Kept for explanations; its nodes know where in the text they stand.
    let syntax: Syntax
    /// What a ``StepCompiler`` makes steps of.
    let code: PostfixCode
    /// For those who evaluate it by itself.
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

    /// The value where it is the same for every event: NaN for null, 0 or 1 for a condition; nil where it is not.
    package var constantNumber: Double? {
        if code.count == 1, case .number(let number) = code.steps[0] { number } else { nil }
    }

    /// The value of a number or of a condition (0 or 1); NaN is null.
    /// - Complexity: O(length of the expression). Many evaluations are cheaper as steps of a frame of their own.
    package func number(_ frame: Frame) -> Double { calculation.number(frame) }
    /// True if a condition holds: null does not.
    package func isTrue(_ frame: Frame) -> Bool { number(frame) == 1 }
    /// The value of an expression that is text.
    package func text(_ frame: Frame) -> ExpressionValue {
        withExtendedLifetime(calculation) { ExpressionValue(calculation.text(frame)) }
    }
}

/// A value as a person reads it, for explanations.
package enum ExpressionValue: Sendable, Equatable {
    case null
    case number(Double)
    case boolean(Bool)
    case text(String)
}

extension Program {
    /// The names that the expression reads with the values they have in `frame`.
    package func inputs(_ frame: Frame) -> [(name: String, value: ExpressionValue)] {
        usedSlots.map { named in
            switch named.slot {
            case .track(let index): (named.name, ExpressionValue(frame.track[index], named.type))
            case .event(let index): (named.name, ExpressionValue(frame.event[index], named.type))
            case .text(let index): (named.name, ExpressionValue(frame.texts[index]))
            }
        }
    }

    /// Its value in `frame`.
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
