// SPDX-License-Identifier: Apache-2.0

/// The operation of a step. It is an operator of expressions, or an operation of metrics, XP rules and achievements
/// that uses the result of an expression.
@usableFromInline
package enum Opcode: UInt8, Sendable, BitwiseCopyable {
    // Operands: two numbers. Result: a number.
    case add, subtract, multiply, divide, remainder, minimum, maximum
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or, fallback
    // The operators of the previous line, for operands that are never null.
    case sureEqual, sureNotEqual, sureLess, sureLessOrEqual, sureGreater, sureGreaterOrEqual, sureAnd, sureOr
    /// Operators for operands that are never null. `andAtLeast`: `first` ≥ `second`, and `third` is true.
    /// `atLeastAndEqual`: `first` ≥ `second`, and `third` equals `fourth`.
    case andAtLeast, atLeastAndEqual
    // Operand: one number. Result: a number.
    case negate, not, floor, ceil, round, abs, has, isNull
    // Operands: a number, and the start and length of a list of constants. Result: a condition.
    case inNumbers
    // Operands: a condition and two numbers. Result: one of the numbers.
    case select
    // Operands: texts.
    case equalText, notEqualText, lessText, lessOrEqualText, greaterText, greaterOrEqualText
    case hasText, isNullText, inTexts, fallbackText, selectText, dayOfText

    // Updates of a metric in two windows at once. `count` has no operand, and each of the others has one. If the
    // operand is null, the metric does not change.
    case count, countIf, sum, run, last
    /// `countHas` counts the events in which `first` is not null. `sumOr` adds `first`; if `first` is null, it adds
    /// `third`, which is never null.
    case countHas, sumOr
    /// Updates of a `run` metric in the windows `result` and `third`. Each includes a condition:
    /// - `runAtLeast`: `first` ≥ `second`
    /// - `runExactly`: `first` equals `second`
    /// - `runEither`: `first` or `second` is true
    /// - `runUnless`: `first` is false
    /// - `runAtLeastOr`: `first` ≥ `second`, or `fourth` is true, which is never null
    /// - `runUnlessAtLeast`: `first` < `second`, or one of them is null
    case runAtLeast, runExactly, runEither, runUnless, runAtLeastOr, runUnlessAtLeast
    /// Updates of metric `third` that the host of the program makes. `combine` combines the metric with `first`. The
    /// other two count by key. The key is in `second`, as a number or a text.
    case combine, keyByNumber, keyByText
    // Steps of XP rule `third`. `periodOfRule` and `whenOfRule` skip the next `second` steps if the day is outside the
    // period or `when` is not true. `award` awards `first`.
    case periodOfRule, whenOfRule, award
    /// Calls the host if `first`, the value of achievement `third`, exceeds the bound in `second`. If the host then
    /// evaluates all achievements, the next `result` steps are skipped.
    case watch
    /// Skips the next `second` steps unless `first` is true.
    case skipUnless
    /// Copies `first` to `result`.
    case set
    // Calls of the host. `judge` decides whether the day is active. `credit` credits the awards, and sets `result` to
    // null. `achieve` evaluates the achievements; it may skip the next `second` steps, which watch achievements.
    // `perform` executes the host's operation `third`.
    case judge, credit, achieve, perform
    case end

    /// The opcode for operands that are never null; nil if such an opcode would not be faster.
    var sure: Opcode? {
        switch self {
        case .equal: .sureEqual
        case .notEqual: .sureNotEqual
        case .less: .sureLess
        case .lessOrEqual: .sureLessOrEqual
        case .greater: .sureGreater
        case .greaterOrEqual: .sureGreaterOrEqual
        case .and: .sureAnd
        case .or: .sureOr
        default: nil
        }
    }

    /// The opcode of a comparison whose result is false instead of null if an operand is null; nil if there is none.
    var orFalse: Opcode? { self == .notEqual ? nil : sure.flatMap { $0 == .sureAnd || $0 == .sureOr ? nil : $0 } }

    /// True if the result is never null as long as no operand is null. False for arithmetic, which may overflow and
    /// then gives null.
    var keepsNonNull: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder: false
        default: true
        }
    }

    /// The number of numeric operands (including conditions), and the number of text operands. `givesText` is true if
    /// the result is a text.
    var signature: (numbers: Int, texts: Int, givesText: Bool) {
        switch self {
        case .negate, .not, .floor, .ceil, .round, .abs, .has, .isNull, .inNumbers: (1, 0, false)
        case .select: (3, 0, false)
        case .equalText, .notEqualText, .lessText, .lessOrEqualText, .greaterText, .greaterOrEqualText: (0, 2, false)
        case .hasText, .isNullText, .inTexts, .dayOfText: (0, 1, false)
        case .fallbackText: (0, 2, true)
        case .selectText: (1, 2, true)
        default: (2, 0, false)
        }
    }
}
