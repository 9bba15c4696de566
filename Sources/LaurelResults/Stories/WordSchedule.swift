// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The work of the schedulers, in words.
extension WordStory {
    /// The reason why the next review is due when it is; nil for an unknown word.
    package var dueReason: Story? {
        guard let state = explanation.state else { return nil }
        let counted = explanation.steps.filter { $0.event.void == nil && $0.after != nil }
        let cause = counted.last { $0.before?.nextReviewAt != $0.after?.nextReviewAt || $0.grade != nil }
        guard let cause else { return nil }
        let (day, days): (Story, Story) = ("\(.day(cause.event.day))", "\(state.intervalDays, "day")")
        switch cause.event.type {
        case "review.graded":
            guard let recall = explanation.recallWhenDue, let wanted = explanation.desiredRetention else {
                return "The review of \(day) set the interval to \(days): \(sm2(cause))."
            }
            return forgetting(by: recall, wanted, after: days, day)
        case "word.imported" where state.nextReviewAt != state.firstSeenAt:
            return "The import of \(day) set this date."
        default: return "A new word is due at once. It became known on \(day)."
        }
    }

    private func forgetting(by recall: Double, _ wanted: Double, after days: Story, _ day: Story) -> Story {
        let (recall, wanted): (Story, Story) = ("\(.percent(recall))", "\(.percent(wanted))")
        return "\(days) after the review of \(day), predicted recall is \(recall). The rules ask for \(wanted)."
    }

    /// The formula with which SM-2 computed the interval after a review.
    func sm2(_ step: WordExplanation.Step) -> Story {
        let days: Story = "\(Story.number(step.before?.intervalDays ?? 1)) d"
        let ease = rounded(step.before?.easeFactor ?? 2.5)
        return switch step.grade {
        case "again": "begins again at 1 d, ease - 0.2"
        case "hard": "\(days) * 1.2, ease - 0.15"
        case "easy": "\(days) * ease \(ease) * 1.3, ease + 0.15"
        default: "\(days) * ease \(ease)"
        }
    }

    /// The days, the predicted recall and the fitted parameters from which FSRS computed the memory after a review.
    func fsrs(_ step: WordExplanation.Step) -> Story {
        let fit: Story = step.fittedAt.map { "with the parameters fitted at \(.instant($0)) UTC" } ?? ""
        return .joined([time(step), fit], by: "; ")
    }

    private func time(_ step: WordExplanation.Step) -> Story {
        guard let days = step.daysSinceReview, step.before?.stability != nil else { return "the first review" }
        guard days >= 1 else { return "within a day of the last review" }
        guard let recall = step.recall else { return "\(days, "day") after the last review" }
        return "\(days, "day") after the last review, with a predicted recall of \(.percent(recall))"
    }

    /// The memory that a review changed, such as ` (stability 2.31 → 5.50, difficulty 2.12 → 3.01)`; nil under SM-2.
    func memoryChange(_ step: WordExplanation.Step) -> Story? {
        guard let after = step.after, after.stability != nil else { return nil }
        let (stability, difficulty) = (change(step, \.stability, rounded), change(step, \.difficulty, rounded))
        return " (stability \(stability), difficulty \(difficulty))"
    }
}

extension WordExplanation.State {
    /// True if FSRS scheduled the word; false for SM-2.
    var isOfFSRS: Bool { easeFactor == nil }
}
