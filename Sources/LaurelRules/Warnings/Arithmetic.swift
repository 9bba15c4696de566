// SPDX-License-Identifier: Apache-2.0

/// Sums, products and quotients of an expression, down to what is none of them: to be computed both as the interpreter
/// does, in doubles, and exactly.
struct Arithmetic {
    private enum Step {
        case constant(Double, Fraction)
        case variable(Int)
        case negate
        case binary(BinaryOperator)
    }

    struct Variable {
        /// A name, or what stands in its place: `default(event.errors, 0)`.
        let text: String
        let range: NumberRange
        /// Whether it stands below a fraction line.
        var isDivisor = false
    }

    private var steps: [Step] = []
    private(set) var variables: [Variable] = []
    /// Whole numbers above 1 that stand in it.
    private(set) var constants: [Int] = []
    /// Whether a quotient goes into further arithmetic.
    private(set) var goesOnFromQuotient = false

    private static let mostSteps = 64

    /// nil if it is longer than anybody writes, or has parts of which nothing is known.
    init?(_ syntax: Syntax, _ top: Int, ranges: [ValueRange]) {
        // Nodes in postfix order, operands first: those of one expression stand together.
        var members = [top: false]
        var order: [Int] = []
        for index in stride(from: top, through: 0, by: -1) {
            guard let isDivisor = members[index] else { continue }
            order.append(index)
            guard order.count <= Self.mostSteps else { return nil }
            let node = syntax.nodes[index]
            guard node.kind.isArithmetic else { continue }
            for (place, operand) in node.operands.enumerated() {
                members[operand] = isDivisor || node.kind.isDivision && place == 1
            }
            if node.kind.isDivision, index != top { goesOnFromQuotient = true }
        }
        for index in order.reversed() {
            guard add(syntax, index, ranges[index], isDivisor: members[index]!) else { return nil }
        }
    }

    private mutating func add(_ syntax: Syntax, _ index: Int, _ range: ValueRange, isDivisor: Bool) -> Bool {
        switch syntax.nodes[index].kind {
        case .number(let number):
            guard let exact = Fraction(spelled: number) else { return false }
            if let whole = Int(exactly: number), whole > 1 { constants.append(whole) }
            steps.append(.constant(number, exact))
        case .negate: steps.append(.negate)
        case .binary(let operation) where syntax.nodes[index].kind.isArithmetic: steps.append(.binary(operation))
        default:
            guard let numbers = range.numbers else { return false }
            let text = syntax.words(of: index)
            let place = variables.firstIndex { $0.text == text } ?? variables.endIndex
            if place == variables.endIndex { variables.append(Variable(text: text, range: numbers)) }
            if isDivisor { variables[place].isDivisor = true }
            steps.append(.variable(place))
        }
        return true
    }

    var cost: Int { steps.count }

    /// What it comes to; nil if a divisor is 0, or numbers are too large to tell.
    /// - Parameter values: Of the variables.
    func result(_ values: [Int]) -> (double: Double, exact: Fraction)? {
        var stack: [(Double, Fraction)] = []
        for step in steps {
            switch step {
            case .constant(let double, let exact): stack.append((double, exact))
            case .variable(let place): stack.append((Double(values[place]), Fraction(values[place])))
            case .negate:
                guard let (double, exact) = stack.popLast(), let negative = -exact else { return nil }
                stack.append((-double, negative))
            case .binary(let operation):
                guard let two = stack.popLast(), let one = stack.popLast(),
                    let exact = operation.exactly(one.1, two.1)
                else { return nil }
                stack.append((operation.rounded(one.0, two.0), exact))
            }
        }
        return stack.last
    }
}

extension Syntax.Kind {
    /// What ``Arithmetic`` is made of. A remainder is exact, and nothing that rounds goes through it.
    var isArithmetic: Bool {
        switch self {
        case .negate, .binary(.add), .binary(.subtract), .binary(.multiply), .binary(.divide): true
        default: false
        }
    }

    var isDivision: Bool { if case .binary(.divide) = self { true } else { false } }
}

extension BinaryOperator {
    fileprivate func rounded(_ one: Double, _ two: Double) -> Double {
        switch self {
        case .add: one + two
        case .subtract: one - two
        case .multiply: one * two
        default: one / two
        }
    }

    fileprivate func exactly(_ one: Fraction, _ two: Fraction) -> Fraction? {
        switch self {
        case .add: one + two
        case .subtract: one - two
        case .multiply: one * two
        default: one / two
        }
    }
}
