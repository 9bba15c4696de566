// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// The reviews of a learner to which parameters may be fitted.
///
/// A fit is a step from the parameters in force towards the fitted ones. The evidence for the fit decides if there is a
/// step, and how long it is. The evidence is the sum of two gains, each in standard errors: the gain on all reviews, and
/// the gain on reviews that are later than those of the fit. Both are gains of a half step, because a half step is seldom
/// too long. The constants were chosen by simulating learners. `Tests/Soak/fits` tests them on other simulated learners.
///
/// Rejected: the gain on later reviews alone. It has so much noise that at the same number of stored fits, more fits
/// were worse on still later reviews.
package struct LearnerReviews {
    /// The minimum number of predicted reviews after a check's instant, and the minimum number before this instant.
    package static let fewestChecked = 40
    /// The parts of the reviews that come before each check's instant.
    private static let cuts = [0.25, 0.5, 0.75]
    /// The evidence that allows the whole step. Less evidence allows a part of the step, in proportion.
    private static let wholeEvidence = 10.0
    private static let smallestStep = 0.5
    /// The number of reviews whose evidence counts half. The evidence of many reviews counts whole.
    private static let halfReviews = 100.0
    /// The least gain on later reviews, in standard errors. The gain on all reviews alone does not suffice.
    private static let leastGain = 1.0

    /// The scheduler with the rules' parameters.
    package let usual: FSRS
    /// The language whose reviews these are; empty for all languages.
    private let language: [UInt8]
    /// The scheduler in force for the words of a language.
    private let inForce: ([UInt8]) -> FSRS
    private let sequences: [ReviewSequence]
    /// The times of predicted reviews, in milliseconds since 1970, ascending.
    private let times: [Int64]

    /// The number of reviews that FSRS predicts. Other reviews, such as each word's first, only change memories.
    package var count: Int { times.count }

    package init(
        _ sequences: [ReviewSequence],
        language: [UInt8],
        usual: FSRS,
        inForce: @escaping ([UInt8]) -> FSRS
    ) {
        (self.sequences, self.language, self.usual, self.inForce) = (sequences, language, usual, inForce)
        times = sequences.flatMap { $0.reviews.filter(\.isPredicted).map(\.time) }.sorted()
    }

    /// The result of a fit.
    package struct Fit: Sendable, Equatable {
        /// The number of later reviews on which the two sets of parameters were compared.
        package var reviews: Int
        /// The mean log loss of the compared reviews, as the parameters in force predict them.
        package var lossInForce: Double
        /// The mean log loss of the compared reviews, as half steps towards parameters fitted to earlier reviews
        /// predict them.
        package var loss: Double
        /// The parameters that fit all reviews.
        package var fitted: [Double]
        /// The new parameters, which are a step towards the fitted ones; nil if the evidence is too small.
        package var parameters: [Double]?
    }

    /// Fits parameters, and makes three checks, each at an instant. A check fits parameters to the reviews before its
    /// instant, and makes a half step towards them. It compares the half step with the parameters in force, on the
    /// reviews from its instant to the instant of the next check. The predictions begin with the memories that words
    /// had, because a fit leaves memories as they are until the next review.
    /// - Parameter time: the time of the fit in force, in milliseconds since 1970; nil if there is none. Only later
    ///   reviews are compared, because the parameters in force fit the earlier ones.
    /// - Returns: nil if fewer than ``fewestChecked`` reviews are before the first instant, or after it.
    package func fit(since time: Int64?) -> Fit? {
        let new = times.drop { $0 < time ?? .min }
        guard !new.isEmpty else { return nil }
        let instants = Self.cuts.map { new[new.startIndex + Int(Double(new.count) * $0)] }
        let earlier = times.count { $0 < instants[0] }
        guard min(earlier, count - earlier) >= Self.fewestChecked else { return nil }
        var later = Gains()
        for (from, end) in zip(instants, instants.dropFirst() + [.max]) {
            let fitted = fitted(to: sequences.map { $0.before(from) })
            add(sequences.map { $0.since(from).before(end) }, with: step(0.5, towards: fitted), to: &later)
        }
        let fitted = fitted(to: sequences)
        var all = Gains()
        add(sequences.map { $0.since(time ?? .min) }, with: step(0.5, towards: fitted), to: &all)
        var fit = Fit(
            reviews: later.values.count,
            lossInForce: later.meanInForce,
            loss: later.meanInForce - later.mean,
            fitted: fitted
        )
        let evidence = (later.inErrors + all.inErrors) * Double(count) / (Double(count) + Self.halfReviews)
        let share = min(1, evidence / Self.wholeEvidence)
        if later.inErrors >= Self.leastGain, share >= Self.smallestStep {
            fit.parameters = step(share, towards: fitted)
        }
        return fit
    }

    private func fitted(to sequences: [ReviewSequence]) -> [Double] {
        let isWhole = count >= ParameterFitter.fewReviews
        return ParameterFitter(usual: usual).parameters(for: sequences.filter { !$0.reviews.isEmpty }, isWhole: isWhole)
    }

    private func step(_ share: Double, towards fitted: [Double]) -> [Double] {
        ParameterFitter.step(share, from: inForce(language).weights, towards: fitted)
    }

    private func add(_ sequences: [ReviewSequence], with parameters: [Double], to gains: inout Gains) {
        let other = usual.with(parameters)
        for sequence in sequences {
            var losses: [Double] = []
            sequence.forEachPrediction(inForce(sequence.language)) { review, recall in
                losses.append(LossGradient.loss(recall, isRecalled: review.isRecalled))
            }
            var index = 0
            sequence.forEachPrediction(other) { review, recall in
                gains.values.append(losses[index] - LossGradient.loss(recall, isRecalled: review.isRecalled))
                gains.lossInForce += losses[index]
                index += 1
            }
        }
    }
}

/// The amounts by which parameters lower the log losses of reviews, compared with the parameters in force.
private struct Gains {
    var values: [Double] = []
    /// The sum of the log losses, as the parameters in force predict the reviews.
    var lossInForce = 0.0

    var mean: Double { values.reduce(0, +) / Double(values.count) }
    var meanInForce: Double { lossInForce / Double(values.count) }

    /// The mean gain in standard errors; 0 if all gains are equal.
    var inErrors: Double {
        let (count, mean) = (Double(values.count), mean)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return squares > 0 ? mean / (squares / (count - 1) / count).squareRoot() : 0
    }
}
