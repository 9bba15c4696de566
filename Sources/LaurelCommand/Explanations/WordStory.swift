// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// A word's history, for people.
struct WordStory {
    let explanation: WordExplanation
    let rules: Rules
    let style: Style

    private var isSM2: Bool { rules.scheduler == .sm2 }

    func write(to output: OutputStream) throws(SystemError) {
        try output.writeLine(heading)
        for line in standing { try output.writeLine(line) }
        try output.writeLine()
        var table = Table(
            [.text("time"), .prose("event").spare, .text("grade"), .text("mastery"), .text("interval")]
                + (isSM2 ? [.text("ease").spare] : [.text("stability").spare, .text("difficulty").spare])
                + [.text("next review (UTC)").spare, .prose("why")]
        )
        for step in explanation.steps { table.add(cells(step)) }
        try table.write(to: output, style: style)
    }

    private var heading: String {
        let texts = [explanation.text, explanation.translation].compactMap(\.self).map(Visible.text)
        let about = texts.isEmpty ? "" : ": \(texts.joined(separator: ", "))"
        let place = explanation.language.map { " in \(Visible.text($0))" } ?? ", without a language"
        return "\(style.paint(Visible.text(explanation.id), .bold))\(place)\(about)"
    }

    private var standing: [String] {
        guard let state = explanation.state else {
            let isRemoved = explanation.steps.contains { $0.before != nil && $0.after == nil }
            return [style.fact("Now", isRemoved ? "removed: not known any more" : "not known")]
        }
        let reviews = Numbers.count(state.reviews, "review")
        let due = explanation.isDue ? "due since" : "due"
        return [
            style.fact("Now", "mastery \(state.mastery) of 5, \(state.bucket), \(learned(state))"),
            style.fact("Reviews", "\(reviews), \(Numbers.grouped(state.correctReviews)) correct"),
            style.fact("Next review", "\(due) \(TimeText.minute(state.nextReviewAt)) UTC\(schedule(state))"),
        ]
    }

    private func learned(_ state: WordExplanation.State) -> String {
        let threshold = rules.learnedMastery
        if state.mastery >= threshold { return "learned: mastery has reached \(threshold)" }
        if state.isDeclaredLearned { return "learned: the learner said so" }
        return "not learned: mastery is below \(threshold)"
    }

    private func schedule(_ state: WordExplanation.State) -> String {
        guard state.reviews > 0, let last = state.lastReviewedAt else {
            return state.nextReviewAt == state.firstSeenAt ? ": when it was first seen, for it was never reviewed" : ""
        }
        return ": \(Numbers.count(state.intervalDays, "day")) after \(TimeText.minute(last))"
    }

    // MARK: Steps

    private func cells(_ step: WordExplanation.Step) -> [String] {
        let event = [ExplanationText.dateAndTime(step.event), ExplanationText.name(step.event), step.grade ?? ""]
        let schedule =
            isSM2
            ? [change(step) { rounded($0.easeFactor) }]
            : [change(step) { rounded($0.stability) }, change(step) { rounded($0.difficulty) }]
        return event + [change(step) { "\($0.mastery)" }, change(step) { "\($0.intervalDays) d" }] + schedule
            + [step.after.map { TimeText.minute($0.nextReviewAt) } ?? "", reason(step)]
    }

    private func rounded(_ number: Double?) -> String { number.map { Numbers.grouped($0, places: 2) } ?? "none" }

    /// `1 → 2`, or what stayed.
    private func change(_ step: WordExplanation.Step, _ value: (WordExplanation.State) -> String) -> String {
        guard let after = step.after.map(value) else { return "" }
        guard let before = step.before.map(value), before != after else { return after }
        return "\(before) \(style.isTerminal ? "→" : "->") \(after)"
    }

    private func reason(_ step: WordExplanation.Step) -> String {
        if let void = step.event.void { return ExplanationText.void(void) }
        guard step.after != nil else { return step.before == nil ? "no such word" : "not known any more" }
        let start = step.before == nil ? "known from here" : ""
        return [start, work(step)].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func work(_ step: WordExplanation.Step) -> String {
        switch step.event.type {
        case "review.graded": isSM2 ? sm2(step) : fsrs(step)
        case "word.imported": "the schedule it had elsewhere"
        case "word.learned": "learned by the learner's own say"
        case "word.unlearned": "no longer learned by the learner's own say"
        case "word.encountered" where (step.count ?? 1) > 1: "met \(Numbers.grouped(step.count ?? 1)) times"
        default: ""
        }
    }

    private func sm2(_ step: WordExplanation.Step) -> String {
        let days = "\(step.before?.intervalDays ?? 1) d"
        let ease = rounded(step.before?.easeFactor ?? 2.5)
        return switch step.grade {
        case "again": "begins again at 1 d, ease - 0.2"
        case "hard": "\(days) * 1.2, ease - 0.15"
        case "easy": "\(days) * ease \(ease) * 1.3, ease + 0.15"
        default: "\(days) * ease \(ease)"
        }
    }

    private func fsrs(_ step: WordExplanation.Step) -> String {
        guard let last = step.before?.lastReviewedAt, step.before?.stability != nil else { return "the first review" }
        // Rounds to milliseconds first, so that no day comes out a little too short.
        let elapsed = Int((step.event.time.timeIntervalSince(last) * 1000).rounded()) / 86_400_000
        return elapsed < 1
            ? "within a day of the last review" : "\(Numbers.count(elapsed, "day")) after the last review"
    }
}
