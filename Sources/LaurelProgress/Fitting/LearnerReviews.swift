// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// The reviews of a learner to which parameters may be fitted.
package struct LearnerReviews {
    /// The fewest predicted reviews on which a fit is checked, and the fewest before them.
    package static let fewestChecked = 50

    /// The scheduler with the rules' parameters.
    package let usual: FSRS
    /// The scheduler in force for the words of a language.
    private let inForce: ([UInt8]) -> FSRS
    private let sequences: [ReviewSequence]
    /// The times of predicted reviews, in milliseconds since 1970, ascending.
    private let times: [Int64]

    /// The number of reviews that FSRS predicts. Other reviews, such as each word's first, only change memories.
    package var count: Int { times.count }

    package init(_ sequences: [ReviewSequence], usual: FSRS, inForce: @escaping ([UInt8]) -> FSRS) {
        (self.sequences, self.usual, self.inForce) = (sequences, usual, inForce)
        times = sequences.flatMap { $0.reviews.filter(\.isPredicted).map(\.time) }.sorted()
    }

    /// The number of predicted reviews since an instant.
    package func count(since time: Int64) -> Int { times.count { $0 >= time } }

    /// Parameters that were fitted to reviews before an instant, and compared with those in force on later reviews.
    package struct Check: Sendable, Equatable {
        /// The number of reviews on which the parameters were compared.
        package var reviews = 0
        /// The mean log loss of the predictions by the parameters in force.
        package var lossInForce = 0.0
        /// The mean log loss of the predictions by the fitted parameters.
        package var loss = 0.0
        /// The standard error of the difference of the means.
        package var error = 0.0

        /// True if the fitted parameters predict the reviews better, by more than chance explains.
        package var isBetter: Bool { lossInForce - loss > error }
    }

    /// Checks the method on the learner: fits parameters to the earlier reviews, and compares them with those in force
    /// on the later reviews. Predictions of later reviews begin with the memories that words had, because a fit leaves
    /// memories as they are until the next review.
    /// - Parameter time: the time of the fit in force, in milliseconds since 1970; nil if there is none. The later
    ///   reviews are the second half of those since then, which neither parameters have seen.
    /// - Returns: nil if there are fewer than ``fewestChecked`` reviews before or after.
    package func check(since time: Int64?) -> Check? {
        let new = times.drop { $0 < time ?? .min }
        guard !new.isEmpty else { return nil }
        let cut = new[new.startIndex + new.count / 2]
        let later = count(since: cut)
        guard min(later, count - later) >= Self.fewestChecked else { return nil }
        let fitted = usual.with(fitted(to: sequences.map { $0.before(cut) }))
        var check = Check(reviews: later)
        var differences: [Double] = []
        for sequence in sequences.map({ $0.since(cut) }) {
            var losses: [Double] = []
            sequence.forEachPrediction(inForce(sequence.language)) { review, recall in
                losses.append(LossGradient.loss(recall, isRecalled: review.isRecalled))
            }
            var index = 0
            sequence.forEachPrediction(fitted) { review, recall in
                let loss = LossGradient.loss(recall, isRecalled: review.isRecalled)
                check.lossInForce += losses[index] / Double(later)
                check.loss += loss / Double(later)
                differences.append(losses[index] - loss)
                index += 1
            }
        }
        check.error = standardError(differences)
        return check
    }

    /// The parameters that are fitted to all reviews.
    package func fittedParameters() -> [Double] { fitted(to: sequences) }

    private func fitted(to sequences: [ReviewSequence]) -> [Double] {
        let isWhole = count >= ParameterFitter.fewReviews
        return ParameterFitter(usual: usual).parameters(for: sequences.filter { !$0.reviews.isEmpty }, isWhole: isWhole)
    }
}

/// The standard error of the mean of at least two values.
private func standardError(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / (count - 1) / count).squareRoot()
}
