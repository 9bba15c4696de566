// SPDX-License-Identifier: Apache-2.0

/// A fraction of whole numbers, so small that nothing is lost: what arithmetic gives that does not round.
struct Fraction: Equatable {
    private(set) var numerator: Int
    /// Greater than 0.
    private(set) var denominator: Int

    init(_ whole: Int) {
        numerator = whole
        denominator = 1
    }

    /// nil if the divisor is 0, or too large for whole numbers of 64 bits.
    init?(_ numerator: Int, _ denominator: Int) {
        guard denominator != 0, numerator != .min, denominator != .min else { return nil }
        var (a, b) = (abs(numerator), abs(denominator))
        while b != 0 { (a, b) = (b, a % b) }
        self.numerator = numerator / a * denominator.signum()
        self.denominator = abs(denominator) / a
    }

    /// What the shortest spelling of a number says: 0.05 is 1/20, though no double is.
    init?(spelled number: Double) {
        if let whole = Int(exactly: number) {
            self.init(whole)
            return
        }
        let digits = "\(number)".split(separator: ".")
        guard digits.count == 2, !digits[1].contains("e"), digits[1].count < 10, let whole = Int(digits[0] + digits[1])
        else { return nil }
        self.init(whole, digits[1].reduce(1) { ten, _ in ten * 10 })
    }

    var floor: Int { numerator / denominator - (numerator % denominator < 0 ? 1 : 0) }

    static prefix func - (one: Fraction) -> Fraction? { Fraction(-one.numerator, one.denominator) }

    static func + (one: Fraction, two: Fraction) -> Fraction? {
        guard let a = product(one.numerator, two.denominator), let b = product(two.numerator, one.denominator),
            let denominator = product(one.denominator, two.denominator)
        else { return nil }
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? nil : Fraction(sum, denominator)
    }

    static func - (one: Fraction, two: Fraction) -> Fraction? { (-two).flatMap { one + $0 } }

    static func * (one: Fraction, two: Fraction) -> Fraction? {
        guard let numerator = product(one.numerator, two.numerator),
            let denominator = product(one.denominator, two.denominator)
        else { return nil }
        return Fraction(numerator, denominator)
    }

    static func / (one: Fraction, two: Fraction) -> Fraction? {
        guard let numerator = product(one.numerator, two.denominator),
            let denominator = product(one.denominator, two.numerator)
        else { return nil }
        return Fraction(numerator, denominator)
    }

    private static func product(_ a: Int, _ b: Int) -> Int? {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? nil : product
    }
}
