import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// What became of a word, for people.
struct WordStory {
    let explanation: WordExplanation
    let mastery: MasteryRule
    let instant: Timestamp
    let style: Style

    private var isSM2: Bool { mastery.scheduler == .sm2 }

    func write(to output: OutputStream) throws(SystemError) {
        try output.writeLine(heading)
        for line in standing { try output.writeLine(line) }
        try output.writeLine()
        var table = Table(
            [.text("time"), .text("event"), .text("grade"), .text("mastery"), .text("interval")]
                + (isSM2 ? [.text("ease")] : [.text("stability"), .text("difficulty")])
                + [.text("next review (UTC)"), .prose("why")]
        )
        for step in explanation.steps { table.add(cells(step)) }
        try table.write(to: output, style: style)
    }

    private var heading: String {
        let texts = [explanation.text, explanation.translation].compactMap(\.self).map(Visible.text)
        let about = texts.isEmpty ? "" : ": \(texts.joined(separator: ", "))"
        let place = explanation.language.map { " in \(Visible.text($0))" } ?? ", without a language"
        return "\(style.paint(Visible.text(explanation.word), .bold))\(place)\(about)"
    }

    private var standing: [String] {
        guard let state = explanation.state else {
            let isRemoved = explanation.steps.contains { $0.before != nil && $0.after == nil }
            return [style.fact("Now", isRemoved ? "removed: not known any more" : "not known")]
        }
        let reviews = Numbers.count(Int(clamping: state.reviews), "review")
        let due = state.isDue(at: instant.milliseconds) ? "due since" : "due"
        return [
            style.fact("Now", "mastery \(state.mastery) of 5, \(WordBucket(state)), \(learned(state))"),
            style.fact("Reviews", "\(reviews), \(Numbers.grouped(state.correctReviews)) correct"),
            style.fact("Next review", "\(due) \(TimeText.minute(state.nextReviewAt)) UTC\(schedule(state))"),
        ]
    }

    private func learned(_ state: WordState) -> String {
        let threshold = mastery.learnedAt
        if state.mastery >= threshold { return "learned: mastery has reached \(threshold)" }
        if state.isDeclaredLearned { return "learned: the learner said so" }
        return "not learned: mastery is below \(threshold)"
    }

    private func schedule(_ state: WordState) -> String {
        guard state.reviews > 0, let last = state.lastReviewedAt else {
            return state.nextReviewAt == state.firstSeenAt ? ": when it was first seen, for it was never reviewed" : ""
        }
        return ": \(Numbers.count(state.intervalDays, "day")) after \(TimeText.minute(last))"
    }

    // MARK: Steps

    private func cells(_ step: WordStep) -> [String] {
        let event = [ExplanationText.dateAndTime(step.event), ExplanationText.name(step.event), step.grade ?? ""]
        let schedule =
            isSM2
            ? [change(step) { rounded(Double($0.ease)) }]
            : [change(step) { rounded($0.stability) }, change(step) { rounded($0.difficulty) }]
        return event + [change(step) { "\($0.mastery)" }, change(step) { "\($0.intervalDays) d" }] + schedule
            + [step.after.map { TimeText.minute($0.nextReviewAt) } ?? "", reason(step)]
    }

    private func rounded(_ number: Double?) -> String { number.map { Numbers.grouped($0, places: 2) } ?? "none" }

    /// `1 → 2`, or what stayed.
    private func change(_ step: WordStep, _ value: (WordState) -> String) -> String {
        guard let after = step.after.map(value) else { return "" }
        guard let before = step.before.map(value), before != after else { return after }
        return "\(before) \(style.isTerminal ? "→" : "->") \(after)"
    }

    private func reason(_ step: WordStep) -> String {
        if let void = step.event.void { return ExplanationText.void(void) }
        guard step.after != nil else { return step.before == nil ? "no such word" : "not known any more" }
        let start = step.before == nil ? "known from here" : ""
        return [start, work(step)].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func work(_ step: WordStep) -> String {
        switch EventKind(rawValue: step.event.type) {
        case .reviewGraded: isSM2 ? sm2(step) : fsrs(step)
        case .wordImported: "the schedule it had elsewhere"
        case .wordLearned: "learned by the learner's own say"
        case .wordUnlearned: "no longer learned by the learner's own say"
        case .wordEncountered where (step.count ?? 1) > 1: "met \(Numbers.grouped(step.count ?? 1)) times"
        default: ""
        }
    }

    private func sm2(_ step: WordStep) -> String {
        let days = "\(step.before?.intervalDays ?? 1) d"
        let ease = rounded(Double(step.before?.ease ?? 2.5))
        return switch step.grade {
        case "again": "begins again at 1 d, ease - 0.2"
        case "hard": "\(days) * 1.2, ease - 0.15"
        case "easy": "\(days) * ease \(ease) * 1.3, ease + 0.15"
        default: "\(days) * ease \(ease)"
        }
    }

    private func fsrs(_ step: WordStep) -> String {
        guard let last = step.before?.lastReviewedAt, step.before?.stability != nil else { return "the first review" }
        let elapsed = Int((step.event.time - last) / 86_400_000)
        return elapsed < 1
            ? "within a day of the last review" : "\(Numbers.count(elapsed, "day")) after the last review"
    }
}

// MARK: JSON

extension JSONText {
    mutating func members(of explanation: WordExplanation, _ mastery: MasteryRule, at instant: Int64) {
        member("language", explanation.language)
        member("word", explanation.word)
        member("text", explanation.text)
        member("translation", explanation.translation)
        state("state", explanation.state, mastery)
        member("learned", explanation.state?.isLearned(at: mastery.learnedAt) ?? false)
        member("due", explanation.state?.isDue(at: instant) ?? false)
        list("steps", explanation.steps) { json, step in
            json.members(of: step.event)
            json.member("grade", step.grade)
            json.member("count", step.count)
            json.state("before", step.before, mastery)
            json.state("after", step.after, mastery)
        }
    }

    private mutating func state(_ key: String, _ state: WordState?, _ mastery: MasteryRule) {
        guard let state else { return member(key, String?.none) }
        object(key) { json in
            json.member("mastery", state.mastery)
            json.member("bucket", "\(WordBucket(state))")
            json.member("reviews", state.reviews)
            json.member("correct", state.correctReviews)
            json.member("intervalDays", state.intervalDays)
            if mastery.scheduler == .sm2 {
                json.member("easeFactor", Double?.some(Double(state.ease)))
            } else {
                json.member("stability", state.stability)
                json.member("difficulty", state.difficulty)
            }
            json.member("lastReviewedAt", instant: state.lastReviewedAt)
            json.member("nextReviewAt", instant: state.nextReviewAt)
            json.member("saidLearned", state.isDeclaredLearned)
        }
    }
}
