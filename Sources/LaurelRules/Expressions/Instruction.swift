/// One step of a compiled expression: reads up to three operands and writes one register.
///
/// There are no jumps: evaluation has no effects and cannot fail, so both sides of `&&` and `?:` are computed and one
/// is picked, which costs less than a mispredicted branch.
@usableFromInline
struct Instruction: BitwiseCopyable {
    var opcode: Opcode
    /// The register that takes the result: a text's where the opcode gives text, else a number's.
    var result: UInt8
    var first: Operand
    /// Where the list starts, for `in…`.
    var second = Operand()
    /// How many elements, for `in…`.
    var third = Operand()

    /// Where the value of an operand stands.
    @usableFromInline
    struct Operand: BitwiseCopyable {
        enum Place: UInt8, BitwiseCopyable, CaseIterable {
            case track, event, constant, register

            @inline(__always)
            var index: Int { Int(rawValue) }
        }

        let place: Place
        private let slot: UInt32

        init() { self.init(.track, 0) }

        init(_ place: Place, _ index: Int) {
            self.place = place
            slot = UInt32(index)
        }

        @inline(__always)
        var index: Int { Int(slot) }
    }
}

@usableFromInline
enum Opcode: UInt8, BitwiseCopyable {
    // Two numbers → one.
    case add, subtract, multiply, divide, remainder, minimum, maximum
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or, fallback
    // One number → one.
    case negate, not, floor, ceil, round, abs, has, isNull
    // A number, and a list of constants.
    case inNumbers
    // A condition and two numbers → one.
    case select
    // Texts.
    case equalText, notEqualText, lessText, lessOrEqualText, greaterText, greaterOrEqualText
    case hasText, isNullText, inTexts, fallbackText, selectText
    // A value, unchanged.
    case copy, copyText

    @inline(__always)
    var isBinary: Bool { rawValue <= Opcode.fallback.rawValue }
    @inline(__always)
    var isUnary: Bool { rawValue >= Opcode.negate.rawValue && rawValue <= Opcode.isNull.rawValue }

    /// What it takes: numbers (conditions among them) and texts, and whether it gives a text.
    var signature: (numbers: Int, texts: Int, givesText: Bool) {
        switch self {
        case .negate, .not, .floor, .ceil, .round, .abs, .has, .isNull, .inNumbers, .copy: (1, 0, false)
        case .select: (3, 0, false)
        case .equalText, .notEqualText, .lessText, .lessOrEqualText, .greaterText, .greaterOrEqualText: (0, 2, false)
        case .hasText, .isNullText, .inTexts: (0, 1, false)
        case .fallbackText: (0, 2, true)
        case .selectText: (1, 2, true)
        case .copyText: (0, 1, true)
        default: (2, 0, false)
        }
    }
}
