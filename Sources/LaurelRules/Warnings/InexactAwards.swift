// SPDX-License-Identifier: Apache-2.0

/// Finds quotients that go into further arithmetic before it is rounded down, where that gives another whole number.
///
/// Doubles are no decimals: `(1 - 3 / 10) * 30` comes to 20.999999999999996. A finding always has an example: whole
/// numbers for the names for which the result, made whole, is not what exact arithmetic gives.
struct InexactAwards {
    /// How a number is made whole.
    private enum Rounding {
        case down, up, nearest

        func whole(_ number: Double) -> Double {
            switch self {
            case .down: number.rounded(.down)
            case .up: number.rounded(.up)
            case .nearest: number.rounded(.toNearestOrAwayFromZero)
            }
        }

        func whole(_ exact: Fraction) -> Double? {
            switch self {
            case .down: Double(exact.floor)
            case .up: (-exact).map { -Double($0.floor) }
            case .nearest:
                // Half away from zero: of the magnitude, a half more, rounded down.
                (exact.numerator < 0 ? -exact : exact).flatMap { magnitude in
                    Fraction(1, 2).flatMap { magnitude + $0 }.map { Double(exact.numerator.signum() * $0.floor) }
                }
            }
        }
    }

    /// What one rules file may cost, in steps of arithmetic; expressions beyond it are not looked at.
    static let budget = 1_000_000

    private(set) var findings: [ExpressionWarnings.Finding] = []
    private let syntax: Syntax
    private let ranges: [ValueRange]
    private var stepsLeft: Int

    /// - Parameters:
    ///   - isAward: The whole expression is rounded down, and is 0 if it would be less.
    ///   - budget: How many steps are left; less afterwards.
    init(_ syntax: Syntax, _ ranges: [ValueRange], isAward: Bool, budget: inout Int) {
        self.syntax = syntax
        self.ranges = ranges
        stepsLeft = budget
        if isAward { examine(syntax.nodes.count - 1, .down, isAward: true) }
        for node in syntax.nodes {
            guard case .function(let function) = node.kind else { continue }
            switch function {
            case .floor: examine(node.operands[0], .down, isAward: false)
            case .ceil: examine(node.operands[0], .up, isAward: false)
            case .round: examine(node.operands[0], .nearest, isAward: false)
            default: continue
            }
        }
        budget = stepsLeft
    }

    /// What is made whole is, of these, one operand as it is.
    private mutating func examine(_ top: Int, _ rounding: Rounding, isAward: Bool) {
        var open = [top]
        while let index = open.popLast() {
            let node = syntax.nodes[index]
            switch node.kind {
            case .function(.min), .function(.max), .function(.fallback): open += node.operands
            case .conditional: open += node.operands.dropFirst()
            case .binary(.add) where isWhole(node.operands[0]): open.append(node.operands[1])
            case .binary(.add) where isWhole(node.operands[1]): open.append(node.operands[0])
            case .binary(.subtract) where isWhole(node.operands[1]): open.append(node.operands[0])
            default:
                // Below a minimum or beside a sum, what is less than 0 may count.
                if node.kind.isArithmetic { search(index, rounding, isAward: isAward && index == top) }
            }
        }
    }

    private func isWhole(_ index: Int) -> Bool { ranges[index].numbers?.isWhole ?? false }

    private mutating func search(_ index: Int, _ rounding: Rounding, isAward: Bool) {
        guard let arithmetic = Arithmetic(syntax, index, ranges: ranges), arithmetic.goesOnFromQuotient else { return }
        var examples = Examples(arithmetic)
        while stepsLeft > 0, let values = examples.next() {
            stepsLeft -= arithmetic.cost
            guard let (double, exact) = arithmetic.result(values), let meant = rounding.whole(exact) else { continue }
            let got = rounding.whole(double)
            guard got != meant, !isAward || max(got, meant) > 0 else { continue }
            let named = zip(arithmetic.variables, values).map { "`\($0.text)` \($1)" }
            let cure = cure(index, arithmetic, rounding)
            let message =
                "`\(syntax.text(of: index))` comes to \(double.brief) where it is \(meant.brief), for "
                + "\(ValueRange.list(named, "and")): a quotient is rounded before the rest; divide last"
            findings.append(
                ExpressionWarnings.Finding(
                    range: syntax.nodes[index].range,
                    message: message + (cure.map { ": `\($0)`" } ?? ""),
                    suggestion: cure
                )
            )
            return
        }
    }

