// SPDX-License-Identifier: Apache-2.0

/// A count among everyone, as a simple random sample tells it.
public struct Estimate: Codable, Sendable, Hashable {
    /// Of the intervals, as a share of 1.
    public static let confidence = 0.95
    /// How counts are estimated.
    public static let method = "Wilson score interval, corrected for the finite population"
    /// The normal distribution's quantile for that confidence.
    package static let z = 1.959963984540054

    /// The likeliest.
    public var value: Double
    /// The 95 % confidence interval.
    public var low: Double
    /// The upper end.
    public var high: Double

    /// - Parameters:
    ///   - count: in the sample, 0 to its size.
    ///   - size: of the sample.
    ///   - population: of which it was drawn; where that is not larger, the count is no estimate.
    public init(_ count: Int, of size: Int, population: Int) {
        guard size > 0, size < population else {
            (value, low, high) = (Double(count), Double(count), Double(count))
            return
        }
        let (size, population) = (Double(size), Double(population))
        let share = Double(count) / size
        // Wilson's interval for the sample size that an endless population would need for the same variance.
        let effective = size * (population - 1) / (population - size)
        let square = Estimate.z * Estimate.z
        let middle = (share + square / (2 * effective)) / (1 + square / effective)
        let spread = share * (1 - share) / effective + square / (4 * effective * effective)
        let half = Estimate.z * spread.squareRoot() / (1 + square / effective)
        value = share * population
        // Those in the sample are certain. Of none and of all, rounding must not leave the bound.
        low = count == 0 ? 0 : max(Double(count), (middle - half) * population)
        high = share == 1 ? population : min(population - (size - Double(count)), (middle + half) * population)
    }
}
