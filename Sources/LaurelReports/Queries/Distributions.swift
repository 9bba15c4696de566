// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The probability distributions that comparisons of variants need.
enum Distributions {
    /// The probability that a chi-square variable is `x` or more.
    ///
    /// The value is Q(`degrees` ⁄ 2, `x` ⁄ 2), the upper incomplete gamma function. The sum begins with Q(½, h) = erfc √h
    /// or Q(1, h) = e⁻ʰ, and continues with Q(a + 1, h) = Q(a, h) + hᵃ e⁻ʰ ⁄ Γ(a + 1): NIST DLMF, 8.8.6.
    /// - Parameter degrees: the degrees of freedom, a whole number from 1 to 1,000.
    /// - Returns: nil for other degrees, and if `x` is below 0.
    static func chiSquareTail(_ x: Double, degrees: Double) -> Double? {
        guard x >= 0, x.isFinite, (1...1000).contains(degrees), degrees == degrees.rounded() else { return nil }
        let half = x / 2
        let isOdd = degrees.truncatingRemainder(dividingBy: 2) == 1
        var order = isOdd ? 0.5 : 1.0
        var tail = isOdd ? erfc(half.squareRoot()) : exp(-half)
        var term = exp(-half) * (isOdd ? 2 * (half / .pi).squareRoot() : half)
        while order < degrees / 2 {
            tail += term
            order += 1
            term *= half / order
        }
        return tail
    }

    /// The value that a variable of Student's distribution exceeds with probability 1 − `probability`.
    ///
    /// The value is found by bisection, to the last digits of a `Double`.
    /// - Parameters:
    ///   - probability: above 0 and below 1.
    ///   - degrees: the degrees of freedom, at least 1, not necessarily whole.
    /// - Returns: nil for arguments outside these ranges.
    static func studentQuantile(_ probability: Double, degrees: Double) -> Double? {
        guard probability > 0, probability < 1, degrees >= 1 else { return nil }
        // Beyond ten million degrees, the distribution is normal to seven digits.
        let degrees = min(degrees, 1e7)
        let tail = min(probability, 1 - probability)
        var (low, high) = (0.0, 1.0)
        while studentTail(high, degrees: degrees) > tail { (low, high) = (high, 2 * high) }
        while true {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if studentTail(middle, degrees: degrees) > tail { low = middle } else { high = middle }
        }
        return probability < 0.5 ? -low : low
    }

    /// The probability that a variable of Student's distribution is `t` or more, for `t` ≥ 0: half of
    /// I(ν ⁄ (ν + t²); ν ⁄ 2, ½).
    private static func studentTail(_ t: Double, degrees: Double) -> Double {
        let square = t * t
        return 0.5 * incompleteBeta(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5)
    }

    /// The regularised incomplete beta function I(x; a, b).
    /// - Parameter rest: the value of 1 − x. A separate parameter is more exact than the subtraction if x is almost 1.
    private static func incompleteBeta(_ x: Double, _ rest: Double, _ a: Double, _ b: Double) -> Double {
        if x == 0 || rest == 0 { return rest == 0 ? 1 : 0 }
        let logarithm = logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(rest)
        // The fraction converges fast only on this side of the mean. I(x; a, b) = 1 − I(1 − x; b, a).
        if x < (a + 1) / (a + b + 2) { return exp(logarithm) * betaFraction(x, a, b) / a }
        return 1 - exp(logarithm) * betaFraction(rest, b, a) / b
    }

    /// The continued fraction of the incomplete beta function (NIST DLMF, 8.17.22), by Lentz's method.
    private static func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func nonZero(_ number: Double) -> Double { abs(number) < tiny ? tiny : number }
        var numerator = 1.0
        var denominator = 1 / nonZero(1 - (a + b) * x / (a + 1))
        var value = denominator
        for step in 1...10_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            var factor = 1.0
            for part in [even, odd] {
                denominator = 1 / nonZero(1 + part * denominator)
                numerator = nonZero(1 + part / numerator)
                factor = numerator * denominator
                value *= factor
            }
            if abs(factor - 1) < 1e-15 { break }
        }
        return value
    }

    private static func logGamma(_ x: Double) -> Double {
        // The C function `lgamma` stores the sign in a global variable.
        var sign: Int32 = 0
        return lgamma_r(x, &sign)
    }
}
