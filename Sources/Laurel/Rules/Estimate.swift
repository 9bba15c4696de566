/// A count among everyone, as a simple random sample tells it.
package struct Estimate: Sendable, Equatable {
    package static let confidence = 0.95
    package static let method = "Wilson score interval, corrected for the finite population"
    /// The normal distribution's quantile for that confidence.
    static let z = 1.959963984540054

    package let value: Double
    /// The 95 % confidence interval.
    package let low: Double
    package let high: Double

    /// - Parameters:
    ///   - count: in the sample.
    ///   - size: of the sample.
    package init(_ count: Int, of size: Int, population: Int) {
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
        // Those in the sample are certain.
        low = max(Double(count), (middle - half) * population)
        high = min(population - (size - Double(count)), (middle + half) * population)
    }

    /// The interval of everyone's median by the order statistics of a sample.
    /// - Parameter sorted: the sample, ascending, not empty.
    package static func medianInterval(_ sorted: [Double], population: Int) -> ClosedRange<Double> {
        let half = z / 2 * (Double(sorted.count) * fpc(sorted.count, population)).squareRoot()
        let middle = Double(sorted.count) / 2
        let low = max(0, Int((middle - half).rounded(.down)) - 1)
        let high = min(sorted.count - 1, Int((middle + half).rounded(.up)))
        return sorted[low]...sorted[high]
    }

    /// The interval of everyone's sum by a sample's mean and deviation.
    package static func sumInterval(_ sample: [Double], population: Int) -> ClosedRange<Double> {
        let count = Double(sample.count)
        let mean = sample.reduce(0, +) / count
        let squares = sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = sample.count > 1 ? (squares / (count - 1)).squareRoot() : .infinity
        let half = student(count - 1) * deviation * (fpc(sample.count, population) / count).squareRoot()
        let all = Double(population)
        return half.isFinite ? (mean - half) * all...(mean + half) * all : -.infinity ... .infinity
    }

    /// Student's quantile, by the first terms of its expansion in the normal one's (Abramowitz and Stegun, 26.7.5).
    private static func student(_ degrees: Double) -> Double {
        let (z3, z5) = (z * z * z, z * z * z * z * z)
        return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees)
    }

    /// The finite population correction of a variance.
    private static func fpc(_ size: Int, _ population: Int) -> Double {
        population > 1 ? Double(population - size) / Double(population - 1) : 0
    }
}
