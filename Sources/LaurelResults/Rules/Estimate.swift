// SPDX-License-Identifier: Apache-2.0

/// An estimate of a count among all learners, from a simple random sample.
public struct Estimate: Codable, Sendable, Hashable {
    /// The confidence level of the intervals, as a fraction.
    public static let confidence = 0.95
    /// The statistical method of the intervals.
    public static let method = "Wilson score interval, corrected for the finite population"
    /// The two-sided quantile of the normal distribution for that confidence level.
    package static let z = 1.959963984540054

    /// The count in the sample, scaled to all learners.
    public var value: Double
    /// The lower end of the 95 % confidence interval.
    public var low: Double
    /// The upper end of the 95 % confidence interval.
    public var high: Double

    /// - Parameters:
    ///   - count: the count in the sample, from 0 to the size of the sample.
    ///   - size: the size of the sample.
    ///   - population: the number of all learners. If all of them are in the sample, the count itself is the result.
    public init(_ count: Int, of size: Int, population: Int) {
        guard size > 0, size < population else {
            (value, low, high) = (Double(count), Double(count), Double(count))
            return
        }
        let (size, population) = (Double(size), Double(population))
        let share = Double(count) / size
        // Wilson's interval assumes an infinite population. This sample size would give the same variance there.
        let effective = size * (population - 1) / (population - size)
        let square = Estimate.z * Estimate.z
        let middle = (share + square / (2 * effective)) / (1 + square / effective)
        let spread = share * (1 - share) / effective + square / (4 * effective * effective)
        let half = Estimate.z * spread.squareRoot() / (1 + square / effective)
        value = share * population
        // The learners in the sample are counted exactly. For a count of 0 or of all, the bound is set exactly, without
        // rounding errors.
        low = count == 0 ? 0 : max(Double(count), (middle - half) * population)
        high = share == 1 ? population : min(population - (size - Double(count)), (middle + half) * population)
    }
}
