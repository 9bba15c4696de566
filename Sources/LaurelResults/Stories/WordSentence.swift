// SPDX-License-Identifier: Apache-2.0

/// The sentences of a word.
extension WordStory {
    /// The sentence that says how well the word is known, and when it is reviewed next.
    package var answer: Story {
        guard let state = explanation.state else { return isRemoved ? "Removed: not known any more." : "Not known." }
        let next: Story =
            explanation.isDue
            ? "due for review since \(.instant(state.nextReviewAt)) UTC"
            : "the next review is due \(.instant(state.nextReviewAt)) UTC"
        return "\(standing(state)); \(reviews(state)); \(next)."
    }

    private func standing(_ state: WordExplanation.State) -> Story {
        let mastery = Story.number(state.mastery)
        if state.mastery >= learnedMastery { return "Learned: mastery is \(mastery) of 5" }
        if state.isDeclaredLearned { return "Learned, as the learner said: mastery is \(mastery) of 5" }
        return "Not learned yet: mastery is \(mastery) of 5, and has to reach \(Story.number(learnedMastery))"
    }

    private func reviews(_ state: WordExplanation.State) -> Story {
        guard state.reviews > 0 else { return "never reviewed" }
        return "remembered in \(Story.number(state.correctReviews)) of \(Story.count(state.reviews, "review"))"
    }

    // MARK: Events

    /// The effect of an event, in a sentence.
    package func sentence(_ step: WordExplanation.Step) -> Story {
        let day: Story = "\(.day(step.event.day))"
        if let correction = Story.correction(step.event) {
            return "\(day): \(action(step)), without effect: \(correction)"
        }
        guard let after = step.after else { return "\(day): \(step.before == nil ? "no such word" : "removed")" }
        guard step.event.type == "review.graded" else {
            return "\(day): \(action(step))\(mastery(step.before, after))"
        }
        let recall: Story? = step.recall.map { ", with a predicted recall of \(.percent($0))" }
        let interval: Story = ", next review after \(Story.count(after.intervalDays, "day"))"
        return "\(day): \(action(step))\(recall)\(mastery(step.before, after))\(interval)\(memoryChange(step))"
    }

    /// The text `: mastery rose from 0 to 1`; nil if the mastery is unchanged.
    private func mastery(_ before: WordExplanation.State?, _ after: WordExplanation.State) -> Story? {
        let old = before?.mastery ?? 0
        guard old != after.mastery else { return nil }
        return after.mastery > old
            ? ": mastery rose from \(Story.number(old)) to \(Story.number(after.mastery))"
            : ": mastery fell from \(Story.number(old)) to \(Story.number(after.mastery))"
    }

    private func action(_ step: WordExplanation.Step) -> Story {
        switch step.event.type {
        case "review.graded":
            step.grade == "again" ? "forgotten" : "remembered, graded \(Story(stringLiteral: step.grade ?? "good"))"
        case "word.added": "added"
        case "word.updated": "changed"
        case "word.removed": "removed"
        case "word.encountered": (step.count ?? 1) > 1 ? "met \(Story.number(step.count ?? 1)) times" : "met once"
        case "word.imported": "imported with the schedule it had elsewhere"
        case "word.learned": "marked as learned"
        case "word.unlearned": "marked as not learned"
        default: "\(.data(step.event.type))"
        }
    }

    /// The event, and the formula of the schedule.
    package func reason(_ step: WordExplanation.Step) -> Story {
        .joined(["\(Story.stamp(step.event))", cause(step)] + schedule(step), by: "; ")
    }
}
