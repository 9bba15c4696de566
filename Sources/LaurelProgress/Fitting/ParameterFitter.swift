// SPDX-License-Identifier: Apache-2.0

import LaurelSystem
import LaurelWire

/// Fits FSRS-6's parameters w0 … w20 to reviews.
///
/// The fit minimises the log loss of the predictions, plus a penalty for parameters that are far from the rules'
/// parameters. The method is that of fsrs-optimizer and fsrs-rs: first the four initial stabilities are fitted, then
/// all parameters, within their bounds. Two things differ. The minimiser reads all reviews in each step, so the result
/// does not depend on random batches. The penalty also applies to the initial stabilities, by their logarithms.
///
/// Rejected: the library fsrs-rs, because Debian 12 has no package of it and Laurel needs only its optimiser. Also
/// rejected: weights that favour recent reviews. They lowered the log loss of a real log by 0.2 %, but raised that of
/// simulated learners by 0.8 %.
struct ParameterFitter {
    /// With fewer predicted reviews, only the four initial stabilities are fitted.
    static let fewReviews = 200
    private static let initialStabilities = 0..<4
    private static let iterations = 60
    /// The factor of the penalty. It was chosen by simulating learners.
    private static let penalty = 4.0
    /// The standard deviations of the parameters among learners, from fsrs-optimizer 6.5. For the four initial
    /// stabilities, the standard deviations of their natural logarithms.
    private static let spreads = [
        1, 1, 1, 1, 0.57, 0.28, 0.6, 0.12, 0.39, 0.18, 0.33, 0.3, 0.09, 0.16, 0.57, 0.25, 1.03, 0.31, 0.32, 0.14, 0.27,
    ]

    /// The scheduler with the rules' parameters.
    let usual: FSRS

    /// Returns the fitted parameters, rounded to four decimals as in fsrs-optimizer, so that the last digits do not
    /// depend on the machine.
    /// - Parameter isWhole: true to fit all parameters, false to fit the initial stabilities only.
    /// - Complexity: O(reviews · iterations).
    func parameters(for sequences: [ReviewSequence], isWhole: Bool) -> [Double] {
        let start = [Double](repeating: 0, count: FSRS.weightCount)
        var place = minimum(from: start, changing: Self.initialStabilities, sequences)
        if isWhole { place = minimum(from: place, changing: 0..<FSRS.weightCount, sequences) }
        return parameters(at: place).map(Self.rounded)
    }

    /// Returns the parameters at a share of the way from one set to another. The initial stabilities change by equal
    /// factors, the others by equal differences. If a parameter of the rules is out of bounds, its step begins at the
    /// bound.
    static func step(_ share: Double, from start: [Double], towards end: [Double]) -> [Double] {
        zip(start, end).enumerated().map { index, pair in
            let (start, end) = (bounded(pair.0, index), pair.1)
            let isFactor = initialStabilities.contains(index)
            return rounded(isFactor ? start * pow(end / start, share) : start + share * (end - start))
        }
    }

    private static func bounded(_ parameter: Double, _ index: Int) -> Double {
        min(max(parameter, Catalogue.fsrsBounds[index].lowerBound), Catalogue.fsrsBounds[index].upperBound)
    }

    private static func rounded(_ parameter: Double) -> Double { (parameter * 10_000).rounded() / 10_000 }

    // MARK: Places
    // The minimiser changes places: the distances of the parameters from the usual ones, in standard deviations.

    private func minimum(from start: [Double], changing free: Range<Int>, _ sequences: [ReviewSequence]) -> [Double] {
        let bounds = start.indices.map { free.contains($0) ? placeBounds($0) : start[$0]...start[$0] }
        return BoundedMinimiser(bounds: bounds, iterations: Self.iterations).minimum(from: start) { place in
            let parameters = parameters(at: place)
            var loss = LossGradient(usual.with(parameters))
            for sequence in sequences { loss.add(sequence) }
            var (value, gradient) = (loss.loss, loss.gradient)
            for (index, distance) in place.enumerated() {
                value += Self.penalty * distance * distance
                gradient[index] *= slope(index, parameters[index])
                gradient[index] += 2 * Self.penalty * distance
            }
            return (value, gradient)
        }
    }

    private func parameters(at place: [Double]) -> [Double] {
        place.enumerated().map { index, distance in
            let (usual, change) = (usual.weights[index], Self.spreads[index] * distance)
            return Self.bounded(Self.initialStabilities.contains(index) ? usual * exp(change) : usual + change, index)
        }
    }

    private func placeBounds(_ index: Int) -> ClosedRange<Double> {
        let (usual, bounds) = (usual.weights[index], Catalogue.fsrsBounds[index])
        func place(_ bound: Double) -> Double {
            (Self.initialStabilities.contains(index) ? log(bound / usual) : bound - usual) / Self.spreads[index]
        }
        return place(bounds.lowerBound)...place(bounds.upperBound)
    }

    /// The derivative of a parameter with respect to its place.
    private func slope(_ index: Int, _ parameter: Double) -> Double {
        Self.initialStabilities.contains(index) ? parameter * Self.spreads[index] : Self.spreads[index]
    }
}
