// SPDX-License-Identifier: Apache-2.0

/// The operation of a step: an operator of expressions, or the use of a result by metrics, XP rules and achievements.
@usableFromInline
package enum Opcode: UInt8, Sendable, BitwiseCopyable {
    // Two numbers → one.
    case add, subtract, multiply, divide, remainder, minimum, maximum
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or, fallback
    // The same operators for operands that are never null.
    case sureEqual, sureNotEqual, sureLess, sureLessOrEqual, sureGreater, sureGreaterOrEqual, sureAnd, sureOr
    /// For operands that are never null: `first` is at least `second`, and `third` holds; `first` is at least `second`,
    /// and `third` equals `fourth`.
    case andAtLeast, atLeastAndEqual
    // One number → one.
    case negate, not, floor, ceil, round, abs, has, isNull
    // A number, and the start and length of a list of constants.
    case inNumbers
    // A condition and two numbers → one.
    case select
    // Texts.
    case equalText, notEqualText, lessText, lessOrEqualText, greaterText, greaterOrEqualText
    case hasText, isNullText, inTexts, fallbackText, selectText

    // Metrics, in two windows at once. `count` has no operand, the others have a value; null is ignored.
    case count, countIf, sum, run, last
    /// A count of events that have `first`; a sum of `first`, or of `third`, which is never null, if `first` is null.
    case countHas, sumOr
    /// Runs. Their conditions, in this order: `first` is at least `second`; `first` equals `second`; `first` or
    /// `second` holds; `first` does not hold; `first` is at least `second` or `fourth`, which is never null, holds;
    /// `first` is not at least `second`, or is null. The other window is `third`.
    case runAtLeast, runExactly, runEither, runUnless, runAtLeastOr, runUnlessAtLeast
    /// Aggregates of metric `third` that the host keeps: one that combines with `first`, and those that count by the
    /// key in `second`.
    case combine, keyByNumber, keyByText
    // XP rule `third`. The next `second` steps are skipped if its period or its `when` does not hold; `first` is
    // awarded.
    case periodOfRule, whenOfRule, award
    /// Calls the host if the value of achievement `third`, in `first`, exceeds the bound in `second`. Skips the next
    /// `result` steps if the host has then settled all achievements.
    case watch
    /// Skips the next `second` steps unless `first` holds.
    case skipUnless
    /// Copies `first` to `result`.
    case set
    // Calls of the host. `judge` judges the day. `credit` credits the awards, and sets `result` to null. `achieve`
    // evaluates the achievements, and may skip the next `second` steps, which watch them. `perform` does operation
    // `third`.
    case judge, credit, achieve, perform
    case end

    /// The form for operands that are never null; nil if it would not be faster.
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

    /// The form of a comparison that gives false if an operand is null; nil if there is none.
    var orFalse: Opcode? { self == .notEqual ? nil : sure.flatMap { $0 == .sureAnd || $0 == .sureOr ? nil : $0 } }

    /// True if the result is never null when no operand is. Arithmetic may overflow, which gives null.
    var keepsSure: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder: false
        default: true
        }
    }

    /// The numbers of operands: numbers (including conditions) and texts; and true if the result is a text.
    var signature: (numbers: Int, texts: Int, givesText: Bool) {
        switch self {
        case .negate, .not, .floor, .ceil, .round, .abs, .has, .isNull, .inNumbers: (1, 0, false)
        case .select: (3, 0, false)
        case .equalText, .notEqualText, .lessText, .lessOrEqualText, .greaterText, .greaterOrEqualText: (0, 2, false)
        case .hasText, .isNullText, .inTexts: (0, 1, false)
        case .fallbackText: (0, 2, true)
        case .selectText: (1, 2, true)
        default: (2, 0, false)
        }
    }
}
