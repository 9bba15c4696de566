/// The operators on numbers and booleans, null being NaN.
@usableFromInline
enum NumberOperators {
    @inlinable @inline(__always)
    static func binary(_ opcode: Opcode, _ a: Double, _ b: Double) -> Double {
        switch opcode {
        case .add: finite(a + b)
        case .subtract: finite(a - b)
        case .multiply: finite(a * b)
        case .divide: finite(a / b)
        case .remainder: finite(a.truncatingRemainder(dividingBy: b))
        case .minimum: a.isNaN || b.isNaN ? .nan : (b < a ? b : a)
        case .maximum: a.isNaN || b.isNaN ? .nan : (b > a ? b : a)
        case .equal: truth(a == b, a, b)
        case .notEqual: truth(a != b, a, b)
        case .less: truth(a < b, a, b)
        case .lessOrEqual: truth(a <= b, a, b)
        case .greater: truth(a > b, a, b)
        case .greaterOrEqual: truth(a >= b, a, b)
        case .and: a == 0 || b == 0 ? 0 : (a == 1 && b == 1 ? 1 : .nan)
        case .or: a == 1 || b == 1 ? 1 : (a == 0 && b == 0 ? 0 : .nan)
        default: a.isNaN ? b : a  // .fallback
        }
    }

    @inline(__always)
    static func unary(_ opcode: Opcode, _ a: Double) -> Double {
        switch opcode {
        case .negate: -a
        case .not: 1 - a
        case .floor: a.rounded(.down)
        case .ceil: a.rounded(.up)
        case .round: a.rounded(.toNearestOrAwayFromZero)
        case .abs: a.magnitude
        case .has: a.isNaN ? 0 : 1
        default: a.isNaN ? 1 : 0  // .isNull
        }
    }

    /// A result that is not finite is null.
    @inlinable @inline(__always)
    static func finite(_ x: Double) -> Double {
        x.isFinite ? x : .nan
    }

    @inlinable @inline(__always)
    static func truth(_ holds: Bool, _ a: Double, _ b: Double) -> Double {
        a.isNaN || b.isNaN ? .nan : (holds ? 1 : 0)
    }
}
