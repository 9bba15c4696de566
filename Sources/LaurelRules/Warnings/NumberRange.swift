// SPDX-License-Identifier: Apache-2.0

/// The numbers from `low` to `high`. An infinite bound means that there is no bound.
///
/// The result of an operator on ranges contains every number that the operator can compute from numbers in these
/// ranges. IEEE rounding preserves order, so the bounds of the result follow from the bounds of the operands.
struct NumberRange: Equatable {
    var low = -Double.infinity
    var high = Double.infinity
    /// True if all the numbers are whole.
    var isWhole = false

    static let any = NumberRange()
    static let counts = NumberRange(low: 0, isWhole: true)
    static func one(_ number: Double) -> NumberRange {
        NumberRange(low: number, high: number, isWhole: number.rounded() == number)
    }

    /// The only number in the range; nil if there is not exactly one.
    var single: Double? { low == high ? low : nil }
    var isBounded: Bool { low.isFinite && high.isFinite }
    /// True if the range is empty.
    var isEmpty: Bool { low > high }

    func contains(_ number: Double) -> Bool {
        low <= number && number <= high && (!isWhole || number.rounded() == number)
    }

    func hull(_ other: NumberRange) -> NumberRange {
        NumberRange(low: min(low, other.low), high: max(high, other.high), isWhole: isWhole && other.isWhole)
    }

    func intersection(_ other: NumberRange) -> NumberRange {
        NumberRange(low: max(low, other.low), high: min(high, other.high), isWhole: isWhole || other.isWhole)
    }

    /// The range of the results of a function that preserves order.
    func mapped(isWhole: Bool, _ function: (Double) -> Double) -> NumberRange {
        NumberRange(low: function(low), high: function(high), isWhole: isWhole)
    }
}

extension NumberRange {
    static prefix func - (range: NumberRange) -> NumberRange {
        NumberRange(low: -range.high, high: -range.low, isWhole: range.isWhole)
    }

    static func + (a: NumberRange, b: NumberRange) -> NumberRange {
        NumberRange(low: a.low + b.low, high: a.high + b.high, isWhole: a.isWhole && b.isWhole)
    }

    static func * (a: NumberRange, b: NumberRange) -> NumberRange {
        // All numbers in a range are finite, so 0 times an infinite bound is 0, not NaN.
        let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high].map { $0.isNaN ? 0 : $0 }
        return NumberRange(low: corners.min()!, high: corners.max()!, isWhole: a.isWhole && b.isWhole)
    }

    /// The possible quotients, without null.
    static func / (a: NumberRange, b: NumberRange) -> NumberRange {
        var b = b
        // A divisor of 0 gives null, so 0 is excluded from the range of a whole divisor.
        if b.isWhole, b.low == 0 { b.low = 1 }
        if b.isWhole, b.high == 0 { b.high = -1 }
        let corners = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]
        guard b.low > 0 || b.high < 0, !corners.contains(where: \.isNaN) else {
            let isPositive = b.low >= 0
            guard isPositive || b.high <= 0 else { return .any }
            let signed = isPositive ? a : -a
            return NumberRange(low: signed.low >= 0 ? 0 : -.infinity, high: signed.high <= 0 ? 0 : .infinity)
        }
        return NumberRange(low: corners.min()!, high: corners.max()!)
    }

    /// The possible remainders, without null. A remainder has the sign of `a`. Its magnitude is at most that of `a`,
    /// and less than that of `b`.
    static func % (a: NumberRange, b: NumberRange) -> NumberRange {
        var largest = max(abs(b.low), abs(b.high))
        let isWhole = a.isWhole && b.isWhole
        if isWhole { largest -= 1 }
        return NumberRange(
            low: max(-largest, min(a.low, 0)),
            high: min(largest, max(a.high, 0)),
            isWhole: isWhole
        )
    }

    var magnitude: NumberRange {
        let isSigned = low < 0 && high > 0
        let bounds = [abs(low), abs(high)]
        return NumberRange(low: isSigned ? 0 : bounds.min()!, high: bounds.max()!, isWhole: isWhole)
    }
}

extension NumberRange {
    /// The range in messages: "from 0 to 1" or "never less than 0"; nil if nothing is known.
    var phrase: String? {
        if let single { return "always \(single.brief)" }
        switch (low.isFinite, high.isFinite) {
        case (true, true): return "from \(low.brief) to \(high.brief)"
        case (true, false): return "never less than \(low.brief)"
        case (false, true): return "never more than \(high.brief)"
        case (false, false): return isWhole ? "a whole number" : nil
        }
    }
}
