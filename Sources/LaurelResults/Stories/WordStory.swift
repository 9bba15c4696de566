// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A word's history, in words.
package struct WordStory {
    let explanation: WordExplanation
    /// The mastery at which a word counts as learned.
    let learnedMastery: Int

    package init(_ explanation: WordExplanation, learnedMastery: Int) {
        (self.explanation, self.learnedMastery) = (explanation, learnedMastery)
    }

    package var heading: Story {
        let texts = [explanation.text, explanation.translation].compactMap(\.self).map { "\(.data($0))" as Story }
        let about: Story? = texts.isEmpty ? nil : ": \(Story.joined(texts, by: ", "))"
        let id: Story.Span = .toned(.strong, "\(.data(explanation.id))")
        return "\(id)\(Story.place(explanation.language) ?? ", without a language")\(about)"
    }

    package var facts: [StoryFact] {
        guard let state = explanation.state else {
            return [StoryFact("Now", isRemoved ? "removed: not known any more" : "not known")]
        }
        let (next, schedule) = (Story.Span.instant(state.nextReviewAt), schedule(state))
        let bucket = Story(stringLiteral: state.bucket.rawValue)
        return [
            StoryFact(
                "Now",
                "mastery \(Story.number(state.mastery)) of 5, \(bucket), \(learned(state))"
            ),
            StoryFact("Reviews", "\(state.reviews, "review"), \(Story.number(state.correctReviews)) correct"),
            StoryFact(
                "Next review",
                explanation.isDue ? "due since \(next) UTC\(schedule)" : "due \(next) UTC\(schedule)"
            ),
        ] + memoryFacts
    }

    /// The predicted recall, and the parameters of the prediction; empty under SM-2.
    private var memoryFacts: [StoryFact] {
        guard explanation.parameters != nil else { return [] }
        let recall = explanation.recall.map { recall in
            StoryFact("Recall now", "\(.percent(recall)), as FSRS predicts it from the stability")
        }
        let parameters: Story =
            explanation.fit.map { fit in "fitted to the learner, by \(.event(fit)) of \(.instant(fit.time)) UTC" }
            ?? "those of the rules"
        return [recall, StoryFact("Parameters", parameters)].compactMap(\.self)
    }

    var isRemoved: Bool { explanation.steps.contains { $0.before != nil && $0.after == nil } }

    private func learned(_ state: WordExplanation.State) -> Story {
        let threshold = Story.number(learnedMastery)
        if state.mastery >= learnedMastery { return "learned: mastery has reached \(threshold)" }
        if state.isDeclaredLearned { return "learned: the learner said so" }
        return "not learned: mastery is below \(threshold)"
    }

    private func schedule(_ state: WordExplanation.State) -> Story? {
        guard state.reviews > 0, let last = state.lastReviewedAt else {
            return state.nextReviewAt == state.firstSeenAt ? ": when it was first seen, for it was never reviewed" : nil
        }
        return ": \(state.intervalDays, "day") after \(.instant(last))"
    }

    // MARK: Steps

    package func table(_ steps: [WordExplanation.Step]) -> StoryTable {
        let schedule: [StoryTable.Column] =
            hasMemory
            ? [.init("recall", isSpare: true), .init("stability", isSpare: true), .init("difficulty", isSpare: true)]
            : [.init("ease", isSpare: true)]
        return StoryTable(
            columns: [
                .init("time"), .init("event", .prose, isSpare: true), .init("grade"), .init("mastery"),
                .init("interval"),
            ] + schedule + [.init("next review (UTC)", isSpare: true), .init("why", .prose)],
            rows: steps.map(cells)
        )
    }

    private func cells(_ step: WordExplanation.Step) -> [Story] {
        let grade = Story(stringLiteral: step.grade ?? "")
        let event: [Story] = ["\(.dateAndTime(step.event))", "\(.event(step.event))", grade]
        return event + [change(step, \.mastery) { .number($0) }, interval(step)] + memory(step)
            + [step.after.map { "\(.instant($0.nextReviewAt))" } ?? "", cause(step)]
    }

    private func interval(_ step: WordExplanation.Step) -> Story {
        change(step, \.intervalDays) { "\(Story.number($0)) d" }
    }

    /// True if FSRS schedules the word now, or at its last event.
    private var hasMemory: Bool {
        let last = explanation.state ?? explanation.steps.last { $0.after != nil }?.after
        return last?.isOfFSRS ?? false
    }

    /// The scheduler's numbers of the word: ease, or recall, stability and difficulty.
    private func memory(_ step: WordExplanation.Step) -> [Story] {
        guard hasMemory else { return [change(step, \.easeFactor, rounded)] }
        let recall: Story = step.recall.map { "\(.percent($0))" } ?? ""
        return [recall] + stability(step)
    }

    private func stability(_ step: WordExplanation.Step) -> [Story] {
        [change(step, \.stability, rounded), change(step, \.difficulty, rounded)]
    }

    /// The schedule that an event changed, with the names of its numbers.
    func schedule(_ step: WordExplanation.Step) -> [Story] {
        let isOfFSRS = step.after?.isOfFSRS ?? false
        let numbers = isOfFSRS ? stability(step) : [change(step, \.easeFactor, rounded)]
        let names = ["interval"] + (isOfFSRS ? ["stability", "difficulty"] : ["ease"])
        return zip(names, [interval(step)] + numbers).filter { !$0.1.isEmpty }.map { "\(.text($0)) \($1)" }
    }

    func rounded(_ number: Double?) -> Story { number.map { .number($0) } ?? "none" }

    /// The text `1 → 2`, or the value alone if it is unchanged.
    func change<Value: Equatable>(
        _ step: WordExplanation.Step,
        _ value: (WordExplanation.State) -> Value,
        _ story: (Value) -> Story
    ) -> Story {
        guard let after = step.after.map(value) else { return "" }
        guard let before = step.before.map(value), before != after else { return story(after) }
        return "\(story(before)) → \(story(after))"
    }

    func cause(_ step: WordExplanation.Step) -> Story {
        if let void = Story.void(step.event) { return void }
        guard step.after != nil else { return step.before == nil ? "no such word" : "not known any more" }
        return .joined([step.before == nil ? "known from here" : "", work(step)], by: "; ")
    }

    private func work(_ step: WordExplanation.Step) -> Story {
        switch step.event.type {
        case "review.graded": step.after?.isOfFSRS == true ? fsrs(step) : sm2(step)
        case "word.imported": "the schedule it had elsewhere"
        case "word.learned": "the learner said it is learned"
        case "word.unlearned": "the learner said it is not learned"
        case "word.encountered" where (step.count ?? 1) > 1: "met \(Story.number(step.count ?? 1)) times"
        default: ""
        }
    }
}
