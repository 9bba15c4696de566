// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelProgress
import LaurelStore

/// Rows of reviews, one by one and summed up.
extension TableFiller {
    func addReviews(_ facts: LearnerFacts, _ learner: Value) throws {
        if tables.contains(.reviews) {
            for (place, review) in facts.reviews.enumerated() {
                try insert(.reviews, [learner, .count(place + 1)] + review.values)
            }
        }
        guard tables.contains(.reviewsByGrade) else { return }
        var sums: [ReviewSums.Kind: ReviewSums] = [:]
        for review in facts.reviews { sums[ReviewSums.Kind(review), default: ReviewSums()].add(review) }
        for (kind, sum) in sums {
            let key: [Value] = [learner, .string(kind.language), .string(kind.maturity.rawValue)]
            let counts = [kind.grade.rawValue, sum.reviews, sum.timed].map(Value.count)
            try insert(
                .reviewsByGrade,
                key + [.string(kind.grade.name)] + counts
                    + [.integer(sum.milliseconds), .count(sum.predicted), .real(sum.recall), .real(sum.logLoss)]
            )
        }
    }
}

/// The sums over reviews of one kind.
private struct ReviewSums {
    struct Kind: Hashable {
        let language: String
        let maturity: Maturity
        let grade: Grade

        init(_ review: ReviewFact) {
            (language, maturity, grade) = (review.language, review.maturity, review.grade)
        }
    }

    var reviews = 0
    var timed = 0
    var milliseconds: Int64 = 0
    /// The number of reviews whose outcome the scheduler predicted; the sums of those predictions follow.
    var predicted = 0
    var recall = 0.0
    var logLoss = 0.0

    mutating func add(_ review: ReviewFact) {
        reviews += 1
        if let duration = review.durationMs {
            timed += 1
            // An overflow has no meaningful value, so it wraps.
            milliseconds = milliseconds.addingReportingOverflow(duration).partialValue
        }
        guard let recall = review.recall, let logLoss = review.logLoss else { return }
        predicted += 1
        self.recall += recall
        self.logLoss += logLoss
    }
}

/// The time over which a word had to be remembered.
enum Maturity: String {
    /// Its last review was less than a day ago, or there was none.
    case learning
    /// The word's interval was shorter than three weeks, or was not.
    case young, mature

    /// Anki's threshold of mature cards, in days.
    static let matureDays = 21
}

extension ReviewFact {
    var maturity: Maturity {
        guard isSpaced else { return .learning }
        return intervalDays < Maturity.matureDays ? .young : .mature
    }

    /// The negative logarithm of the outcome's predicted likelihood, kept finite as in scikit-learn.
    var logLoss: Double? {
        recall.map { recall in
            let likelihood = min(max(recall, .ulpOfOne), 1 - .ulpOfOne)
            return -log(isCorrect ? likelihood : 1 - likelihood)
        }
    }

    /// The values in the order of the columns, from the language on.
    fileprivate var values: [Value] {
        var values: [Value] = [.string(language), .string(word), .instant(time), .day(day), .count(hour)]
        values += [.count(mastery), .string(maturity.rawValue), .string(grade.name), .count(grade.rawValue)]
        values += [.count(isCorrect ? 1 : 0), .optional(durationMs), .count(intervalDays), .optional(daysSince)]
        values += [.integer(count), .count(lapses), .optional(recall), .optional(logLoss)]
        guard isSpaced, let daysSince else { return values + [.null, .null, .null] }
        values.append(.real(GeometricBins.intervals.bin(Double(daysSince))))
        return values + [
            .real(GeometricBins.reviews.bin(Double(count))), .real(GeometricBins.lapses.bin(Double(lapses))),
        ]
    }
}

/// Ranges that grow by a factor, each named by a number in it. The `fsrs-optimizer` package for Python compares
/// predictions with outcomes by these ranges (its `rmse_matrix`).
struct GeometricBins {
    let scale: Double
    let factor: Double
    let decimals: Int

    static let intervals = GeometricBins(scale: 2.48, factor: 3.62, decimals: 2)
    static let reviews = GeometricBins(scale: 1.99, factor: 1.89, decimals: 0)
    static let lapses = GeometricBins(scale: 1.65, factor: 1.73, decimals: 0)

    /// The name of a number's range.
    /// - Parameter value: a whole number; 0 is a range of its own.
    func bin(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let unit = pow(10, Double(decimals))
        return (scale * pow(factor, (log(value) / log(factor)).rounded(.down)) * unit).rounded(.toNearestOrEven) / unit
    }
}

extension Grade {
    fileprivate var name: String {
        switch self {
        case .again: "again"
        case .hard: "hard"
        case .good: "good"
        case .easy: "easy"
        }
    }
}