    /// The same as one quotient, where that is exact for all examples.
    private mutating func cure(_ index: Int, _ arithmetic: Arithmetic, _ rounding: Rounding) -> String? {
        guard let text = OneQuotient(syntax, index)?.text, let parsed = try? Parser.parse(text) else { return nil }
        let known = Dictionary(arithmetic.variables.map { ($0.text, $0.range) }) { first, _ in first }
        let ranges = parsed.nodes.indices.map { ValueRange.number(known[parsed.words(of: $0)] ?? .any) }
        guard let other = Arithmetic(parsed, parsed.nodes.count - 1, ranges: ranges) else { return nil }
        let places = other.variables.map { variable in
            arithmetic.variables.firstIndex { $0.text == variable.text }
        }
        guard !places.contains(nil), places.count == arithmetic.variables.count else { return nil }
        var examples = Examples(arithmetic)
        while stepsLeft > 0, let values = examples.next() {
            stepsLeft -= arithmetic.cost + other.cost
            let (before, after) = (arithmetic.result(values), other.result(places.map { values[$0!] }))
            guard before?.exact == after?.exact else { return nil }
            if let after, rounding.whole(after.double) != rounding.whole(after.exact) { return nil }
        }
        return text
    }
}

/// Small whole numbers for the variables of an expression, those first that people are likely to have.
private struct Examples {
    private let arithmetic: Arithmetic
    /// Which variables change, three at most; the others are 1, or what is nearest.
    private let moving: [Int]
    private let most: Int
    private var values: [Int]
    /// What the numbers above a fraction line are multiplied with: milliseconds come by the thousand.
    private var scales: [Int]
    private var scale = 1
    /// The largest of the current numbers, and whether every divisor is it: more lines than errors.
    private var largest = 1
    private var isPlausible = true
    /// The next combination, a number in base `largest + 1`.
    private var combination = 0

    init(_ arithmetic: Arithmetic) {
        self.arithmetic = arithmetic
        values = arithmetic.variables.map { variable in
            Int(min(max(1, variable.range.low.rounded(.up)), variable.range.high.rounded(.down)).clamped)
        }
        moving = Array(arithmetic.variables.indices.filter { arithmetic.variables[$0].range.isWhole }.prefix(3))
        most = [0, 1000, 60, 16][moving.count]
        let large = arithmetic.constants.filter { $0 > 50 }
        let quotients = large.flatMap { one in
            arithmetic.constants.compactMap { one % $0 == 0 && one > $0 ? one / $0 : nil }
        }
        scales = Array(Set(large + quotients).subtracting([1]).sorted().prefix(4))
    }

    mutating func next() -> [Int]? {
        guard !moving.isEmpty else { return nil }
        while true {
            let base = largest + 1
            let count = moving.reduce(1) { product, _ in product * base }
            while combination < count {
                defer { combination += 1 }
                if let values = values(combination, base) { return values }
            }
            combination = 0
            guard advance() else { return nil }
        }
    }

    private mutating func advance() -> Bool {
        largest += 1
        guard largest > most else { return true }
        largest = 1
        if isPlausible {
            isPlausible = false
        } else {
            guard let scale = scales.popLast() else { return false }
            self.scale = scale
            isPlausible = true
        }
        return true
    }

    /// nil if they come at another time, or cannot come at all.
    private func values(_ combination: Int, _ base: Int) -> [Int]? {
        var rest = combination
        var result = values
        var reachesLargest = false
        var divisorsAreLargest = true
        for place in moving {
            let variable = arithmetic.variables[place]
            let digit = rest % base
            rest /= base
            if digit == largest { reachesLargest = true } else if variable.isDivisor { divisorsAreLargest = false }
            result[place] = digit * (variable.isDivisor ? 1 : scale)
            guard variable.range.contains(Double(result[place])) else { return nil }
        }
        return reachesLargest && divisorsAreLargest == isPlausible ? result : nil
    }
}

extension Double {
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -1e9), 1e9) }
}
