/// One step of a compiled expression. Numbers and booleans live on one stack, texts on another.
///
/// There are no jumps: evaluation has no effects and cannot fail, so both sides of `&&` and `?:` are computed and one
/// is picked, which costs less than a mispredicted branch.
@usableFromInline
struct Instruction: BitwiseCopyable {
    /// What to do.
    var opcode: Opcode
    /// Where an operator on two numbers finds them.
    var operands: Operands = .stack
    /// How many elements, for `in…`.
    var count: UInt16 = 0
    /// A slot, or an index into the program's constants.
    var operand: Int32 = 0
    /// The constant, for `number` and operators that have one.
    var number: Double = 0

    @usableFromInline
    enum Operands: UInt8, BitwiseCopyable {
        case stack
        /// The left one on the stack, the right one constant.
        case constant
        /// The left one a name's value, the right one constant.
        case trackAndConstant, eventAndConstant
    }
}

@usableFromInline
enum Opcode: UInt8, BitwiseCopyable {
    // Push one value.
    case number, track, event, text, constantText, nullText
    // Two numbers → one.
    case add, subtract, multiply, divide, remainder, minimum, maximum
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or, fallback
    // One number → one.
    case negate, not, floor, ceil, round, abs, has, isNull, inNumbers
    // A condition and two numbers → one.
    case select
    // Texts.
    case equalText, notEqualText, lessText, lessOrEqualText, greaterText, greaterOrEqualText
    case hasText, isNullText, inTexts, fallbackText, selectText

    var isBinary: Bool { rawValue >= Opcode.add.rawValue && rawValue <= Opcode.fallback.rawValue }
    var isUnary: Bool { rawValue >= Opcode.negate.rawValue && rawValue <= Opcode.isNull.rawValue }

    /// How it changes the height of the stacks of numbers and of texts.
    var effect: (numbers: Int, texts: Int) {
        switch self {
        case .number, .track, .event: (1, 0)
        case .text, .constantText, .nullText: (0, 1)
        case .negate, .not, .floor, .ceil, .round, .abs, .has, .isNull, .inNumbers: (0, 0)
        case .select: (-2, 0)
        case .equalText, .notEqualText, .lessText, .lessOrEqualText, .greaterText, .greaterOrEqualText: (1, -2)
        case .hasText, .isNullText, .inTexts: (1, -1)
        case .fallbackText: (0, -1)
        case .selectText: (-1, -1)
        default: (-1, 0)
        }
    }
}
