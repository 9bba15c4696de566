// SPDX-License-Identifier: Apache-2.0

import LaurelResults

/// Estimates for all learners from a simple random sample.
extension Estimate {
    /// The confidence interval of the population's median, by the order statistics of a sample; nil if the sample is
    /// too small.
    /// - Parameter sorted: the sample, ascending.
    package static func medianInterval(_ sorted: [Double], population: Int) -> ClosedRange<Double>? {
        let half = z / 2 * (Double(sorted.count) * fpc(sorted.count, population)).squareRoot()
        let middle = Double(sorted.count) / 2
        let low = Int((middle - half).rounded(.down)) - 1
        let high = Int((middle + half).rounded(.up))
        guard sorted.indices.contains(low), sorted.indices.contains(high) else { return nil }
        return sorted[low]...sorted[high]
    }

    /// The confidence interval of the population's sum, by the sample's mean and deviation; nil if the sample is too
    /// small for its skewness.
    ///
    /// If a few learners have much and most have nothing, means of small samples are not normally distributed. Then
    /// the interval would miss the true sum far more often than stated. So a sample needs at least 25 times the
    /// square of the skewness (Cochran, Sampling Techniques, 2.15). It also needs at least 30 values, because fewer
    /// values do not show their skewness. A sample without any deviation says nothing about the other learners.
    package static func sumInterval(_ sample: [Double], population: Int) -> ClosedRange<Double>? {
        let count = Double(sample.count)
        let mean = sample.reduce(0, +) / count
        let (squares, cubes) = sample.reduce((0.0, 0.0)) { sums, value in
            let off = value - mean
            return (sums.0 + off * off, sums.1 + off * off * off)
        }
        guard sample.count >= 30, squares > 0 else { return nil }
        let skewness = cubes / count / (squares / count * (squares / count).squareRoot())
        guard count >= 25 * skewness * skewness else { return nil }
        let deviation = (squares / (count - 1)).squareRoot()
        let half = student(count - 1) * deviation * (fpc(sample.count, population) / count).squareRoot()
        let all = Double(population)
        return (mean - half) * all...(mean + half) * all
    }

    /// Student's quantile, by the first terms of its expansion in the normal quantile (Abramowitz and Stegun, 26.7.5).
    private static func student(_ degrees: Double) -> Double {
        let (z3, z5) = (z * z * z, z * z * z * z * z)
        return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees)
    }

    /// The finite population correction of a variance.
    private static func fpc(_ size: Int, _ population: Int) -> Double {
        population > 1 ? Double(population - size) / Double(population - 1) : 0
    }
}
