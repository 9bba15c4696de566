// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The scheduler's view of a word that no event changes any more.
package struct WordOutlook: Sendable {
    /// The FSRS parameters in force for the word; nil under SM-2.
    package var parameters: [Double]?
    /// The share of reviews that the learner should recall; nil under SM-2.
    package var desiredRetention: Double?
    /// The probability of recall at an instant, as ``Scheduler/recall(_:at:)`` predicts it.
    package var recall: Double?
    /// The probability of recall when the next review is due.
    package var recallWhenDue: Double?
}

extension ProgressReader {
    /// - Parameter language: the word's language; empty for words of events without a language.
    package func outlook(
        of word: WordState,
        _ state: LearnerState,
        language: [UInt8],
        at instant: Timestamp
    ) -> WordOutlook {
        let scheduler = state.scheduler(language: language)
        let track = language.isEmpty ? nil : String(decoding: language, as: UTF8.self)
        var outlook = WordOutlook(desiredRetention: scheduler.desiredRetention)
        if case .fsrs(let fsrs) = scheduler { outlook.parameters = fsrs.weights }
        if let day = localDay(of: instant, state, language: track) {
            outlook.recall = scheduler.recall(word, at: ReviewTime(instant.milliseconds, day))
        }
        outlook.recallWhenDue = word.timeOfNextReview.flatMap { scheduler.recall(word, at: $0) }
        return outlook
    }
}

extension WordState {
    /// The time of the next review; nil before the first review. The interval between the last review and the next one
    /// is added to the local day of the last review.
    fileprivate var timeOfNextReview: ReviewTime? {
        lastReviewedAt.map { last in
            let days = (nextReviewAt - last) / millisecondsPerDay
            return ReviewTime(nextReviewAt, LocalDay(number: lastReviewDay.number + Int32(clamping: days)))
        }
    }
}
