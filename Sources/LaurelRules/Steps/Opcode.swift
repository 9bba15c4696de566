// SPDX-License-Identifier: Apache-2.0

/// What a step does: an operator of expressions, or what metrics, XP rules and achievements do with their results.
@usableFromInline
package enum Opcode: UInt8, Sendable, BitwiseCopyable {
    // Two numbers → one.
    case add, subtract, multiply, divide, remainder, minimum, maximum
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or, fallback
    // The same of operands that are never null.
    case sureEqual, sureNotEqual, sureLess, sureLessOrEqual, sureGreater, sureGreaterOrEqual, sureAnd, sureOr
    /// Of operands that are never null: whether `first` is at least `second`, and `third`; and `third` is `fourth`.
    case andAtLeast, atLeastAndEqual
    // One number → one.
    case negate, not, floor, ceil, round, abs, has, isNull
    // A number, and where a list of constants starts and how long it is.
    case inNumbers
    // A condition and two numbers → one.
    case select
    // Texts.
    case equalText, notEqualText, lessText, lessOrEqualText, greaterText, greaterOrEqualText
    case hasText, isNullText, inTexts, fallbackText, selectText

    // Metrics, in two windows at once. `count` takes none, the others a value: null takes no part.
    case count, countIf, sum, run, last
    /// A count of events that have `first`; a sum of `first`, or of `third`, which is never null, where that is null.
    case countHas, sumOr
    /// A run whose condition is that `first` is at least, or exactly, what `second` is; that `first` or `second` holds; that
    /// `first` does not; that `first` is at least `second`, or `fourth`, which is never null, holds; that `first` is not at least
    /// `second`, as where it is null. The other window is `third`.
    case runAtLeast, runExactly, runEither, runUnless, runAtLeastOr, runUnlessAtLeast
    /// Aggregates that the host keeps, of metric `third`: one that combines with `first`, and what counts by the key in `second`.
    case combine, keyByNumber, keyByText
    // XP rule `third`: skips the next `second` steps where its period or its `when` does not hold; awards `first`.
    case periodOfRule, whenOfRule, award
    /// Tells the host of achievement `third` where its value, `first`, is above the bound in `second`; skips the next
    /// `result` steps where the host then has settled all.
    case watch
    /// Skips the next `second` steps unless `first` holds.
    case skipUnless
    /// Puts `first` into `result`.
    case set
    // What the host does between them: judges the day; credits what was awarded, leaving null in `result`; goes through
    // the achievements, after which it may pass over the next `second` steps, which watch them; does thing `third`.
    case judge, credit, achieve, perform
    case end

    /// The form for operands that are never null; nil if it would be no cheaper.
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

    /// A comparison's form that gives false where an operand is null; nil if there is none.
    var orFalse: Opcode? { self == .notEqual ? nil : sure.flatMap { $0 == .sureAnd || $0 == .sureOr ? nil : $0 } }

    /// True if the result of operands that are never null is never null. Arithmetic may leave the finite numbers.
    var keepsSure: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder: false
        default: true
        }
    }

    /// What an operator takes: numbers (conditions among them) and texts, and whether it gives a text.
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
