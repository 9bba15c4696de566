// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelProgress
import LaurelStore

/// The tables of single reviews, and of sums of reviews.
extension ReportTable {
    private static let reviewsKey: [ReportColumn<LearnerRow<NumberedReview>>] = [
        ReportColumn("learner", \.learner), ReportColumn("review", \.item.number),
    ]

    private static let reviewsColumns: [ReportColumn<LearnerRow<NumberedReview>>] = [
        ReportColumn("language", \.item.review.language),
        ReportColumn("word", \.item.review.word),
        ReportColumn("reviewed_at") { Date(milliseconds: $0.item.review.time) },
        ReportColumn("day", \.item.review.day),
        ReportColumn("hour", \.item.review.hour),
        ReportColumn("mastery", \.item.review.mastery),
        ReportColumn("maturity", \.item.review.maturity.rawValue),
        ReportColumn("grade", \.item.review.grade.name),
        ReportColumn("grade_number", \.item.review.grade.rawValue),
        ReportColumn("correct", \.item.review.isCorrect),
        ReportColumn("duration_ms", \.item.review.durationMs),
        ReportColumn("interval_days", \.item.review.intervalDays),
        ReportColumn("days_since", \.item.review.daysSince),
        ReportColumn("word_review", \.item.review.count),
        ReportColumn("lapses", \.item.review.lapses),
        ReportColumn("recall", \.item.review.recall),
        ReportColumn("log_loss", \.item.review.logLoss),
        ReportColumn("interval_bin") { row in
            row.item.review.spacing.map { GeometricBins.intervals.bin(Double($0)) }
        },
        ReportColumn("review_bin") { row in
            row.item.review.spacing.map { _ in GeometricBins.reviews.bin(Double(row.item.review.count)) }
        },
        ReportColumn("lapse_bin") { row in
            row.item.review.spacing.map { _ in GeometricBins.lapses.bin(Double(row.item.review.lapses)) }
        },
    ]

    static let reviews = ReportTable(
        "reviews",
        .reviewLog,
        isForOneLearner: true,
        key: reviewsKey,
        reviewsColumns
    ) { facts, _ in
        facts.reviews.enumerated().map {
            LearnerRow(learner: facts.learner, item: NumberedReview(number: $0.offset + 1, review: $0.element))
        }
    }

    private static let reviewsByGradeKey: [ReportColumn<LearnerRow<(key: ReviewSums.Kind, value: ReviewSums)>>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("language", \.item.key.language),
        ReportColumn("maturity", \.item.key.maturity.rawValue),
        ReportColumn("grade", \.item.key.grade.name),
    ]

    private static let reviewsByGradeColumns: [ReportColumn<LearnerRow<(key: ReviewSums.Kind, value: ReviewSums)>>] = [
        ReportColumn("grade_number", \.item.key.grade.rawValue),
        ReportColumn("reviews", \.item.value.reviews),
        ReportColumn("timed", \.item.value.timed),
        ReportColumn("duration_ms", \.item.value.milliseconds),
        ReportColumn("predicted", \.item.value.predicted),
        ReportColumn("recall", \.item.value.recall),
        ReportColumn("log_loss", \.item.value.logLoss),
    ]

    static let reviewsByGrade = ReportTable(
        "reviews_by_grade",
        .reviewLog,
        key: reviewsByGradeKey,
        reviewsByGradeColumns
    ) { facts, _ in
        var sums: [ReviewSums.Kind: ReviewSums] = [:]
        for review in facts.reviews { sums[ReviewSums.Kind(review), default: ReviewSums()].add(review) }
        return sums.map { LearnerRow(learner: facts.learner, item: $0) }
    }
}

private struct NumberedReview {
    /// The number of the review in the period, from 1.
    let number: Int
    let review: ReviewFact
}

/// Sums over all reviews of one kind.
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
    /// The number of reviews whose outcome the scheduler predicted. The next two properties are sums over these
    /// reviews.
    var predicted = 0
    var recall = 0.0
    var logLoss = 0.0

    mutating func add(_ review: ReviewFact) {
        reviews += 1
        if let duration = review.durationMs {
            timed += 1
            // The sum may overflow. It is meaningless then, but the report does not fail.
            milliseconds = milliseconds.addingReportingOverflow(duration).partialValue
        }
        guard let recall = review.recall, let logLoss = review.logLoss else { return }
        predicted += 1
        self.recall += recall
        self.logLoss += logLoss
    }
}

/// The maturity of a word. It depends on the time over which the learner had to remember the word.
enum Maturity: String {
    /// The previous review was less than a day ago, or there was no previous review.
    case learning
    /// The word's interval was shorter than three weeks (`young`), or at least three weeks (`mature`).
    case young, mature

    /// The minimum interval of a mature word, in days. It is the same as for Anki's mature cards.
    static let matureDays = 21
}

extension ReviewFact {
    var maturity: Maturity {
        guard isSpaced else { return .learning }
        return intervalDays < Maturity.matureDays ? .young : .mature
    }

    /// The negative logarithm of the predicted probability of the outcome; nil without a prediction. The probability is
    /// limited as in scikit-learn, so that the logarithm is finite.
    var logLoss: Double? {
        recall.map { recall in
            let likelihood = min(max(recall, .ulpOfOne), 1 - .ulpOfOne)
            return -log(isCorrect ? likelihood : 1 - likelihood)
        }
    }

    /// The days since the word's previous review; nil if less than a day has passed.
    fileprivate var spacing: Int64? { isSpaced ? daysSince : nil }
}

/// Ranges of numbers. Each range is wider than the previous one by a constant factor. The name of a range is a number
/// in it. The Python package `fsrs-optimizer` uses the same ranges to compare predictions with outcomes (its
/// `rmse_matrix`).
struct GeometricBins {
    let scale: Double
    let factor: Double
    let decimals: Int

    static let intervals = GeometricBins(scale: 2.48, factor: 3.62, decimals: 2)
    static let reviews = GeometricBins(scale: 1.99, factor: 1.89, decimals: 0)
    static let lapses = GeometricBins(scale: 1.65, factor: 1.73, decimals: 0)

    /// The name of the range that contains a number.
    /// - Parameter value: a whole number. The number 0 has a separate range.
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
